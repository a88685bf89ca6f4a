// SPDX-License-Identifier: Apache-2.0

/// A part of an app's windows.
@MainActor @preconcurrency public protocol Scene {
    /// What it is made of.
    associatedtype Body: Scene
    /// What it is made of.
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: Scene {}

/// Makes the scenes of an app.
@resultBuilder public struct SceneBuilder {
    /// A scene as it is.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: Scene {
        content
    }

    /// One scene.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
}

/// Windows with the same content.
public struct WindowGroup<Content>: Scene where Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never
    /// Not there: it is evaluated by itself.
    public var body: Never { fatalError("WindowGroup has no body") }

    nonisolated(unsafe) let content: Content

    /// Windows with a content.
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

extension WindowGroup: Evaluated {
    nonisolated package func nodes(_ place: Place) -> [Node] { place.inside("window").nodes(of: content) }
}

/// An app.
@MainActor @preconcurrency public protocol App {
    /// Its scenes.
    associatedtype Body: Scene
    /// Its scenes.
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    /// Makes the app.
    @MainActor @preconcurrency init()
}

extension Screen {
    /// Shows the window of an app.
    package convenience init<A: App>(
        app: A, environment: @escaping (inout EnvironmentValues) -> Void = { _ in }
    ) {
        self.init(environment: environment) {
            Made { place in
                place.install(app)
                // As in Place: everything is evaluated on the main actor.
                nonisolated(unsafe) var scene: (any Evaluated)?
                nonisolated(unsafe) let app = app
                MainActor.assumeIsolated { scene = app.body as? any Evaluated }
                return scene?.nodes(place) ?? []
            }
        }
    }
}

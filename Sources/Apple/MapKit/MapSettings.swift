// SPDX-License-Identifier: Apache-2.0

/// What modifiers say of maps.
struct MapSettings {
    var changed: [(MapCameraUpdateContext) -> Void] = []
    var controls: (any View)?
    /// The map that a control belongs to.
    var handle: MapHandle?
    /// The maps by their names, for controls beside them.
    var scopes: [Namespace.ID: MapScopeBox] = [:]

    /// The map that a control with this name belongs to.
    func handle(_ scope: Namespace.ID?) -> MapHandle? { handle ?? scope.flatMap { scopes[$0]?.handle } }
}

/// Where controls find their map.
final class MapScopeBox {
    private(set) var handle: MapHandle?

    func set(_ new: MapHandle, _ place: Place) {
        let isOther = handle?.camera != new.camera
        handle = new
        // Controls may have been evaluated before the map.
        let count = place.state("scope", first: 0)
        if isOther { place.pass.after.append { count.wrappedValue += 1 } }
    }
}

private struct MapSettingsKey: EnvironmentKey {
    static var defaultValue: MapSettings { MapSettings() }
}

extension EnvironmentValues {
    var map: MapSettings {
        get { self[MapSettingsKey.self] }
        set { self[MapSettingsKey.self] = newValue }
    }
}

/// What the map looks like.
public struct MapStyle: Sendable {
    /// Whether hills are seen.
    public struct Elevation: Hashable, Sendable {
        let name: String
        /// As the map likes.
        public static let automatic = Elevation(name: "automatic")
        /// They are not.
        public static let flat = Elevation(name: "flat")
        /// They are.
        public static let realistic = Elevation(name: "realistic")
    }

    /// How much the map stands out.
    public struct StandardEmphasis: Hashable, Sendable {
        let name: String
        /// As the map likes.
        public static let automatic = StandardEmphasis(name: "automatic")
        /// Little.
        public static let muted = StandardEmphasis(name: "muted")
    }

    /// Roads and names.
    public static var standard: MapStyle { .init() }
    /// Pictures from above.
    public static var imagery: MapStyle { .init() }
    /// Pictures from above, with roads and names.
    public static var hybrid: MapStyle { .init() }
    /// Roads and names.
    public static func standard(
        elevation: MapStyle.Elevation = .automatic, emphasis: MapStyle.StandardEmphasis = .automatic,
        showsTraffic: Bool = false
    ) -> MapStyle { .init() }
    /// Pictures from above.
    public static func imagery(elevation: MapStyle.Elevation = .automatic) -> MapStyle { .init() }
    /// Pictures from above, with roads and names.
    public static func hybrid(
        elevation: MapStyle.Elevation = .automatic, showsTraffic: Bool = false
    ) -> MapStyle { .init() }
}

extension View {
    /// Sets what maps look like.
    nonisolated public func mapStyle(_ style: MapStyle) -> some View { self }

    /// Says which maps controls with this name belong to.
    nonisolated public func mapScope(_ scope: Namespace.ID) -> some View {
        Made { place in
            let box = place.kept("scope") { MapScopeBox() }
            return place.with { $0.map.scopes[scope] = box }.inside("content").nodes(of: self)
        }
    }

    /// Does something when the map has moved.
    nonisolated public func onMapCameraChange(
        frequency: MapCameraUpdateFrequency = .onEnd, _ action: @escaping (MapCameraUpdateContext) -> Void
    ) -> some View { transformEnvironment(\.map) { $0.changed.append(action) } }

    /// Does something when the map has moved.
    nonisolated public func onMapCameraChange(
        frequency: MapCameraUpdateFrequency = .onEnd, _ action: @escaping () -> Void
    ) -> some View { onMapCameraChange(frequency: frequency) { _ in action() } }

    /// Sets the controls of maps.
    nonisolated public func mapControls<V>(@ViewBuilder _ content: () -> V) -> some View where V: View {
        let content = content()
        return transformEnvironment(\.map) { $0.controls = content }
    }

    /// Shows the controls of maps, or hides them.
    nonisolated public func mapControlVisibility(_ visibility: Visibility) -> some View {
        transformEnvironment(\.map) { if visibility == .hidden { $0.controls = nil } }
    }
}

/// A button that shows where the person is.
public struct MapUserLocationButton: View {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated let scope: Namespace.ID?

    /// A button for the map that it is a control of.
    nonisolated public init(scope: Namespace.ID? = nil) { self.scope = scope }
}

extension MapUserLocationButton: Evaluated {
    nonisolated package func nodes(_ place: Place) -> [Node] {
        guard let handle = place.environment.map.handle(scope) else { return [] }
        let button = Node(.button, "My Location")
        button.press = { handle.show(.userLocation(fallback: .camera(handle.camera))) }
        return [button]
    }
}

/// A compass, which is seen where north is not up, and turns the map back.
public struct MapCompass: View {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated let scope: Namespace.ID?

    /// A compass for the map that it is a control of.
    nonisolated public init(scope: Namespace.ID? = nil) { self.scope = scope }
}

extension MapCompass: Evaluated {
    nonisolated package func nodes(_ place: Place) -> [Node] {
        guard let handle = place.environment.map.handle(scope), handle.camera.heading != 0 else { return [] }
        let button = Node(.button, "Compass")
        button.value = "\(Int(handle.camera.heading.rounded()))°"
        button.press = {
            var camera = handle.camera
            camera.heading = 0
            handle.move(camera)
        }
        return [button]
    }
}

/// A button that looks at the map from the side, or from above.
public struct MapPitchToggle: View {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated let scope: Namespace.ID?

    /// A button for the map that it is a control of.
    nonisolated public init(scope: Namespace.ID? = nil) { self.scope = scope }
}

extension MapPitchToggle: Evaluated {
    nonisolated package func nodes(_ place: Place) -> [Node] {
        guard let handle = place.environment.map.handle(scope) else { return [] }
        let button = Node(.button, handle.camera.pitch == 0 ? "3D" : "2D")
        button.press = {
            var camera = handle.camera
            camera.pitch = camera.pitch == 0 ? 60 : 0
            handle.move(camera)
        }
        return [button]
    }
}

/// How long a distance is on the map.
public struct MapScaleView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated let scope: Namespace.ID?

    /// A scale for the map that it is a control of.
    nonisolated public init(anchorEdge: HorizontalEdge = .leading, scope: Namespace.ID? = nil) {
        self.scope = scope
    }
}

extension MapScaleView: Evaluated {
    nonisolated package func nodes(_ place: Place) -> [Node] {
        guard let handle = place.environment.map.handle(scope) else { return [] }
        // A round distance that is a fifth of what is seen at most.
        let seen = handle.camera.distance / 10
        let power = pow(10, log10(max(1, seen)).rounded(.down))
        let length = [5, 2, 1].map { $0 * power }.first { $0 <= max(1, seen) } ?? power
        let text = length >= 1000 ? String(format: "%g km", length / 1000) : String(format: "%g m", length)
        return [Node(.text, text)]
    }
}

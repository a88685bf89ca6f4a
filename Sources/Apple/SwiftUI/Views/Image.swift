// SPDX-License-Identifier: Apache-2.0

/// A picture, which VoiceOver does not know the meaning of unless it is told.
public struct Image: Equatable, Sendable {
    enum Storage: Equatable, Sendable {
        case symbol(String)
        case asset(String, label: Text?)
        case decorative(String)
    }

    /// How large a symbol is beside text.
    public enum Scale: Sendable {
        /// Small.
        case small
        /// As usual.
        case medium
        /// Large.
        case large
    }

    /// What is done with the colours.
    public enum TemplateRenderingMode: Sendable {
        /// The colour of text is used.
        case template
        /// The picture's own are used.
        case original
    }

    /// How a picture fills its room.
    public enum ResizingMode: Sendable {
        /// It is repeated.
        case tile
        /// It is stretched.
        case stretch
    }

    let storage: Storage

    /// A symbol of the system.
    public init(systemName: String) { storage = .symbol(systemName) }

    /// A symbol of the system, some of which is filled.
    public init(systemName: String, variableValue: Double?) { storage = .symbol(systemName) }

    /// A picture of the app, which is spoken by its name.
    public init(_ name: String, bundle: Bundle? = nil) { storage = .asset(name, label: nil) }

    /// A picture of the app.
    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        storage = .asset(name, label: label)
    }

    /// A picture that VoiceOver passes over.
    public init(decorative name: String, bundle: Bundle? = nil) { storage = .decorative(name) }

    /// Lets the picture take what room there is.
    public func resizable(
        capInsets: EdgeInsets = EdgeInsets(), resizingMode: Image.ResizingMode = .stretch
    ) -> Image { self }

    /// Sets what is done with the colours.
    public func renderingMode(_ renderingMode: Image.TemplateRenderingMode?) -> Image { self }

    /// Sets how many colours a symbol has.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }
}

extension Image: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Image: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        switch storage {
        case .symbol(let name):
            return [Node(.image, name)]
        case .asset(let name, let label):
            let node = Node(.image, name)
            node.label = label?.written(in: place) ?? name
            return [node]
        case .decorative(let name):
            let node = Node(.image, name)
            node.isSilent = true
            return [node]
        }
    }
}

/// How many colours a symbol has.
public struct SymbolRenderingMode: Sendable {
    /// One.
    public static let monochrome = SymbolRenderingMode()
    /// Its own.
    public static let multicolor = SymbolRenderingMode()
    /// One, in several strengths.
    public static let hierarchical = SymbolRenderingMode()
    /// Those that are given.
    public static let palette = SymbolRenderingMode()
}

/// Which of its forms a symbol has.
public struct SymbolVariants: Hashable, Sendable {
    let names: Set<String>
    /// The plain one.
    public static let none = SymbolVariants(names: [])
    /// In a circle.
    public static let circle = SymbolVariants(names: ["circle"])
    /// In a square.
    public static let square = SymbolVariants(names: ["square"])
    /// In a rectangle.
    public static let rectangle = SymbolVariants(names: ["rectangle"])
    /// Filled.
    public static let fill = SymbolVariants(names: ["fill"])
    /// Struck through.
    public static let slash = SymbolVariants(names: ["slash"])
    /// This, and in a circle.
    public var circle: SymbolVariants { SymbolVariants(names: names.union(["circle"])) }
    /// This, and filled.
    public var fill: SymbolVariants { SymbolVariants(names: names.union(["fill"])) }
    /// This, and struck through.
    public var slash: SymbolVariants { SymbolVariants(names: names.union(["slash"])) }
}

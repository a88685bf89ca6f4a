// SPDX-License-Identifier: Apache-2.0

/// Something that is drawn on a canvas.
package struct Drawing {
    /// What is done with the outline.
    package enum Kind: Equatable {
        case fill, stroke(StrokeStyle), text, image, symbol
    }

    package let kind: Kind
    /// The outline, with where the canvas has moved it; that of a text is the place where it stands.
    package let path: Path
    /// What is written.
    package var text: String?
    /// With what it is drawn.
    package var shading: GraphicsContext.Shading?
    package let opacity: Double
}

/// What was drawn so far, for all copies of a context.
final class Sheet {
    var drawings: [Drawing] = []
}

/// What a canvas is drawn with.
public struct GraphicsContext {
    /// How much of what is behind is covered, from 0 to 1.
    public var opacity = 1.0
    /// How what is drawn goes together with what is behind.
    public var blendMode = BlendMode.normal
    /// What surrounds the canvas.
    public var environment: EnvironmentValues { place.environment }
    /// Where points are moved before they are drawn.
    public var transform = CGAffineTransform.identity

    let place: Place
    let sheet: Sheet
    let symbols: [AnyHashable: Node]

    init(place: Place, sheet: Sheet, symbols: [AnyHashable: Node]) {
        (self.place, self.sheet, self.symbols) = (place, sheet, symbols)
    }

    /// How what is drawn goes together with what is behind.
    public struct BlendMode: RawRepresentable, Equatable, Sendable {
        /// Its number.
        public let rawValue: Int32
        /// The mode with a number.
        public init(rawValue: Int32) { self.rawValue = rawValue }
        /// It covers it.
        public static let normal = BlendMode(rawValue: 0)
        /// Both darken.
        public static let multiply = BlendMode(rawValue: 1)
        /// Both lighten.
        public static let screen = BlendMode(rawValue: 2)
    }

    /// With what something is filled.
    public struct Shading: Sendable {
        package let style: any ShapeStyle

        /// With a colour.
        public static func color(_ color: Color) -> Shading { Shading(style: color) }
        /// With a colour of red, green and blue, each from 0 to 1.
        public static func color(
            _ colorSpace: Color.RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double,
            opacity: Double = 1
        ) -> Shading {
            Shading(style: Color(colorSpace, red: red, green: green, blue: blue, opacity: opacity))
        }
        /// With a style.
        public static func style<S>(_ style: S) -> Shading where S: ShapeStyle { Shading(style: style) }
        /// With the colour of text.
        public static var foreground: Shading { Shading(style: ForegroundStyle()) }
        /// With colours from one point to another.
        public static func linearGradient(
            _ gradient: Gradient, startPoint: CGPoint, endPoint: CGPoint
        ) -> Shading { Shading(style: gradient) }
        /// With colours from a point outwards.
        public static func radialGradient(
            _ gradient: Gradient, center: CGPoint, startRadius: CGFloat, endRadius: CGFloat
        ) -> Shading { Shading(style: gradient) }
        /// With colours round a point.
        public static func conicGradient(
            _ gradient: Gradient, center: CGPoint, angle: Angle = Angle()
        ) -> Shading { Shading(style: gradient) }
    }

    /// Stretches all that is drawn from now on.
    public mutating func scaleBy(x: CGFloat, y: CGFloat) { transform = transform.scaledBy(x: x, y: y) }
    /// Moves all that is drawn from now on.
    public mutating func translateBy(x: CGFloat, y: CGFloat) {
        transform = transform.translatedBy(x: x, y: y)
    }
    /// Turns all that is drawn from now on.
    public mutating func rotate(by angle: Angle) { transform = transform.rotated(by: CGFloat(angle.radians)) }
    /// Changes where points are moved from now on.
    public mutating func concatenate(_ matrix: CGAffineTransform) {
        transform = matrix.concatenating(transform)
    }

    private func draw(
        _ kind: Drawing.Kind, _ path: Path, text: String? = nil, shading: Shading? = nil
    ) {
        sheet.drawings.append(
            Drawing(
                kind: kind, path: path.applying(transform), text: text, shading: shading, opacity: opacity))
    }

    /// Fills an outline.
    public func fill(_ path: Path, with shading: Shading, style: FillStyle = FillStyle()) {
        draw(.fill, path, shading: shading)
    }

    /// Draws a line along an outline.
    public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {
        draw(.stroke(style), path, shading: shading)
    }

    /// Draws a line along an outline.
    public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {
        stroke(path, with: shading, style: StrokeStyle(lineWidth: lineWidth))
    }

    /// Draws in a layer of its own.
    public func drawLayer(content: (inout GraphicsContext) throws -> Void) rethrows {
        var layer = self
        try content(&layer)
    }

    /// Draws a text in a rectangle.
    public func draw(_ text: Text, in rect: CGRect) {
        draw(.text, Path(rect), text: text.written(in: place))
    }

    /// Draws a text at a point.
    public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(text, in: CGRect(origin: point, size: .zero))
    }

    /// Draws a picture in a rectangle.
    public func draw(_ image: Image, in rect: CGRect, style: FillStyle = FillStyle()) {
        draw(.image, Path(rect))
    }

    /// Draws a picture at a point.
    public func draw(_ image: Image, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(image, in: CGRect(origin: point, size: .zero))
    }

    /// A view that can be drawn.
    public struct ResolvedSymbol {
        let node: Node
    }

    /// One of the views that the canvas was made with.
    public func resolveSymbol<ID>(id: ID) -> ResolvedSymbol? where ID: Hashable {
        symbols[AnyHashable(id)].map { ResolvedSymbol(node: $0) }
    }

    /// Draws a view in a rectangle.
    public func draw(_ symbol: ResolvedSymbol, in rect: CGRect) {
        draw(.symbol, Path(rect), text: symbol.node.spoken)
    }

    /// Draws a view at a point.
    public func draw(_ symbol: ResolvedSymbol, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(symbol, in: CGRect(origin: point, size: .zero))
    }
}

/// How the numbers of colours on a canvas are meant.
public enum ColorRenderingMode: Sendable {
    /// As on the web.
    case nonLinear
    /// Evenly.
    case linear
    /// Evenly, and beyond white.
    case extendedLinear
}

/// Something that is drawn by a function.
public struct Canvas<Symbols> where Symbols: View {
    /// The views that the function may draw.
    public var symbols: Symbols
    /// Draws.
    public var renderer: (inout GraphicsContext, CGSize) -> Void

    /// Something that is drawn by a function, with views by their tags.
    nonisolated public init(
        opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void, @ViewBuilder symbols: () -> Symbols
    ) {
        self.symbols = symbols()
        self.renderer = renderer
    }
}

extension Canvas where Symbols == EmptyView {
    /// Something that is drawn by a function.
    nonisolated public init(
        opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void
    ) {
        self.init(renderer: renderer) { EmptyView() }
    }
}

extension Canvas: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Canvas: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.canvas)
        var known: [AnyHashable: Node] = [:]
        for symbol in place.inside("symbols").nodes(of: symbols) {
            for tag in symbol.tags { known[tag] = symbol }
        }
        let sheet = Sheet()
        var context = GraphicsContext(place: place, sheet: sheet, symbols: known)
        renderer(&context, place.environment.room)
        node.drawings = sheet.drawings
        return [node]
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A shape, which is not drawn.
nonisolated public protocol Shape: View, Sendable {
    /// Its outline within a rectangle.
    func path(in rect: CGRect) -> Path
}

/// A shape with a style.
public struct _ShapeView<Content, Style> where Content: Shape, Style: ShapeStyle {
    let shape: Content
    let style: Style
}

extension _ShapeView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension _ShapeView: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [] }
}

extension Shape {
    /// The shape in the colour of text.
    @MainActor @preconcurrency public var body: _ShapeView<Self, ForegroundStyle> {
        _ShapeView(shape: self, style: ForegroundStyle())
    }
}

/// A shape that can be made smaller at all sides.
nonisolated public protocol InsettableShape: Shape {
    /// The smaller shape.
    associatedtype InsetShape: InsettableShape
    /// The shape, smaller by so many points at each side.
    func inset(by amount: CGFloat) -> Self.InsetShape
}

/// A shape in a smaller rectangle.
public struct _InsetShape<Base>: InsettableShape where Base: Shape {
    let base: Base
    var amount: CGFloat

    /// The outline of the shape in the smaller rectangle.
    public func path(in rect: CGRect) -> Path { base.path(in: rect.insetBy(dx: amount, dy: amount)) }

    /// The shape, smaller still.
    public func inset(by amount: CGFloat) -> _InsetShape<Base> {
        _InsetShape(base: base, amount: self.amount + amount)
    }
}

/// A circle.
public struct Circle: InsettableShape {
    /// A circle.
    public init() {}

    /// The largest circle in the middle of a rectangle.
    public func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        return Path(
            ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side))
    }

    /// A smaller circle.
    public func inset(by amount: CGFloat) -> _InsetShape<Circle> { .init(base: self, amount: amount) }
}

/// A rectangle.
public struct Rectangle: InsettableShape {
    /// A rectangle.
    public init() {}

    /// The rectangle itself.
    public func path(in rect: CGRect) -> Path { Path(rect) }

    /// A smaller rectangle.
    public func inset(by amount: CGFloat) -> _InsetShape<Rectangle> { .init(base: self, amount: amount) }
}

/// An ellipse.
public struct Ellipse: InsettableShape {
    /// An ellipse.
    public init() {}

    /// The ellipse that fills a rectangle.
    public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }

    /// A smaller ellipse.
    public func inset(by amount: CGFloat) -> _InsetShape<Ellipse> { .init(base: self, amount: amount) }
}

/// A rectangle with round ends.
public struct Capsule: InsettableShape {
    /// How the ends are rounded.
    public var style: RoundedCornerStyle

    /// A rectangle with round ends.
    public init(style: RoundedCornerStyle = .continuous) { self.style = style }

    /// The rectangle with its shorter sides round.
    public func path(in rect: CGRect) -> Path {
        Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2, style: style)
    }

    /// A smaller one.
    public func inset(by amount: CGFloat) -> _InsetShape<Capsule> { .init(base: self, amount: amount) }
}

/// A rectangle with round corners.
public struct RoundedRectangle: InsettableShape {
    /// How wide and high the corners are.
    public var cornerSize: CGSize
    /// How the corners are rounded.
    public var style: RoundedCornerStyle

    /// A rectangle with round corners.
    public init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        self.cornerSize = cornerSize
        self.style = style
    }

    /// A rectangle with round corners.
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.init(cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }

    /// The rectangle with its corners round.
    public func path(in rect: CGRect) -> Path {
        Path(roundedRect: rect, cornerSize: cornerSize, style: style)
    }

    /// A smaller one.
    public func inset(by amount: CGFloat) -> _InsetShape<RoundedRectangle> {
        .init(base: self, amount: amount)
    }
}

/// Any shape.
public struct AnyShape: Shape {
    let shape: any Shape

    /// A shape whose type is hidden.
    public init<S>(_ shape: S) where S: Shape { self.shape = shape }

    /// The outline of the shape.
    public func path(in rect: CGRect) -> Path { shape.path(in: rect) }
}

/// A shape whose outline is changed.
public struct _ChangedShape<Base>: Shape where Base: Shape {
    let base: Base
    let change: @Sendable (Path, CGRect) -> Path

    /// The changed outline.
    public func path(in rect: CGRect) -> Path { change(base.path(in: rect), rect) }
}

/// How corners are rounded.
public enum RoundedCornerStyle: Sendable {
    /// As a part of a circle.
    case circular
    /// More smoothly.
    case continuous
}

extension Shape {
    /// Fills the shape.
    nonisolated public func fill<S>(_ content: S, style: FillStyle = FillStyle()) -> some View
    where S: ShapeStyle { _ShapeView(shape: self, style: content) }
    /// Fills the shape with the colour of text.
    nonisolated public func fill(style: FillStyle = FillStyle()) -> some View {
        _ShapeView(shape: self, style: ForegroundStyle())
    }
    /// Draws the shape's line.
    nonisolated public func stroke<S>(_ content: S, lineWidth: CGFloat = 1) -> some View
    where S: ShapeStyle { _ShapeView(shape: self, style: content) }
    /// Draws the shape's line.
    nonisolated public func stroke<S>(_ content: S, style: StrokeStyle) -> some View
    where S: ShapeStyle { _ShapeView(shape: self, style: content) }
    /// A part of the outline, from one share of its length to another.
    nonisolated public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> some Shape {
        _ChangedShape(base: self) { path, _ in path.trimmedPath(from: startFraction, to: endFraction) }
    }
    /// The shape, moved.
    nonisolated public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some Shape {
        _ChangedShape(base: self) { path, _ in path.offsetBy(dx: x, dy: y) }
    }
    /// The shape, turned round a point of its rectangle.
    nonisolated public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape {
        _ChangedShape(base: self) { path, rect in
            let (x, y) = (rect.minX + anchor.x * rect.width, rect.minY + anchor.y * rect.height)
            return path.applying(
                CGAffineTransform(translationX: x, y: y).rotated(by: CGFloat(angle.radians))
                    .translatedBy(x: -x, y: -y))
        }
    }
    /// The shape with every point moved, turned or stretched.
    nonisolated public func transform(_ transform: CGAffineTransform) -> some Shape {
        _ChangedShape(base: self) { path, _ in path.applying(transform) }
    }
}

extension InsettableShape {
    /// Draws a line within the shape.
    nonisolated public func strokeBorder<S>(
        _ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true
    ) -> some View where S: ShapeStyle { inset(by: lineWidth / 2).stroke(content, lineWidth: lineWidth) }
    /// Draws a line within the shape.
    nonisolated public func strokeBorder<S>(
        _ content: S, style: StrokeStyle, antialiased: Bool = true
    ) -> some View where S: ShapeStyle { inset(by: style.lineWidth / 2).stroke(content, style: style) }
}

extension Shape where Self == Circle {
    /// A circle.
    public static var circle: Circle { .init() }
}

extension Shape where Self == Rectangle {
    /// A rectangle.
    public static var rect: Rectangle { .init() }
}

extension Shape where Self == Ellipse {
    /// An ellipse.
    public static var ellipse: Ellipse { .init() }
}

extension Shape where Self == Capsule {
    /// A rectangle with round ends.
    public static var capsule: Capsule { .init() }
}

extension Shape where Self == RoundedRectangle {
    /// A rectangle with round corners.
    public static func rect(
        cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous
    ) -> RoundedRectangle { .init(cornerRadius: cornerRadius, style: style) }
}

extension View {
    /// Cuts the view to a shape.
    nonisolated public func clipShape<S>(_ shape: S, style: FillStyle = FillStyle()) -> some View
    where S: Shape { self }
    /// Says where the view can be touched.
    nonisolated public func contentShape<S>(_ shape: S, eoFill: Bool = false) -> some View
    where S: Shape { self }
}

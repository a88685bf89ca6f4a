// SPDX-License-Identifier: Apache-2.0

/// A shape, which is not drawn.
public protocol Shape: View, Sendable {}

/// A circle.
public struct Circle: Sendable {
    /// A circle.
    public init() {}
}

extension Circle: Shape {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Circle: Evaluated {
    func nodes(_ place: Place) -> [Node] { [] }
}

/// A rectangle.
public struct Rectangle: Sendable {
    /// A rectangle.
    public init() {}
}

extension Rectangle: Shape {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Rectangle: Evaluated {
    func nodes(_ place: Place) -> [Node] { [] }
}

/// An ellipse.
public struct Ellipse: Sendable {
    /// An ellipse.
    public init() {}
}

extension Ellipse: Shape {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Ellipse: Evaluated {
    func nodes(_ place: Place) -> [Node] { [] }
}

/// A rectangle with round ends.
public struct Capsule: Sendable {
    /// A rectangle with round ends.
    public init(style: RoundedCornerStyle = .continuous) {}
}

extension Capsule: Shape {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Capsule: Evaluated {
    func nodes(_ place: Place) -> [Node] { [] }
}

/// A rectangle with round corners.
public struct RoundedRectangle: Sendable {
    /// A rectangle with round corners.
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {}
}

extension RoundedRectangle: Shape {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension RoundedRectangle: Evaluated {
    func nodes(_ place: Place) -> [Node] { [] }
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
    where S: ShapeStyle { self }
    /// Draws the shape's line.
    nonisolated public func stroke<S>(_ content: S, lineWidth: CGFloat = 1) -> some View
    where S: ShapeStyle { self }
}

extension View {
    /// Cuts the view to a shape.
    nonisolated public func clipShape<S>(_ shape: S, style: FillStyle = FillStyle()) -> some View
    where S: Shape { self }
    /// Says where the view can be touched.
    nonisolated public func contentShape<S>(_ shape: S, eoFill: Bool = false) -> some View
    where S: Shape { self }
}

// SPDX-License-Identifier: Apache-2.0

/// Colours that go over into each other.
public struct Gradient: ShapeStyle, Hashable {
    /// A colour at a place.
    public struct Stop: Hashable, Sendable {
        /// The colour.
        public var color: Color
        /// Where it is, from 0 to 1.
        public var location: CGFloat

        /// A colour at a place from 0 to 1.
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }

    /// How the colours between are found.
    public struct ColorSpace: Hashable, Sendable {
        /// As the screen has them.
        public static let device = ColorSpace()
        /// As people see them.
        public static let perceptual = ColorSpace()
    }

    /// The colours at their places.
    public var stops: [Gradient.Stop]

    /// Colours at places.
    public init(stops: [Gradient.Stop]) { self.stops = stops }

    /// Colours at the same distances.
    public init(colors: [Color]) {
        let last = CGFloat(max(1, colors.count - 1))
        stops = colors.enumerated().map { Stop(color: $1, location: CGFloat($0) / last) }
    }
}

/// Any gradient.
public struct AnyGradient: Hashable, ShapeStyle {
    let gradient: Gradient

    /// A gradient of colours.
    public init(_ gradient: Gradient) { self.gradient = gradient }
}

/// A gradient along a line.
public struct LinearGradient: ShapeStyle {
    let gradient: Gradient

    /// A gradient from one point to another.
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        self.gradient = gradient
    }

    /// Colours from one point to another.
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        gradient = Gradient(colors: colors)
    }

    /// Colours at places between two points.
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        gradient = Gradient(stops: stops)
    }
}

/// A gradient round a point.
public struct AngularGradient: ShapeStyle {
    let gradient: Gradient

    /// A gradient once round, from an angle.
    public init(gradient: Gradient, center: UnitPoint, angle: Angle = .zero) { self.gradient = gradient }

    /// Colours once round, from an angle.
    public init(colors: [Color], center: UnitPoint, angle: Angle) { gradient = Gradient(colors: colors) }

    /// Colours at places once round, from an angle.
    public init(stops: [Gradient.Stop], center: UnitPoint, angle: Angle) {
        gradient = Gradient(stops: stops)
    }

    /// A gradient from one angle to another.
    public init(
        gradient: Gradient, center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .zero
    ) {
        self.gradient = gradient
    }

    /// Colours from one angle to another.
    public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        gradient = Gradient(colors: colors)
    }
}

/// A gradient from a point outwards.
public struct RadialGradient: ShapeStyle {
    let gradient: Gradient

    /// A gradient from one distance to another.
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.gradient = gradient
    }

    /// Colours from one distance to another.
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        gradient = Gradient(colors: colors)
    }

    /// Colours at places from one distance to another.
    public init(stops: [Gradient.Stop], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        gradient = Gradient(stops: stops)
    }
}

extension LinearGradient: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension LinearGradient: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [] }
}

extension AngularGradient: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension AngularGradient: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [] }
}

extension RadialGradient: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension RadialGradient: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [] }
}

extension ShapeStyle where Self == LinearGradient {
    /// A gradient along a line.
    public static func linearGradient(
        _ gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint
    ) -> LinearGradient {
        LinearGradient(gradient: gradient, startPoint: startPoint, endPoint: endPoint)
    }

    /// Colours along a line.
    public static func linearGradient(
        colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint
    ) -> LinearGradient {
        LinearGradient(colors: colors, startPoint: startPoint, endPoint: endPoint)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Moves, turns and stretches points; Apple's Core Graphics has it, Linux not.
///
/// A point becomes `(a * x + c * y + tx, b * x + d * y + ty)`.
public struct CGAffineTransform: Equatable, Codable, Sendable {
    /// What of `x` becomes `x`.
    public var a: CGFloat
    /// What of `x` becomes `y`.
    public var b: CGFloat
    /// What of `y` becomes `x`.
    public var c: CGFloat
    /// What of `y` becomes `y`.
    public var d: CGFloat
    /// What is added to `x`.
    public var tx: CGFloat
    /// What is added to `y`.
    public var ty: CGFloat

    /// Leaves every point where it is.
    public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Takes every point to the origin.
    public init() { self.init(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0) }

    /// A transform by its numbers.
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    /// Moves points.
    public init(translationX tx: CGFloat, y ty: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty) }

    /// Stretches from the origin.
    public init(scaleX sx: CGFloat, y sy: CGFloat) { self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0) }

    /// Turns round the origin, by radians.
    public init(rotationAngle angle: CGFloat) {
        let (cosine, sine) = (CGFloat(cos(Double(angle))), CGFloat(sin(Double(angle))))
        self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }

    /// Whether it leaves every point where it is.
    public var isIdentity: Bool { self == .identity }

    /// This transform, and another after it.
    public func concatenating(_ t2: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a: a * t2.a + b * t2.c, b: a * t2.b + b * t2.d, c: c * t2.a + d * t2.c, d: c * t2.b + d * t2.d,
            tx: tx * t2.a + ty * t2.c + t2.tx, ty: tx * t2.b + ty * t2.d + t2.ty)
    }

    /// This transform, after points were moved.
    public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: tx, y: ty).concatenating(self)
    }

    /// This transform, after points were stretched.
    public func scaledBy(x sx: CGFloat, y sy: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: sx, y: sy).concatenating(self)
    }

    /// This transform, after points were turned, by radians.
    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }

    /// What takes points back; itself where nothing can.
    public func inverted() -> CGAffineTransform {
        let determinant = a * d - b * c
        guard determinant != 0 else { return self }
        return CGAffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }
}

extension CGPoint {
    /// The point that a transform makes of it.
    public func applying(_ t: CGAffineTransform) -> CGPoint {
        CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
    }
}

/// How the end of a line looks.
public enum CGLineCap: Int32, Sendable {
    /// It is cut.
    case butt
    /// It is round.
    case round
    /// It is cut half a width later.
    case square
}

/// How two lines meet.
public enum CGLineJoin: Int32, Sendable {
    /// With a corner.
    case miter
    /// With a round corner.
    case round
    /// With the corner cut off.
    case bevel
}

/// How a line is drawn.
public struct StrokeStyle: Equatable, Sendable {
    /// How wide it is, in points.
    public var lineWidth: CGFloat
    /// How its ends look.
    public var lineCap: CGLineCap
    /// How its parts meet.
    public var lineJoin: CGLineJoin
    /// How long a corner may be, in widths.
    public var miterLimit: CGFloat
    /// How long what is drawn and what is left out are, one after the other.
    public var dash: [CGFloat]
    /// How far in the first of these it begins.
    public var dashPhase: CGFloat

    /// A way to draw a line.
    public init(
        lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter,
        miterLimit: CGFloat = 10, dash: [CGFloat] = [], dashPhase: CGFloat = 0
    ) {
        self.lineWidth = lineWidth
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.miterLimit = miterLimit
        self.dash = dash
        self.dashPhase = dashPhase
    }
}

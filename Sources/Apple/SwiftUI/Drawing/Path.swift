// SPDX-License-Identifier: Apache-2.0

/// The outline of a shape.
public struct Path: Equatable, Sendable {
    /// A part of an outline.
    public enum Element: Equatable, Sendable {
        /// Goes somewhere without a line.
        case move(to: CGPoint)
        /// A straight line.
        case line(to: CGPoint)
        /// A curve that one point pulls at.
        case quadCurve(to: CGPoint, control: CGPoint)
        /// A curve that two points pull at.
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        /// A line to where this piece began.
        case closeSubpath
    }

    var elements: [Element] = []
    private var start = CGPoint.zero

    /// An empty outline.
    public init() {}

    /// A rectangle.
    public init(_ rect: CGRect) { addRect(rect) }

    /// A rectangle with round corners.
    public init(roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, cornerSize: cornerSize, style: style)
    }

    /// A rectangle with round corners.
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.init(
            roundedRect: rect, cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }

    /// An ellipse.
    public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }

    /// An outline that a function makes.
    public init(_ callback: (inout Path) -> Void) {
        self.init()
        callback(&self)
    }

    /// Whether there is nothing.
    public var isEmpty: Bool { elements.isEmpty }

    /// Where the outline is now.
    public var currentPoint: CGPoint? {
        guard let last = elements.last else { return nil }
        return last.end ?? start
    }

    /// Does something with each part.
    public func forEach(_ body: (Path.Element) -> Void) { elements.forEach(body) }

    /// Goes somewhere without a line.
    public mutating func move(to end: CGPoint) {
        start = end
        elements.append(.move(to: end))
    }

    /// Adds a straight line.
    public mutating func addLine(to end: CGPoint) { elements.append(.line(to: end)) }

    /// Adds a curve that one point pulls at.
    public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) {
        elements.append(.quadCurve(to: end, control: control))
    }

    /// Adds a curve that two points pull at.
    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        elements.append(.curve(to: end, control1: control1, control2: control2))
    }

    /// Adds a line to where this piece began.
    public mutating func closeSubpath() { elements.append(.closeSubpath) }

    /// Adds straight lines from point to point.
    public mutating func addLines(_ lines: [CGPoint]) {
        guard let first = lines.first else { return }
        move(to: first)
        for point in lines.dropFirst() { addLine(to: point) }
    }

    /// Adds a rectangle.
    public mutating func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
        var path = Path()
        path.addLines([
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ])
        path.closeSubpath()
        addPath(path, transform: transform)
    }

    /// Adds rectangles.
    public mutating func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }

    /// Adds an ellipse.
    public mutating func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        var path = Path()
        path.addRelativeArc(center: .zero, radius: 1, startAngle: .zero, delta: .degrees(360))
        path.closeSubpath()
        let place = CGAffineTransform(translationX: rect.midX, y: rect.midY)
            .scaledBy(x: rect.width / 2, y: rect.height / 2)
        addPath(path, transform: place.concatenating(transform))
    }

    /// Adds a rectangle with round corners.
    public mutating func addRoundedRect(
        in rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous,
        transform: CGAffineTransform = .identity
    ) {
        let width = min(cornerSize.width, rect.width / 2)
        let height = min(cornerSize.height, rect.height / 2)
        guard width > 0, height > 0 else { return addRect(rect, transform: transform) }
        var path = Path()
        let corners = [
            (rect.maxX - width, rect.maxY - height), (rect.minX + width, rect.maxY - height),
            (rect.minX + width, rect.minY + height), (rect.maxX - width, rect.minY + height),
        ]
        for (index, (x, y)) in corners.enumerated() {
            var corner = Path()
            corner.addRelativeArc(
                center: .zero, radius: 1, startAngle: .degrees(Double(index) * 90), delta: .degrees(90))
            let place = CGAffineTransform(translationX: x, y: y).scaledBy(x: width, y: height)
            path.join(corner.applying(place))
        }
        path.closeSubpath()
        addPath(path, transform: transform)
    }

    /// Adds a part of a circle, of so much of a turn.
    public mutating func addRelativeArc(
        center: CGPoint, radius: CGFloat, startAngle: Angle, delta: Angle,
        transform: CGAffineTransform = .identity
    ) {
        let count = max(1, Int((abs(delta.degrees) / 90).rounded(.up)))
        let step = delta.radians / Double(count)
        // The points that pull at a quarter of a circle, or at less of it.
        let pull = 4.0 / 3 * tan(step / 4)
        func point(_ angle: Double, _ tangent: Double) -> CGPoint {
            CGPoint(
                x: center.x + radius * CGFloat(cos(angle) - tangent * sin(angle)),
                y: center.y + radius * CGFloat(sin(angle) + tangent * cos(angle)))
        }
        var path = Path()
        path.move(to: point(startAngle.radians, 0))
        for index in 0..<count {
            let from = startAngle.radians + Double(index) * step
            path.addCurve(
                to: point(from + step, 0), control1: point(from, pull), control2: point(from + step, -pull))
        }
        join(path.applying(transform))
    }

    /// Adds a part of a circle, from one angle to another.
    public mutating func addArc(
        center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) {
        // As Apple has it, `clockwise` is meant with `y` upwards, and `y` goes down.
        var delta = (endAngle.radians - startAngle.radians).truncatingRemainder(dividingBy: 2 * .pi)
        let isWhole = abs(endAngle.radians - startAngle.radians) >= 2 * .pi
        if clockwise, delta > 0 || isWhole && delta == 0 { delta -= 2 * .pi }
        if !clockwise, delta < 0 || isWhole && delta == 0 { delta += 2 * .pi }
        addRelativeArc(
            center: center, radius: radius, startAngle: startAngle, delta: .radians(delta),
            transform: transform)
    }

    /// Adds another outline.
    public mutating func addPath(_ path: Path, transform: CGAffineTransform = .identity) {
        let moved = path.applying(transform)
        elements += moved.elements
        start = moved.start
    }

    /// Adds another outline, with a line to where it begins.
    private mutating func join(_ path: Path) {
        if isEmpty { return addPath(path) }
        guard case .move(let first)? = path.elements.first else { return }
        if currentPoint != first { addLine(to: first) }
        elements += path.elements.dropFirst()
    }

    /// The outline that a transform makes of it.
    public func applying(_ transform: CGAffineTransform) -> Path {
        guard transform != .identity else { return self }
        var path = Path()
        path.start = start.applying(transform)
        path.elements = elements.map { $0.applying(transform) }
        return path
    }

    /// The outline, moved.
    public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path {
        applying(CGAffineTransform(translationX: dx, y: dy))
    }
}

extension Path.Element {
    /// Where it ends, unless that is where the piece began.
    var end: CGPoint? {
        switch self {
        case .move(let to), .line(let to), .quadCurve(let to, _), .curve(let to, _, _): to
        case .closeSubpath: nil
        }
    }

    func applying(_ t: CGAffineTransform) -> Path.Element {
        switch self {
        case .move(let to): .move(to: to.applying(t))
        case .line(let to): .line(to: to.applying(t))
        case .quadCurve(let to, let control):
            .quadCurve(to: to.applying(t), control: control.applying(t))
        case .curve(let to, let control1, let control2):
            .curve(to: to.applying(t), control1: control1.applying(t), control2: control2.applying(t))
        case .closeSubpath: .closeSubpath
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

extension Path {
    /// The pieces as points from which straight lines go; curves as sixteen of them.
    var polygons: [(points: [CGPoint], isClosed: Bool)] {
        var pieces: [(points: [CGPoint], isClosed: Bool)] = []
        func curve(_ end: CGPoint, _ weights: (CGFloat) -> [(CGFloat, CGPoint)]) {
            for step in 1...16 {
                let time = CGFloat(step) / 16
                let parts = weights(time)
                let x = parts.reduce(0) { $0 + $1.0 * $1.1.x }
                let y = parts.reduce(0) { $0 + $1.0 * $1.1.y }
                pieces[pieces.count - 1].points.append(step == 16 ? end : CGPoint(x: x, y: y))
            }
        }
        for element in elements {
            if case .move(let to) = element {
                pieces.append(([to], false))
                continue
            }
            if pieces.isEmpty { pieces.append(([.zero], false)) }
            if pieces[pieces.count - 1].isClosed, let first = pieces[pieces.count - 1].points.first {
                pieces.append(([first], false))
            }
            let last = pieces[pieces.count - 1].points.last ?? .zero
            switch element {
            case .move: break
            case .line(let to): pieces[pieces.count - 1].points.append(to)
            case .quadCurve(let to, let control):
                curve(to) { t in [((1 - t) * (1 - t), last), (2 * t * (1 - t), control), (t * t, to)] }
            case .curve(let to, let one, let two):
                curve(to) { t in
                    let rest = 1 - t
                    return [
                        (rest * rest * rest, last), (3 * t * rest * rest, one), (3 * t * t * rest, two),
                        (t * t * t, to),
                    ]
                }
            case .closeSubpath: pieces[pieces.count - 1].isClosed = true
            }
        }
        return pieces
    }

    /// The smallest rectangle around it.
    public var boundingRect: CGRect {
        let points = polygons.flatMap(\.points)
        guard let first = points.first else { return .null }
        var (low, high) = (first, first)
        for point in points {
            low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
            high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// Whether a point is within; where the outline crosses itself, by the rule of winding or of even and odd.
    public func contains(_ p: CGPoint, eoFill: Bool = false) -> Bool {
        var winding = 0
        var crossings = 0
        for (points, _) in polygons {
            for (index, from) in points.enumerated() {
                let to = points[(index + 1) % points.count]
                guard (from.y <= p.y) != (to.y <= p.y) else { continue }
                let x = from.x + (p.y - from.y) / (to.y - from.y) * (to.x - from.x)
                guard x > p.x else { continue }
                crossings += 1
                winding += to.y > from.y ? 1 : -1
            }
        }
        return eoFill ? !crossings.isMultiple(of: 2) : winding != 0
    }

    /// A part of the outline, from one share of its length to another; in straight lines.
    public func trimmedPath(from: CGFloat, to: CGFloat) -> Path {
        let lines = polygons.flatMap { piece -> [(CGPoint, CGPoint)] in
            let points = piece.isClosed ? piece.points + piece.points.prefix(1) : piece.points
            return Array(zip(points, points.dropFirst()))
        }
        func length(_ line: (CGPoint, CGPoint)) -> CGFloat {
            CGFloat(hypot(Double(line.1.x - line.0.x), Double(line.1.y - line.0.y)))
        }
        let total = lines.reduce(0) { $0 + length($1) }
        var path = Path()
        var gone: CGFloat = 0
        for line in lines {
            let size = length(line)
            defer { gone += size }
            guard size > 0 else { continue }
            let first = max(0, (from * total - gone) / size)
            let last = min(1, (to * total - gone) / size)
            guard first < last else { continue }
            func point(_ share: CGFloat) -> CGPoint {
                CGPoint(
                    x: line.0.x + share * (line.1.x - line.0.x), y: line.0.y + share * (line.1.y - line.0.y))
            }
            if path.currentPoint != point(first) { path.move(to: point(first)) }
            path.addLine(to: point(last))
        }
        return path
    }
}

extension Path: CustomStringConvertible {
    /// The parts, each with its points and a letter.
    public var description: String {
        func text(_ points: CGPoint...) -> String {
            points.map { String(format: "%g %g", Double($0.x), Double($0.y)) }.joined(separator: " ")
        }
        return elements.map { element in
            switch element {
            case .move(let to): text(to) + " m"
            case .line(let to): text(to) + " l"
            case .quadCurve(let to, let control): text(control, to) + " q"
            case .curve(let to, let control1, let control2): text(control1, control2, to) + " c"
            case .closeSubpath: "h"
            }
        }.joined(separator: " ")
    }
}

extension Path: Shape {
    /// Itself, wherever it is to be.
    public func path(in rect: CGRect) -> Path { self }
}

// SPDX-License-Identifier: Apache-2.0

public import FlockFinder

/// The track of a GPX file, all its segments one after the other.
///
/// Its points need times; those without are left out. Speed and course are read where a recorder has added them, as GPX 1.0
/// has them or as an extension. Source: the schemas of GPX 1.0 and 1.1, topografix.com.
public struct GPXTrack: Hashable, Sendable {
    /// Its points with a time, in the order of the file; at least one.
    public let fixes: [Fix]

    /// Reads a file.
    ///
    /// - Parameter octets: The file, in UTF-8 or an encoding that has ASCII in it.
    /// - Throws: ``BadInput``, a phrase that says what is wrong with it.
    public init(_ octets: [UInt8]) throws(BadInput) {
        var pieces = XMLPieces(octets)
        var fixes: [Fix] = []
        var point: Point?
        var pointCount = 0
        var text: String?
        var isRoot = true
        do throws(BadInput) {
            while let piece = try pieces.next() {
                switch piece {
                case .start(let name, let attributes):
                    guard !isRoot || name == "gpx" else { throw BadInput("it is no GPX") }
                    isRoot = false
                    text = nil
                    guard name == "trkpt" else { continue }
                    pointCount += 1
                    point = try Point(attributes)
                case .text(let part):
                    // The longest that says something here is a time.
                    guard point != nil, (text?.utf8.count ?? 0) < Self.longestText else { continue }
                    text = (text ?? "") + part.prefix(Self.longestText)
                case .end("trkpt"):
                    if let fix = point?.fix { fixes.append(fix) }
                    point = nil
                case .end(let name):
                    if let text { point?.take(name, text.trimmed) }
                    text = nil
                }
            }
        } catch {
            throw BadInput("line \(pieces.line): \(error.description)")
        }
        guard !isRoot else { throw BadInput("it is empty") }
        guard !fixes.isEmpty else {
            throw BadInput(pointCount == 0 ? "it has no track" : "its points have no times")
        }
        self.fixes = fixes
    }

    /// Characters of a text that are looked at.
    private static let longestText = 200

    private struct Point {
        let latitude: Double
        let longitude: Double
        var time: Timestamp?
        var altitude: Double?
        var speed: Double?
        var course: Double?

        init(_ attributes: [String: String]) throws(BadInput) {
            guard let latitude = attributes["lat"].flatMap({ Double(decimal: $0.utf8) }),
                let longitude = attributes["lon"].flatMap({ Double(decimal: $0.utf8) })
            else { throw BadInput("a point has no latitude or no longitude") }
            (self.latitude, self.longitude) = (latitude, longitude)
        }

        mutating func take(_ name: String, _ text: String) {
            switch name {
            case "time": time = Timestamp(text)
            case "ele": altitude = Double(decimal: text.utf8)
            case "speed": speed = Double(decimal: text.utf8)
            case "course": course = Double(decimal: text.utf8)
            default: break
            }
        }

        var fix: Fix? {
            time.map {
                Fix(
                    time: $0.milliseconds, latitude: latitude, longitude: longitude, altitude: altitude,
                    speed: speed, course: course, source: .track)
            }
        }
    }
}

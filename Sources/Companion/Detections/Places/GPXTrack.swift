// SPDX-License-Identifier: Apache-2.0

public import Companion

/// The track of a GPX file, all its segments one after the other.
///
/// Its points need times and places; those without are left out, and so are those at 0,0. Speed and course are read where a recorder has added them, as GPX 1.0
/// has them or as an extension. Source: the schemas of GPX 1.0 and 1.1, topografix.com.
public struct GPXTrack: Hashable, Sendable {
    /// Its points with a time, in the order of the file; at least one.
    public let fixes: [Fix]

    /// Reads a file.
    ///
    /// - Parameter octets: The file, in UTF-8 or an encoding that has ASCII in it.
    /// - Throws: ``BadInput``, a phrase that says what is wrong with it.
    public init(_ octets: [UInt8]) throws(BadInput) {
        if let reason = ForeignFile.binary(Array(octets.prefix(ForeignFile.headLength))) {
            throw BadInput(reason)
        }
        if let reason = ForeignFile.unplayable(octets) { throw BadInput(reason) }
        var pieces = XMLPieces(octets)
        var fixes: [Fix] = []
        var point: Point?
        var size: Size?
        var (pointCount, placed, hasRoute) = (0, 0, false)
        var unread: String?
        var text: String?
        var isRoot = true
        do throws(BadInput) {
            while let piece = try pieces.next() {
                switch piece {
                case .start(let name, let attributes):
                    guard !isRoot || name == "gpx" else {
                        throw BadInput(ForeignFile.xml(name, for: .track))
                    }
                    isRoot = false
                    text = nil
                    hasRoute = hasRoute || name == "rte"
                    guard name == "trkpt" else { continue }
                    pointCount += 1
                    size = Size()
                    point = Point(attributes)
                    if point != nil { placed += 1 }
                case .text(let part):
                    try size?.add(part.utf8.count)
                    // The longest that says something here is a time.
                    guard point != nil, (text?.utf8.count ?? 0) < Self.longestText else { continue }
                    text = (text ?? "") + part.prefix(Self.longestText)
                case .end("trkpt"):
                    if let fix = point?.fix { fixes.append(fix) }
                    unread = unread ?? point?.unread
                    point = nil
                    size = nil
                case .end(let name):
                    try size?.add(name.utf8.count, of: name)
                    if let text { point?.take(name, text.trimmed) }
                    text = nil
                }
            }
        } catch {
            throw BadInput("line \(pieces.line): \(error.description)")
        }
        guard !isRoot else { throw BadInput(octets.isEmpty ? "it is empty" : ForeignFile.noXML(for: .track)) }
        guard !fixes.isEmpty else {
            if pointCount == 0 {
                throw BadInput(
                    hasRoute
                        ? "it has a route and no track; a route is a plan, whose points have no times"
                        : "it has no track")
            }
            guard placed > 0 else { throw BadInput("its points have no places") }
            guard let unread else { throw BadInput("its points have no times") }
            throw BadInput("its points have times that cannot be read, such as \"\(unread.shortened)\"")
        }
        self.fixes = fixes
    }

    /// Characters of a text that are looked at.
    private static let longestText = 200

    /// What was read of a point, which has no more than one that is imported, though little of it is kept.
    private struct Size {
        private var octets = 0
        private var names: Set<String> = []

        /// Counts octets, and the value that they belong to.
        mutating func add(_ count: Int, of name: String? = nil) throws(BadInput) {
            octets += count
            if let name { names.insert(name) }
            guard octets <= GPXRows.limit.octets else {
                throw BadInput("a point has more than \(GPXRows.limit.octets) octets")
            }
            guard names.count <= GPXRows.limit.cells else {
                throw BadInput("a point has more than \(GPXRows.limit.cells) values")
            }
        }
    }

    private struct Point {
        let position: Position
        var time: Timestamp?
        /// A time that cannot be read.
        var unread: String?
        var altitude: Double?
        var speed: Double?
        var course: Double?

        /// Nothing comes of a point that is nowhere.
        init?(_ attributes: [String: String]) {
            guard let latitude = attributes["lat"].flatMap({ Double(decimal: $0.utf8) }),
                let longitude = attributes["lon"].flatMap({ Double(decimal: $0.utf8) }),
                let position = Position(told: latitude, longitude)
            else { return nil }
            self.position = position
        }

        mutating func take(_ name: String, _ text: String) {
            switch name {
            case "time":
                time = FileValue.moment(text)
                if time == nil, !text.isEmpty { unread = text }
            case "ele": altitude = Double(decimal: text.utf8)
            case "speed": speed = Double(decimal: text.utf8)
            case "course": course = Double(decimal: text.utf8)
            default: break
            }
        }

        var fix: Fix? {
            time.map {
                Fix(
                    time: $0.milliseconds, latitude: position.latitude, longitude: position.longitude,
                    altitude: altitude, speed: speed, course: course, source: .track)
            }
        }
    }
}

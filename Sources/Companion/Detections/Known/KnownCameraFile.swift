// SPDX-License-Identifier: Apache-2.0

import Companion

/// Reads cameras out of what others have mapped: OpenStreetMap, or a list made of it such as DeFlock's.
///
/// | it begins with | and is taken for |
/// |---|---|
/// | `<` | OSM XML, of which nodes, ways and relations are read |
/// | `{` with `features`, or one feature after the other | GeoJSON |
/// | `{` with `elements` | JSON of Overpass |
/// | `[` | a region of DeFlock: `id`, `lat`, `lon`, `tags` |
///
/// What is more than a point stands in the middle of its points. A camera has the tag `man_made` = `surveillance`, in its
/// properties or in `tags` within them; in DeFlock's own lists everything is one.
///
/// Source: <https://wiki.openstreetmap.org/wiki/Tag:man_made%3Dsurveillance>.
public struct KnownCameraFile: Sendable {
    /// The most cameras that a set has.
    public static let limit = 250_000
    /// The most octets that all that is said of them has, beyond their places.
    static let mostOctets = 32 << 20

    private enum Form: Sendable {
        case unknown
        case json(JSONSplitter)
        case osm(OSMElements)
        case over

        var isUnknown: Bool { if case .unknown = self { true } else { false } }
    }

    /// The cameras so far.
    public private(set) var cameras: [ListedCamera] = []
    /// Entries that are right and are no cameras, or that come a second time.
    public private(set) var passed = 0
    /// The entries that cannot be used.
    public var refused: Int { refusals.rows }
    /// Why, each kind once.
    public var faults: [ImportFaults.Kind] { refusals.kinds }
    /// Why the file cannot be read.
    public private(set) var broken: ImportError?
    /// Who has made the file, as it says; empty when it does not.
    public private(set) var origin = ""
    /// Which version it is, as it says; empty when it does not.
    public private(set) var version = ""

    private var refusals = ImportFaults()
    /// What Overpass remarks of its answer; empty when it does not.
    private var remark = ""
    /// Whether it has what answers of Overpass have: a list of elements, or in XML a remark.
    private var isAnswer = false
    /// Whether its end is missing, and what comes before is used all the same.
    private var isCut = false
    private var form = Form.unknown
    /// The first octets, until they tell what it is.
    private var head: [UInt8] = []
    private var gathering = OSMGathering()
    /// What was said of each that is named.
    private var references: [String: Int] = [:]
    /// What was said of the last one without a number, and how many like it follow each other.
    private var twins = (name: "", count: 0)
    private var octets = 0
    /// Whether a feature was read, so that what is none is only a stray entry.
    private var hasFeatures = false
    private var passedMark = 0
    private var line = 1

    /// Begins a file.
    public init() {}

    /// Takes the next part of the file.
    ///
    /// - Parameter octets: The part; some 64 KB are right.
    public mutating func receive(_ octets: [UInt8]) {
        guard form.isUnknown, head.count < ForeignFile.headLength else { return read(octets) }
        head += octets
        if head.count >= ForeignFile.headLength { readHead() }
    }

    /// Says what the file is, if its first octets do, else reads them.
    private mutating func readHead() {
        let octets = head
        head = [UInt8](repeating: 0, count: ForeignFile.headLength)
        if let reason = ForeignFile.binary(octets) {
            form = .over
            broken = ImportError(line, reason)
        }
        read(octets)
    }

    private mutating func read(_ octets: [UInt8]) {
        var rest = octets[...]
        while form.isUnknown, let octet = rest.first { begin(octet, &rest) }
        do throws(ImportError) {
            switch form {
            case .unknown, .over: break
            case .json(var splitter):
                form = .over
                for octet in rest {
                    if let row = try splitter.receive(octet) { try take(row, of: splitter) }
                }
                form = .json(splitter)
            case .osm(var elements):
                form = .over
                elements.receive(Array(rest))
                try read(&elements)
                form = .osm(elements)
            }
        } catch {
            form = .over
            broken = error
        }
    }

    /// Takes the end of the file.
    public mutating func finish() {
        if form.isUnknown, head.count < ForeignFile.headLength { readHead() }
        do throws(ImportError) {
            switch form {
            case .unknown: throw ImportError(line, "the file is empty")
            case .over: break
            case .json(var splitter):
                if !splitter.isOpen, let row = splitter.takeStray() { try take(row, of: splitter) }
                origin = splitter.texts["generator"] ?? ""
                version = splitter.texts["timestamp"] ?? ""
                remark = splitter.texts["remark"] ?? ""
                do throws(ImportError) { try splitter.finish() } catch {
                    try accept(error, isCut: splitter.isOpen)
                }
                while let element = gathering.nextWaiting() { try take(element) }
            case .osm(var elements):
                elements.finish()
                do throws(ImportError) { try read(&elements) } catch {
                    origin = elements.origin
                    try accept(error, isCut: elements.isCut)
                    while let element = elements.nextWaiting() { try take(element) }
                }
                if elements.isEmpty { throw ImportError(line, ForeignFile.noXML(for: .cameras)) }
                (origin, version, remark) = (elements.origin, elements.version, elements.remark)
                isAnswer = !remark.isEmpty
            }
        } catch {
            broken = error
        }
        form = .over
    }

    /// Takes the end of an answer of Overpass that is cut and has cameras: what there is is used.
    ///
    /// - Throws: The fault, where it is anything else.
    private mutating func accept(_ fault: ImportError, isCut: Bool) throws(ImportError) {
        guard isCut, isOfOverpass, !cameras.isEmpty else { throw fault }
        self.isCut = true
    }

    private var isOfOverpass: Bool { isAnswer || origin.lowercased().hasPrefix("overpass") }

    /// What Overpass remarks, without a full stop.
    private var remarked: Substring {
        let words = remark.trimmed
        return words.hasSuffix(".") ? words.dropLast() : words[...]
    }

    /// That Overpass has not given all, where cameras came of what it has given, as a sentence.
    public var note: String? {
        // It remarks how it has gone on, too.
        let isFailure = isOfOverpass && !remarked.isEmpty && !remarked.hasPrefix("runtime remark")
        guard !cameras.isEmpty, isFailure || isCut else { return nil }
        let reason = isFailure ? remarked : "it ends too early"
        return "The answer of Overpass is incomplete: \(PrintableText.escaped(reason)). "
            + "Ask it again for a smaller area."
    }

    /// Why no camera came of it, when it could be read, as a phrase.
    public var emptiness: String? {
        guard cameras.isEmpty else { return nil }
        guard let fault = faults.first?.fault else {
            guard remark.isEmpty else {
                return "has no camera, for Overpass gave up: \(PrintableText.escaped(remarked.shortened)); "
                    + "ask it for a smaller part of the map, or with a longer timeout"
            }
            return "has no camera: nothing in it has the tag man_made=surveillance"
        }
        let what =
            refused == 1 ? "a camera that cannot be used" : "\(refused) cameras, of which none can be used"
        return "has \(what): line \(fault.line), \(fault.reason)"
    }

    private mutating func begin(_ octet: UInt8, _ rest: inout ArraySlice<UInt8>) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        switch octet {
        case _ where passedMark < 3 && octet == mark[passedMark]:
            passedMark += 1
            rest.removeFirst()
        case 0x20, 0x09, 0x0A, 0x0D:
            if octet == 0x0A { line += 1 }
            rest.removeFirst()
        case UInt8(ascii: "<"): form = .osm(OSMElements())
        case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E: form = .json(JSONSplitter(line: line, .cameras))
        default:
            form = .over
            broken = ImportError(line, ForeignFile.table)
        }
    }

    private mutating func read(_ elements: inout OSMElements) throws(ImportError) {
        while let element = try elements.next() { try take(element) }
    }

    private mutating func take(_ element: OSMElement) throws(ImportError) {
        try use(element.line) { () throws(ImportError) in try ListedCamera(element) }
    }

    private mutating func take(_ row: JSONSplitter.Row, of splitter: JSONSplitter) throws(ImportError) {
        if row.list == "elements" { isAnswer = true }
        if let fault = row.fault { return refusals.add(fault) }
        let node: JSONNode
        do throws(JSONDecodingError) {
            node = try JSONReader.read(row.octets, line: row.line, column: row.column)
        } catch {
            return refusals.add(ImportError(error.line, column: error.column, error.reason))
        }
        let has = { (key: String) in ((try? node.member(key)) ?? nil) != nil }
        if row.list == "elements" || row.list != "features" && isElement(node, isListed: row.list == "[]") {
            var element: OSMElement?
            do throws(ImportError) {
                element = try gathering.take(element: node, isListed: row.list == "[]")
            } catch {
                return refusals.add(error)
            }
            if let element { try take(element) }
            return
        }
        // Neither a feature nor a list of them.
        if row.list.isEmpty, !has("geometry"), !has("properties") {
            guard hasFeatures else { throw splitter.missing }
            let reason = "it has neither \"geometry\" nor \"properties\", as a feature has; take it out"
            return refusals.add(ImportError(row.line, column: row.column, reason))
        }
        hasFeatures = true
        try use(row.line) { () throws(ImportError) in
            do throws(JSONDecodingError) { return try ListedCamera(feature: node) } catch {
                throw ImportError(error.line, column: error.column, error.reason)
            }
        }
    }

    /// Whether an object is one of OpenStreetMap rather than a feature, also where it does not say its place.
    private func isElement(_ node: JSONNode, isListed: Bool) -> Bool {
        let names = { (key: String) in node.value(of: key) != nil }
        if case .object? = node.value(of: "geometry") { return false }
        if names("lat") || names("lon") { return true }
        return isListed && names("tags") && !names("geometry") && !names("properties")
    }

    private mutating func use(
        _ line: Int, _ camera: () throws(ImportError) -> ListedCamera?
    ) throws(ImportError) {
        let found: ListedCamera?
        do throws(ImportError) {
            found = try camera()
        } catch {
            return refusals.add(error)
        }
        guard var found, isNew(&found) else {
            passed += 1
            return
        }
        guard cameras.count < Self.limit else {
            throw ImportError(line, "it has more than \(Self.limit) cameras")
        }
        octets += found.reference.utf8.count + found.name.utf8.count + found.tags.utf8.count
        guard octets <= Self.mostOctets else {
            throw ImportError(
                line, "its cameras have more than \(Self.mostOctets) octets of names and tags")
        }
        cameras.append(found)
    }

    /// Whether a camera was not there yet; gives one without a number what names it: its place.
    ///
    /// Two at one pole are two, also where the same is said of both, if the one follows the other: that is how the cameras of a
    /// pole are written down. What comes again later is there because files were joined.
    private mutating func isNew(_ camera: inout ListedCamera) -> Bool {
        guard camera.reference.isEmpty else {
            twins.count = 0
            return references.updateValue(1, forKey: camera.reference) == nil
        }
        let place = "\(camera.position.latitude),\(camera.position.longitude)"
        let twin = place + camera.tags
        twins = (twin, twins.name == twin ? twins.count + 1 : 1)
        guard twins.count > references[twin, default: 0] else { return false }
        references[twin] = twins.count
        let number = references[place, default: 0] + 1
        references[place] = number
        camera.reference = number == 1 ? place : "\(place) (\(number))"
        return true
    }
}

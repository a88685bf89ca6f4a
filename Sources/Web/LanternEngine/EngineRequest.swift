// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections

/// What a page asks of the engine: a request of the hub's interface as one JSON object.
///
/// ```
/// {"id":7,"method":"GET","path":"/detections","filter":{"limit":50},"body":{…},"if_match":"*"}
/// ```
struct EngineRequest {
    /// The number under which it is answered.
    let id: Int64
    let method: String
    /// Its path, and the parts of it.
    let address: String
    let path: [String]
    /// What a hub would find behind the question mark.
    var filter: JSONNode.Value
    let body: JSONNode?
    /// What of the settings or a source was seen; `nil` when nobody says so, or for whatever it is.
    let revision: Int64?
    /// The same as it was said.
    let tag: String?
    /// Whether a file is wanted, with its name.
    let isForFile: Bool

    /// Reads a request.
    ///
    /// - Throws: ``JSONDecodingError``.
    init(_ octets: [UInt8]) throws(JSONDecodingError) {
        let node = try JSONReader.read(octets)
        guard case .number(let number) = try node.needed("id").value, let id = Int64(exactly: number) else {
            throw node.fault("\"id\" must be a whole number")
        }
        self.id = id
        method = try node.needed("method").text("The method")
        address = try node.needed("path").text("The path")
        path = address.split(separator: "/").map { String($0) }
        filter = try node.member("filter")?.value ?? .object([])
        body = try node.member("body")
        tag = try node.member("if_match")?.text("What was seen")
        revision = tag.flatMap { Int64(String($0.filter { $0 != "\"" })) }
        isForFile = try node.member("file")?.flag("\"file\"") ?? false
    }

    /// What would stand behind the question mark, as an address has it.
    ///
    /// - Parameter parameters: What is declared; of some, one text has several numbers.
    /// - Returns: The texts by their names.
    func query(_ parameters: [Parameter]) -> [(name: String, value: String)] {
        guard case .object(let members) = filter else { return [] }
        var pairs: [(name: String, value: String)] = []
        for member in members {
            var texts = Self.texts(of: member.node)
            if parameters.contains(where: { $0.name == member.key && $0.parts != nil }) {
                texts = [texts.joined(separator: ",")]
            }
            for text in texts where !text.isEmpty { pairs.append((member.key, text)) }
        }
        return pairs
    }

    private static func texts(of node: JSONNode) -> [String] {
        switch node.value {
        case .text(let text): [text]
        case .number(let number): [Int(exactly: number).map { "\($0)" } ?? number.description]
        case .bool(let flag): [flag ? "true" : "false"]
        case .array(let parts): parts.flatMap { texts(of: $0) }
        case .object, .null: []
        }
    }

    /// A value of the body; `nil` when it is missing or there is no body.
    func member(_ key: String) -> JSONNode.Value? {
        body?.value(of: key)
    }

    /// A text of the body.
    func text(_ key: String) -> String? {
        if case .text(let text)? = member(key) { text } else { nil }
    }

    /// Whether a file begins with what the body has.
    var isFirst: Bool {
        if case .bool(true)? = member("first") { true } else { false }
    }

    /// Octets of the body, which a page sends as a text of as many characters.
    func octets(_ key: String) -> [UInt8]? {
        guard let text = text(key) else { return nil }
        var octets: [UInt8] = []
        octets.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard let octet = UInt8(exactly: scalar.value) else { return nil }
            octets.append(octet)
        }
        return octets
    }

    /// A value behind the question mark.
    func filterValue(_ key: String) -> JSONNode.Value? {
        guard case .object(let members) = filter else { return nil }
        return members.last { $0.key == key }?.node.value
    }

    /// A text behind the question mark.
    func filterText(_ key: String) -> String? {
        if case .text(let text)? = filterValue(key) { text } else { nil }
    }

    /// A number behind the question mark.
    func number(_ key: String) -> Double? {
        if case .number(let number)? = filterValue(key) { number } else { nil }
    }

    /// A whole number behind the question mark.
    func integer(_ key: String) -> Int? {
        switch filterValue(key) {
        case .number(let number): Int(exactly: number)
        case .text(let text): Int(text)
        default: nil
        }
    }

    /// A part of the map behind the question mark; `nil` when it is missing, or not on the globe.
    var box: MapBox? {
        guard let box = DetectionFilter(filter, at: Timestamp(milliseconds: 0)).box,
            Position(latitude: box.south, longitude: box.west) != nil,
            Position(latitude: box.north, longitude: box.east) != nil
        else { return nil }
        return box
    }

    /// Numbers in a list of the body.
    func numbers(_ key: String) -> [Int64]? {
        guard case .array(let nodes)? = member(key) else { return nil }
        return nodes.compactMap { node in
            if case .number(let number) = node.value { Int64(exactly: number) } else { nil }
        }
    }
}

/// What the engine refuses by itself.
extension RequestError {
    static let noDevice = RequestError(HubError.noDevice)
    static let noDetection = RequestError(404, "There is no such detection. It may have been deleted.")
    static let noSource = RequestError(HubError.noSource)
    static let noDrive = RequestError(404, "There is no such drive. It may have been deleted.")
    static let changedMeanwhile = RequestError(HubError.changedMeanwhile)
    static let misread = RequestError(422, "Something is missing that this needs. Load the page again.")
    static let needsHub = RequestError(
        501, "This needs a hub: here no hub runs, only what fits into a page.")
}

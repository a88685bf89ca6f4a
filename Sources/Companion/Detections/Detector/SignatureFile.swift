// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
public import FlockFinder

/// A table of signatures as a file of JSON: all of it is right, or none of it is used.
///
/// ```
/// {"name": "mine", "version": "3", "threshold": 0.3, "signatures": [
///   {"name": "FS Ext Battery", "type": "flock_safety", "weight": 0.85, "version": "1", "source": "own list"},
///   {"maker": "004c", "weight": -0.8}]}
/// ```
///
/// Each signature has one of `name`, `service`, `maker` and `prefix`. What `lantern flock signatures --json` prints is such
/// a file.
public enum SignatureFile {
    /// The most octets that a file may have.
    public static let limit = 1 << 20

    private static let marks = ["name", "service", "maker", "prefix"]

    /// Reads a table.
    ///
    /// - Parameter octets: The file.
    /// - Returns: The table.
    /// - Throws: ``JSONDecodingError`` with the place, the signature, and what it may be.
    public static func table(_ octets: [UInt8]) throws(JSONDecodingError) -> SignatureTable {
        let file = try JSONReader.read(octets)
        try file.allow(only: ["event", "time", "name", "version", "threshold", "signatures"])
        let nodes = try file.list("signatures")
        var signatures: [Signature] = []
        for (index, node) in nodes.enumerated() {
            signatures.append(try signature(node, "signature \(index + 1)"))
        }
        let name = try file.needed("name").text("\"name\"")
        let version = try file.needed("version").text("\"version\"")
        let threshold = try file.needed("threshold").number("\"threshold\"", in: 0.0...1)
        do throws(SignatureTable.Failure) {
            return try SignatureTable(
                name: WireText(name), version: WireText(version), threshold: threshold,
                signatures: signatures)
        } catch {
            throw fault(error, file, nodes)
        }
    }

    private static func signature(_ node: JSONNode, _ what: String) throws(JSONDecodingError) -> Signature {
        guard case .object(let members) = node.value else { throw node.fault("\(what) must be an object") }
        try node.allow(only: marks + ["type", "weight", "version", "source"])
        let given = members.filter { marks.contains($0.key) && $0.node.value != .null }
        guard given.count == 1, let member = given.first else {
            throw node.fault("\(what) must have one of name, service, maker and prefix, and no other of them")
        }
        let mark = try mark(member, what)
        var type: DetectionType?
        if let given = try node.member("type") {
            let word = try given.text("the type of \(what)")
            guard let known = DetectionType(keyword: word) else {
                let words = DetectionType.allCases.map { $0.keywordString }.joined(separator: ", ")
                throw given.fault(
                    "the type of \(what) is \"\(word.shortened)\", which nobody knows; it may be \(words)")
            }
            type = known
        }
        return Signature(
            mark, type: type,
            weight: try node.needed("weight").number("the weight of \(what)", in: -1.0...1),
            version: WireText(try node.member("version")?.text("the version of \(what)") ?? ""),
            source: WireText(try node.member("source")?.text("the source of \(what)") ?? ""))
    }

    private static func mark(
        _ member: JSONNode.Member, _ what: String
    ) throws(JSONDecodingError) -> Signature.Mark {
        let node = member.node
        switch member.key {
        case "name":
            let text = try node.text("the name of \(what)")
            guard let shape = NameShape(WireText(text)) else {
                throw node.fault(
                    "the name of \(what) must have \(NameShape.fewestCharacters) to \(NameShape.longest) octets, * for "
                        + "anything and # for a digit, with \(NameShape.fewestCharacters) or more beside *; a backslash "
                        + "stands before a * or # that is meant so")
            }
            return .name(shape)
        case "service": return .service(try node.uuid("the service of \(what)"))
        case "maker":
            let octets = try node.octets("the maker of \(what)", atMost: 2)
            guard octets.count == 2 else {
                throw node.fault("the maker of \(what) must be its assigned number: four hex digits, as 004c")
            }
            return .maker(UInt16(octets[0]) << 8 | UInt16(octets[1]))
        default:
            let text = try node.text("the prefix of \(what)")
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            let octets = parts.compactMap { part in
                part.utf8.count == 2 ? [UInt8](hexadecimal: String(part))?.first : nil
            }
            let value = octets.reduce(0) { $0 << 8 | UInt64($1) }
            guard octets.count == parts.count, let prefix = AddressPrefix(value, count: octets.count) else {
                throw node.fault(
                    "the prefix of \(what) must be the first three to six octets of an address, as B4:1E:52")
            }
            return .prefix(prefix)
        }
    }

    private static func fault(
        _ fault: SignatureTable.Failure, _ file: JSONNode, _ nodes: [JSONNode]
    ) -> JSONDecodingError {
        let longest = SignatureTable.longestText
        switch fault {
        case .badCount:
            return file.fault("\"signatures\" must have 1 to \(SignatureTable.limit) signatures")
        case .badThreshold: return file.fault("\"threshold\" must be above 0 and at most 1")
        case .longText(nil):
            return file.fault("\"name\" and \"version\" may have \(longest) octets each")
        case .longText(let index?):
            return nodes[index].fault(
                "the version and the source of signature \(index + 1) may have \(longest) octets each")
        case .badWeight(let index):
            return nodes[index].fault(
                "the weight of signature \(index + 1) must be from -1 to 1, and not 0: leave out what says nothing"
            )
        case .missingType(let index):
            return nodes[index].fault(
                "signature \(index + 1) speaks for something, so it must say for what: add a \"type\"")
        case .repeated(let index, let first):
            return nodes[index].fault(
                "signature \(index + 1) is signature \(first + 1) again; leave one of them out")
        case .nothingToFind:
            return file.fault("no signature has a weight above 0, so nothing could ever be noticed")
        }
    }
}

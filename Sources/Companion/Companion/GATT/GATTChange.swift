// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// One difference between two saved devices.
struct GATTChange: Hashable, Sendable {
    /// What has happened.
    enum Kind: String, Hashable, Sendable {
        case added
        case removed
        case changed
    }

    let kind: Kind
    /// What is different: a service, characteristic or descriptor, or what one says of itself.
    let what: String
    /// Where it is, from the service inwards.
    let path: [SavedTree.Node]
    let before: String?
    let after: String?

    /// All differences, in the order of the older device.
    static func between(_ before: SavedTree, _ after: SavedTree) -> [GATTChange] {
        var changes: [GATTChange] = []
        if before.name != after.name {
            changes.append(
                GATTChange(kind: .changed, what: "name", path: [], before: before.name, after: after.name))
        }
        compare(before.services, after.services, [], into: &changes)
        return changes
    }

    private static func compare(
        _ before: [SavedTree.Node], _ after: [SavedTree.Node], _ path: [SavedTree.Node],
        into changes: inout [GATTChange]
    ) {
        var rest = after
        for old in before {
            guard let index = rest.firstIndex(where: { $0.uuid == old.uuid }) else {
                changes.append(alone(.removed, old, path))
                continue
            }
            let new = rest.remove(at: index)
            for (fact, now) in zip(old.facts, new.facts) where fact != now {
                changes.append(
                    GATTChange(
                        kind: .changed, what: fact.name, path: path + [old], before: fact.value,
                        after: now.value))
            }
            compare(old.children, new.children, path + [old], into: &changes)
        }
        for new in rest { changes.append(alone(.added, new, path)) }
    }

    private static func alone(_ kind: Kind, _ node: SavedTree.Node, _ path: [SavedTree.Node]) -> GATTChange {
        let value = node.facts.first { $0.name == "value" }?.value
        return GATTChange(
            kind: kind, what: node.kind.rawValue, path: path + [node],
            before: kind == .removed ? value : nil, after: kind == .added ? value : nil)
    }

    /// The difference as scripts get it: one JSON object without a line end.
    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.field("change", kind.rawValue)
            json.field("what", what)
            for kind in [SavedTree.Node.Kind.service, .characteristic, .descriptor] {
                json.field(kind.rawValue, path.first { $0.kind == kind }?.uuid.description)
            }
            json.field("before", before)
            json.field("after", after)
        }
        return json.text
    }

    /// The difference as a readable line.
    ///
    /// - Parameter terminal: Where it is shown.
    /// - Returns: The line, escaped.
    func line(on terminal: Terminal) -> String {
        let place = path.map(\.name).joined(separator: " › ")
        func shown(_ fact: String?) -> String {
            guard let fact else { return "none" }
            let isValue = kind != .changed || what == "value"
            guard isValue, let value = [UInt8](hexadecimal: fact), let uuid = path.last?.uuid else {
                return fact.isEmpty ? "empty" : fact
            }
            return ValueText.line(value, of: uuid, on: .none, columns: .max)
        }
        func tail(_ value: String?) -> String { value == nil ? "" : ": " + shown(value) }
        let (mark, style, text): (String, Terminal.Style, String) =
            switch kind {
            case .added: ("+", .green, "\(what) \(place)" + tail(after))
            case .removed: ("-", .red, "\(what) \(place)" + tail(before))
            case .changed:
                (
                    "~", .yellow,
                    "\(what) of \(path.isEmpty ? "the device" : place): \(shown(before)) → \(shown(after))"
                )
            }
        return terminal.styled("\(mark) \(TerminalText.escaped(text))", style)
    }
}

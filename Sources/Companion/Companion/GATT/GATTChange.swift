// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// One difference between two saved devices.
package struct GATTChange: Hashable, Sendable {
    /// What has happened.
    package enum Kind: String, Hashable, Sendable {
        case added
        case removed
        case changed
    }

    package let kind: Kind
    /// What is different: a service, characteristic or descriptor, or what one says of itself.
    package let what: String
    /// Where it is, from the service inwards.
    package let path: [SavedTree.Node]
    package let before: String?
    package let after: String?

    /// All differences, in the order of the older device.
    package static func between(_ before: SavedTree, _ after: SavedTree) -> [GATTChange] {
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
}

extension GATTChange: Event {
    package static let name: StaticString = "gatt_difference"
    package static let summary: StaticString = "Something in which two saved devices differ."

    package static func describe(_ shape: inout EventShape<Self>) {
        shape.word("change", "What has become of it.", of: ["added", "removed", "changed"]) {
            $0.kind.rawValue
        }
        shape.text("what", "What is different: a part of the device, or what one says of itself.") { $0.what }
        shape.text("service", "In which service.") { $0.uuid(of: .service) }
        shape.text("characteristic", "In which characteristic.") { $0.uuid(of: .characteristic) }
        shape.text("descriptor", "In which descriptor.") { $0.uuid(of: .descriptor) }
        shape.text("before", "What it was; values in hex.") { $0.before }
        shape.text("after", "What it is; values in hex.") { $0.after }
    }

    private func uuid(of kind: SavedTree.Node.Kind) -> String? {
        path.first { $0.kind == kind }?.uuid.description
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// One difference between two saved devices.
public struct GATTChange: Hashable, Sendable {
    /// How the devices differ there.
    public enum Kind: String, Hashable, Sendable {
        /// Only the newer one has it.
        case added
        /// Only the older one has it.
        case removed
        /// Both have it, with different values.
        case changed
    }

    /// How the devices differ there.
    public let kind: Kind
    /// What differs: `service`, `characteristic`, `descriptor`, or the name of a ``SavedTree/Fact``.
    public let what: String
    /// Where it is, from the service inwards.
    public let path: [SavedTree.Node]
    /// What the older device has, values in hexadecimal; `nil` when it has nothing there.
    public let before: String?
    /// What the newer device has, values in hexadecimal; `nil` when it has nothing there.
    public let after: String?

    /// Compares two saved devices, by UUIDs and values; handles do not count.
    ///
    /// - Parameters:
    ///   - before: The older one.
    ///   - after: The newer one.
    /// - Returns: All differences, in the order of the older device.
    public static func between(_ before: SavedTree, _ after: SavedTree) -> [GATTChange] {
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
    /// Its name in JSON.
    public static let name: StaticString = "gatt_difference"
    /// When it happens.
    public static let summary: StaticString = "Something in which two saved devices differ."

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("change", "What has become of it.", of: ["added", "removed", "changed"]) {
            $0.kind.rawValue
        }
        schema.text("what", "What is different: a part of the device, or what one says of itself.") {
            $0.what
        }
        schema.text("service", "In which service.") { $0.uuid(of: .service) }
        schema.text("characteristic", "In which characteristic.") { $0.uuid(of: .characteristic) }
        schema.text("descriptor", "In which descriptor.") { $0.uuid(of: .descriptor) }
        schema.text("title", "What the innermost of these is called, with its UUID; null for the device.") {
            $0.path.last?.name
        }
        schema.text("before", "What it was; values in hex.") { $0.before }
        schema.text("after", "What it is; values in hex.") { $0.after }
    }

    private func uuid(of kind: SavedTree.Node.Kind) -> String? {
        path.first { $0.kind == kind }?.uuid.description
    }
}

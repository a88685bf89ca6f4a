// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEGATT
package import BLEWire

/// A saved device as far as it can be compared with another one.
package struct SavedTree: Hashable, Sendable {
    /// Something with a UUID, what it says of itself, and what is in it.
    package struct Node: Hashable, Sendable {
        /// What kind of thing it is.
        package enum Kind: String, Hashable, Sendable {
            case service
            case characteristic
            case descriptor
        }

        package let kind: Kind
        package let uuid: BluetoothUUID
        /// What can be compared, by name, in order.
        package var facts: [Fact] = []
        package var children: [Node] = []

        /// The name of what it is, or its UUID.
        package var name: String {
            let name =
                switch kind {
                case .service: UUIDNames.name(ofService: uuid)
                case .characteristic: UUIDNames.name(ofCharacteristic: uuid)
                case .descriptor: AssignedNumbers.name(ofDescriptor: uuid)
                }
            return name.map { "\($0) (\(uuid))" } ?? uuid.description
        }
    }

    /// Something that a node says of itself.
    package struct Fact: Hashable, Sendable {
        package let name: String
        package let value: String?
    }

    package let name: String?
    package let services: [Node]

    /// Takes a device out of a file.
    ///
    /// - Parameter node: What the file holds.
    /// - Throws: ``JSONFault`` where it is not a saved device.
    package init(_ node: JSONNode) throws(JSONFault) {
        name = try node.member("name").map { name throws(JSONFault) in try name.text("\"name\"") }
        _ = try node.needed("services")
        var services: [Node] = []
        for service in try node.list("services") {
            var made = Node(kind: .service, uuid: try service.needed("uuid").uuid("a service"))
            let isPrimary = try service.member("primary")?.flag("\"primary\"") ?? true
            var includes: [String] = []
            for include in try service.list("includes") {
                includes.append(try include.needed("uuid").uuid("an included service").description)
            }
            made.facts = [
                Fact(name: "type", value: isPrimary ? "primary" : "secondary"),
                Fact(name: "includes", value: includes.joined(separator: " ")),
            ]
            for characteristic in try service.list("characteristics") {
                made.children.append(try Self.characteristic(characteristic))
            }
            services.append(made)
        }
        self.services = services
    }

    private static func characteristic(_ node: JSONNode) throws(JSONFault) -> Node {
        var made = Node(kind: .characteristic, uuid: try node.needed("uuid").uuid("a characteristic"))
        let properties = try node.properties().words
        made.facts = [Fact(name: "properties", value: properties.joined(separator: " "))]
        made.facts += try values(node)
        for descriptor in try node.list("descriptors") {
            var child = Node(kind: .descriptor, uuid: try descriptor.needed("uuid").uuid("a descriptor"))
            // Files of before have it with a value.
            if !GATTTree.isOurs(child.uuid, of: made.uuid) { child.facts = try values(descriptor) }
            made.children.append(child)
        }
        return made
    }

    private static func values(_ node: JSONNode) throws(JSONFault) -> [Fact] {
        let error = try node.member("error").map { error throws(JSONFault) in try error.text("an error") }
        return [
            Fact(name: "value", value: try node.attributeValue()?.hexadecimal),
            Fact(name: "error", value: error),
        ]
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEGATT
public import BLEWire
import ProductRegistry

/// The services of a saved device, to be compared with another one's: UUIDs and values without handles.
public struct SavedTree: Hashable, Sendable {
    /// A service, characteristic or descriptor.
    public struct Node: Hashable, Sendable {
        /// The kinds of nodes.
        public enum Kind: String, Hashable, Sendable {
            /// A service.
            case service
            /// A characteristic.
            case characteristic
            /// A descriptor.
            case descriptor
        }

        /// Its kind.
        public let kind: Kind
        /// Its UUID.
        public let uuid: BluetoothUUID
        /// What is compared beside the UUID, always in the same order.
        public var facts: [Fact] = []
        /// The characteristics of a service, the descriptors of a characteristic.
        public var children: [Node] = []

        /// The name of the UUID and the UUID, or the UUID alone.
        public var name: String {
            let name =
                switch kind {
                case .service: UUIDNames.name(ofService: uuid)
                case .characteristic: UUIDNames.name(ofCharacteristic: uuid)
                case .descriptor: AssignedNumbers.name(ofDescriptor: uuid)
                }
            return name.map { "\($0) (\(uuid))" } ?? uuid.description
        }
    }

    /// A value of a node, under its name.
    public struct Fact: Hashable, Sendable {
        /// The name: `type`, `includes`, `properties`, `value`, `incomplete` or `error`.
        public let name: String
        /// The value, octets in hexadecimal; `nil` when there is none.
        public let value: String?
    }

    /// The device's name, if the file has one.
    public let name: String?
    /// The services, in the order of the file.
    public let services: [Node]

    /// Reads what `gatt tree --json` and `gatt tree --save` write.
    ///
    /// - Parameter node: The JSON of the file.
    /// - Throws: ``JSONDecodingError``, with its line, where the JSON is not a saved device.
    public init(_ node: JSONNode) throws(JSONDecodingError) {
        let name = try node.member("name").map { name throws(JSONDecodingError) in try name.text("\"name\"") }
        self.name = name.flatMap { WireText(name: Array($0.utf8))?.string }
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

    private static func characteristic(_ node: JSONNode) throws(JSONDecodingError) -> Node {
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

    private static func values(_ node: JSONNode) throws(JSONDecodingError) -> [Fact] {
        let error = try node.member("error").map { error throws(JSONDecodingError) in
            try error.text("an error")
        }
        let why = try node.member("incomplete").map { why throws(JSONDecodingError) in
            try why.text("\"incomplete\"")
        }
        return [
            Fact(name: "value", value: try node.attributeValue()?.hexadecimal),
            Fact(name: "incomplete", value: why),
            Fact(name: "error", value: error),
        ]
    }
}

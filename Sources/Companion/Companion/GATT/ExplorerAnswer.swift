// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire

/// What an explorer answers.
package enum ExplorerAnswer: Sendable {
    case nothing
    case closed
    case link(Peer, mtu: Int)
    case devices([SeenDevice])
    case mtu(Int)
    case securityLevel(String)
    case tree(GATTTree)
    case services([GATT.Service])
    case included([GATT.Include])
    case characteristics([GATT.Characteristic])
    case attributes([AttributeTarget])
    case value(AttributePart, [UInt8])
    case values(BluetoothUUID, [GATT.AttributeValue])
    case written(ValueWritten)
    case watched([AttributePart], isOn: Bool)
    case waited(values: Int)
    case help([VerbHelp])

    /// The result as scripts get it: one JSON object.
    package var result: [UInt8] {
        var json = JSONWriter()
        switch self {
        case .tree(let tree): tree.write(into: &json)
        case .written(let written): written.write(into: &json)
        default: json.object { json in write(to: &json) }
        }
        return json.octets
    }

    /// The members of the result.
    private func write(to json: inout JSONWriter) {
        switch self {
        case .nothing, .closed, .tree, .written: break
        case .link(let peer, let mtu):
            json.field("address", peer.plain)
            json.field("address_kind", peer.kindWord)
            json.field("mtu", mtu)
        case .devices(let devices):
            json.key("devices")
            json.array { json in
                for device in devices { HeardDevicePart(device).write(into: &json) }
            }
        case .mtu(let mtu): json.field("mtu", mtu)
        case .securityLevel(let level): json.field("level", level)
        case .services(let services):
            Self.list("services", services, in: &json) { service, json in
                json.field("uuid", service.uuid.description)
                json.field("name", UUIDNames.name(ofService: service.uuid))
                json.field("handle", service.handle.rawValue)
                json.field("end_handle", service.endHandle.rawValue)
            }
        case .included(let includes):
            Self.list("included", includes, in: &json) { include, json in
                json.field("uuid", include.uuid.description)
                json.field("name", UUIDNames.name(ofService: include.uuid))
                json.field("declaration_handle", include.handle.rawValue)
                json.field("handle", include.startHandle.rawValue)
                json.field("end_handle", include.endHandle.rawValue)
            }
        case .characteristics(let characteristics):
            Self.list("characteristics", characteristics, in: &json) { characteristic, json in
                json.field("uuid", characteristic.uuid.description)
                json.field("name", UUIDNames.name(ofCharacteristic: characteristic.uuid))
                json.field("handle", characteristic.handle.rawValue)
                json.field("value_handle", characteristic.valueHandle.rawValue)
                json.key("properties")
                json.array { json in
                    for word in characteristic.properties.words { json.value(word) }
                }
            }
        case .attributes(let attributes):
            Self.list("attributes", attributes, in: &json) { attribute, json in
                Self.write(AttributePart(attribute), to: &json)
            }
        case .value(let attribute, let value):
            // As `gatt read` has it.
            Self.write(attribute, to: &json)
            Self.write(value, to: &json)
        case .values(let uuid, let values):
            json.field("uuid", uuid.description)
            Self.list("values", values, in: &json) { value, json in
                json.field("handle", value.handle.rawValue)
                Self.write(value.value, to: &json)
            }
        case .watched(let attributes, let isOn):
            json.field("watched", isOn)
            Self.list("characteristics", attributes, in: &json, Self.write)
        case .waited(let values): json.field("values", values)
        case .help(let verbs):
            Self.list("commands", verbs, in: &json) { verb, json in
                json.key("names")
                json.array { json in
                    for name in verb.names { json.value(name) }
                }
                json.field("usage", verb.usage)
                json.field("help", verb.sentence)
            }
        }
    }

    private static func list<Element>(
        _ key: String, _ elements: [Element], in json: inout JSONWriter,
        _ body: (Element, inout JSONWriter) -> Void
    ) {
        json.key(key)
        json.array { json in
            for element in elements { json.object { json in body(element, &json) } }
        }
    }

    private static func write(_ attribute: AttributePart, to json: inout JSONWriter) {
        json.field("uuid", attribute.target?.uuid.description)
        json.field("name", attribute.target?.name)
        json.field("handle", attribute.handle.rawValue)
    }

    private static func write(_ value: [UInt8], to json: inout JSONWriter) {
        json.field("octets", value.hexadecimal)
        json.field("text", PrintableText.text(value))
    }
}

/// A command of the shell, for those who type it.
package struct VerbHelp: Hashable, Sendable {
    /// All its names, the usual one first.
    package let names: [String]
    /// How it is typed.
    package let usage: String
    /// What it does, in a sentence.
    package let sentence: String

    /// Makes it.
    package init(names: [String], usage: String, sentence: String) {
        self.names = names
        self.usage = usage
        self.sentence = sentence
    }
}

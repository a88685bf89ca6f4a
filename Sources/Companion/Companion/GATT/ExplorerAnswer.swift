// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
import ProductRegistry

/// The answer to a request about a device's GATT server.
public enum ExplorerAnswer: Sendable {
    /// There is nothing to say.
    case nothing
    /// The link is closed.
    case closed
    /// The link is open; its MTU in octets.
    case link(Peer, mtu: Int)
    /// The devices that a scan has heard, strongest first.
    case devices([SeenDevice])
    /// The MTU in octets.
    case mtu(Int)
    /// The level of security.
    case securityLevel(String)
    /// What protects the link; `nil` when nothing does.
    case security(ProtectionJSON?)
    /// All services, with the values that could be read.
    case tree(GATTTree)
    /// Primary services.
    case services([GATT.Service])
    /// Included services.
    case included([GATT.Include])
    /// Characteristics.
    case characteristics([GATT.Characteristic])
    /// Attributes.
    case attributes([AttributeTarget])
    /// The value of one attribute.
    case read(ValueRead)
    /// The values of all attributes of a UUID.
    case values(Peer, BluetoothUUID, [GATT.AttributeValue])
    /// A value was written.
    case written(ValueWritten)
    /// Characteristics that are subscribed to from now on, or no longer.
    case watched([AttributeJSON], isOn: Bool)
    /// The wait is over; how many values were received meanwhile.
    case waited(values: Int)
    /// How commands of the shell are typed.
    case help([VerbHelp])

    /// The answer as one JSON object.
    public var result: [UInt8] {
        var json = JSONWriter()
        switch self {
        case .tree(let tree): tree.write(into: &json)
        case .read(let read): read.write(into: &json)
        case .written(let written): written.write(into: &json)
        default: json.object { json in write(to: &json) }
        }
        return json.octets
    }

    /// The members of the result.
    private func write(to json: inout JSONWriter) {
        switch self {
        case .nothing, .closed, .tree, .read, .written: break
        case .link(let peer, let mtu):
            json.field("address", peer.plain)
            json.field("address_kind", peer.kindWord)
            json.field("mtu", mtu)
        case .devices(let devices):
            json.key("devices")
            json.array { json in
                for device in devices { DiscoveredDeviceJSON(device).write(into: &json) }
            }
        case .mtu(let mtu): json.field("mtu", mtu)
        case .securityLevel(let level): json.field("level", level)
        case .security(nil): json.field("level", "none")
        case .security(let protection?):
            json.field("level", protection.level.rawValue)
            json.field("key_size", protection.keySize)
            json.field("bonded", protection.isBonded)
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
                AttributeJSON(attribute).writeValues(into: &json)
            }
        case .values(let peer, let uuid, let values):
            json.field("address", peer.plain)
            json.field("address_kind", peer.kindWord)
            json.field("uuid", uuid.description)
            Self.list("values", values, in: &json) { value, json in
                json.field("handle", value.handle.rawValue)
                ValueJSON(value.value, of: ValueLayout(uuid)).writeValues(into: &json)
            }
        case .watched(let attributes, let isOn):
            json.field("watched", isOn)
            Self.list("characteristics", attributes, in: &json) { attribute, json in
                attribute.writeValues(into: &json)
            }
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
}

/// How a command of the shell is typed, and what it does.
public struct VerbHelp: Hashable, Sendable {
    /// Its names, the usual one first.
    public let names: [String]
    /// How it is typed.
    public let usage: String
    /// What it does, in a sentence.
    public let sentence: String

    /// Makes an entry of the help.
    public init(names: [String], usage: String, sentence: String) {
        self.names = names
        self.usage = usage
        self.sentence = sentence
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion

/// What people have set about the overflow area on a hub.
public struct OverflowSettings: EventPart, Hashable, Sendable {
    /// How many services of one's own there may be, and how many octets their names may have.
    public static let limits = (services: 250, name: 100)

    /// A service that somebody knows of.
    public struct OwnService: EventPart, Hashable, Sendable {
        /// The service.
        public var uuid: BluetoothUUID
        /// What it is called.
        public var name: String

        /// Makes a service.
        public init(uuid: BluetoothUUID, name: String) {
            self.uuid = uuid
            self.name = name
        }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.text("uuid", "The service.") { $0.uuid.description }
            schema.text("name", "What it is called.") { $0.name }
        }
    }

    /// Services that the catalogue has beyond the known ones.
    public var services: [OwnService] = []

    /// Makes the settings that a new hub has.
    public init() {}

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.list("services", "Services that the catalogue has beyond the known ones.") { $0.services }
    }

    package mutating func merge(_ node: JSONNode) throws(JSONDecodingError) {
        try node.allow(only: ["services"])
        guard case .object(let members) = node.value else { return }
        for member in members {
            services = member.node.value == .null ? [] : try Self.services(member.node)
        }
    }

    private static func services(_ node: JSONNode) throws(JSONDecodingError) -> [OwnService] {
        var services: [OwnService] = []
        for element in try node.elements("The services of one's own", atMost: limits.services) {
            try element.allow(only: ["uuid", "name"])
            guard let uuid = BluetoothUUID(try element.needed("uuid").text("A service")) else {
                throw element.fault("A service must be a UUID of 4, 8 or 32 hexadecimal digits")
            }
            let name = try element.needed("name").text("The name of a service")
            guard !name.isEmpty, name.utf8.count <= limits.name else {
                throw element.fault("The name of a service must have 1 to \(limits.name) octets")
            }
            guard !services.contains(where: { $0.uuid == uuid }) else {
                throw element.fault("The service \(uuid) is there twice")
            }
            services.append(OwnService(uuid: uuid, name: name))
        }
        return services
    }
}

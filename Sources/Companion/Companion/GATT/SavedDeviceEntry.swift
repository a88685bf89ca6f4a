// SPDX-License-Identifier: Apache-2.0

/// What a list shows of a device that was saved.
public struct SavedDeviceEntry: EventPart, Hashable, Sendable, Identifiable {
    /// Characters that a name may have.
    public static let longestName = 100
    /// Octets that a file may have.
    public static let longestFile = 1 << 20
    /// How many devices are kept.
    package static let limit = 200

    /// Its number.
    public var id: Int64
    /// What somebody has called it.
    public var name: String
    /// When it was saved.
    public let time: Timestamp
    /// The device's address, or what a platform calls it, where the file says.
    public let address: String?
    /// What kind of address that is.
    public let addressKind: String?
    /// The device's name, if it has one.
    public let deviceName: String?
    /// How many services it has.
    public let services: Int
    /// How many characteristics it has.
    public let characteristics: Int
    /// How many of their values were read.
    public let values: Int
    /// The octets of the file.
    public let octets: Int

    /// Makes an entry of what is stored.
    public init(
        id: Int64, name: String, time: Timestamp, address: String?, addressKind: String?, deviceName: String?,
        services: Int, characteristics: Int, values: Int, octets: Int
    ) {
        self.id = id
        self.name = name
        self.time = time
        self.address = address
        self.addressKind = addressKind
        self.deviceName = deviceName
        self.services = services
        self.characteristics = characteristics
        self.values = values
        self.octets = octets
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - file: What `gatt tree --output` writes, or was written by hand.
    ///   - name: What somebody calls it; empty for the name of the device.
    ///   - time: When it was saved.
    /// - Throws: ``JSONDecodingError``, with its line, where it is none.
    public init(file: [UInt8], name: String, time: Timestamp) throws(JSONDecodingError) {
        let node = try JSONReader.read(file)
        let tree = try SavedTree(node)
        let characteristics = tree.services.flatMap { $0.children }
        var address: String?
        var kind: String?
        if let member = try node.member("address"), member.value != .null {
            address = String(try member.text("the address").prefix(64))
        }
        if let member = try node.member("address_kind"), member.value != .null {
            kind = String(try member.text("the kind of address").prefix(16))
        }
        var deviceName: String?
        if let own = tree.name, !own.isEmpty { deviceName = String(own.prefix(248)) }
        let title = name.isEmpty ? deviceName ?? address ?? "Device" : name
        self.init(
            id: 0, name: String(title.prefix(Self.longestName)), time: time, address: address,
            addressKind: kind, deviceName: deviceName, services: tree.services.count,
            characteristics: characteristics.count,
            values: characteristics.count { node in
                node.facts.contains { $0.name == "value" && $0.value != nil }
            }, octets: file.count)
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "Its number.") { $0.id }
        schema.text("name", "What somebody has called it.") { $0.name }
        schema.time("time", "When it was saved.") { Optional($0.time) }
        schema.text("address", "The device's address, where the file says.") { $0.address }
        schema.text("address_kind", "What kind of address that is.") { $0.addressKind }
        schema.text("device_name", "What the device calls itself, if it does.") { $0.deviceName }
        schema.integer("services", "How many services it has.") { $0.services }
        schema.integer("characteristics", "How many characteristics it has.") { $0.characteristics }
        schema.integer("values", "How many of their values were read.") { $0.values }
        schema.integer("octets", "The octets of the file.") { $0.octets }
    }
}

/// The list of saved devices has changed.
public struct SavesChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "saves_changed"
    /// When it happens.
    public static let summary: StaticString = "A device was saved, or a saved one was renamed or deleted."

    /// Makes the event.
    public init() {}

    /// It has no values.
    public static func describe(_ schema: inout EventSchema<Self>) {}
}

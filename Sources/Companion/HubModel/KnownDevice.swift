// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion

/// A device that a hub remembers.
public struct KnownDevice: EventPart, Hashable, Sendable {
    /// The name of the setting in which all of them are stored.
    public static let setting = "devices"
    /// How many octets of UTF-8 a name of one's own may have.
    public static let longestName = 100
    /// How many devices are remembered.
    public static let limit = 200

    /// Who it is.
    public var peer: Peer
    /// What it calls itself, or called itself last.
    public var name: String?
    /// What its owner calls it.
    public var ownName: String?
    /// What it is.
    public var kind: HubDevice.Kind
    /// Whether the hub connects to it by itself.
    public var connectsByItself: Bool

    /// Remembers a device.
    ///
    /// - Parameter device: The device.
    public init(_ device: HubDevice) {
        peer = device.peer
        name = device.name
        ownName = device.ownName
        kind = device.kind
        connectsByItself = device.connectsByItself
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("address", "Who it is, as commands take it.") { $0.peer.description }
        schema.text("name", "What it calls itself.") { $0.name }
        schema.text("own_name", "What its owner calls it.") { $0.ownName }
        schema.word("kind", "What it is.", of: HubDevice.Kind.allCases.map { $0.rawValue }) {
            $0.kind.rawValue
        }
        schema.flag("auto_connect", "Whether the hub connects to it by itself.") { $0.connectsByItself }
    }

    /// Reads what a database has; what makes no sense is left out.
    ///
    /// - Parameter text: The text of the setting.
    /// - Returns: The devices.
    public static func list(_ text: String) -> [KnownDevice] {
        guard let node = try? JSONReader.read(Array(text.utf8)), case .array(let elements) = node.value else {
            return []
        }
        return elements.compactMap { try? KnownDevice($0) }
    }

    /// Writes devices as they are stored.
    ///
    /// - Parameter devices: The devices.
    /// - Returns: The text of the setting.
    public static func text(_ devices: [KnownDevice]) -> String {
        var json = JSONWriter()
        json.array { json in
            for device in devices { device.write(into: &json) }
        }
        return json.text
    }

    private init(_ node: JSONNode) throws(JSONDecodingError) {
        let words = try node.needed("address").text("The address")
        let kindWord = try node.needed("kind").text("The kind")
        guard let peer = Peer(words), let kind = HubDevice.Kind(rawValue: kindWord) else {
            throw node.fault("this is not a device")
        }
        self.peer = peer
        self.kind = kind
        name = try node.member("name")?.text("The name")
        ownName = try node.member("own_name")?.text("The name")
        connectsByItself = try node.needed("auto_connect").flag("auto_connect")
    }
}

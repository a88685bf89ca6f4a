// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// How a Wi-Fi network is secured, as the octet on the wire.
///
/// Spec: Documentation/Protocols/wifiset.md, List Start, Network Entry, List End.
public struct WiFiSecurity: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No encryption.
    public static let open = WiFiSecurity(rawValue: 0x00)
    /// WEP.
    public static let wep = WiFiSecurity(rawValue: 0x01)
    /// WPA or WPA2 with a password.
    public static let wpa2 = WiFiSecurity(rawValue: 0x02)
    /// WPA2 with a user name and a password; this protocol cannot carry them.
    public static let wpa2Enterprise = WiFiSecurity(rawValue: 0x03)
    /// WPA3.
    public static let wpa3 = WiFiSecurity(rawValue: 0x04)

    /// Those that the protocol names.
    public static let known: [WiFiSecurity] = [.open, .wep, .wpa2, .wpa2Enterprise, .wpa3]

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .open: "open"
        case .wep: "wep"
        case .wpa2: "wpa2"
        case .wpa2Enterprise: "wpa2_enterprise"
        case .wpa3: "wpa3"
        default: "unknown"
        }
    }
}

/// A Wi-Fi network that the device hears.
///
/// | octets | field |
/// |---|---|
/// | 1 | SSID length N, 0 to 32; 0 is a hidden network |
/// | N | SSID |
/// | 1 | RSSI, signed, dBm |
/// | 1 | security |
/// | 1 | channel |
///
/// Spec: Documentation/Protocols/wifiset.md, List Start, Network Entry, List End.
public struct WiFiNetwork: Hashable, Sendable {
    /// The network's name: any octets, at most 32; none when it is hidden.
    public var ssid: WireText
    /// How strong it is, in dBm.
    public var rssi: Int8
    /// How it is secured.
    public var security: WiFiSecurity
    /// Its channel.
    public var channel: UInt8

    /// Makes a network.
    ///
    /// - Parameters:
    ///   - ssid: The network's name; what exceeds 32 octets is cut off.
    ///   - rssi: How strong it is, in dBm.
    ///   - security: How it is secured.
    ///   - channel: Its channel.
    public init(ssid: WireText, rssi: Int8, security: WiFiSecurity, channel: UInt8) {
        self.ssid = WireText(Array(ssid.octets.prefix(WiFiSetLimit.ssid)))
        self.rssi = rssi
        self.security = security
        self.channel = channel
    }

    /// Whether the network does not say its name.
    public var isHidden: Bool { ssid.octets.allSatisfy { $0 == 0 } }

    /// Decodes the payload of a WiFi Network Entry.
    ///
    /// - Parameter reader: The payload.
    /// - Throws: ``DecodeError`` when the lengths do not add up or the SSID is longer than 32 octets.
    init(decoding reader: inout ByteReader) throws(DecodeError) {
        ssid = try WiFiNetwork.readSSID(&reader)
        rssi = try reader.readInt8()
        security = WiFiSecurity(rawValue: try reader.readUInt8())
        channel = try reader.readUInt8()
    }

    func encode(into writer: inout ByteWriter) {
        WiFiNetwork.write(ssid, into: &writer)
        writer.write(rssi)
        writer.write(security.rawValue)
        writer.write(channel)
    }

    static func readSSID(_ reader: inout ByteReader) throws(DecodeError) -> WireText {
        let offset = reader.offset
        let count = Int(try reader.readUInt8())
        guard count <= WiFiSetLimit.ssid else { throw DecodeError(.badLength(count), at: offset) }
        return WireText(try reader.readOctets(count))
    }

    static func write(_ ssid: WireText, into writer: inout ByteWriter) {
        let octets = ssid.octets.prefix(WiFiSetLimit.ssid)
        writer.write(UInt8(octets.count))
        writer.write(octets)
    }
}

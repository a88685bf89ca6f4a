// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The state of a device's Wi-Fi, as the octet on the wire.
///
/// Spec: Documentation/Protocols/wifiset.md, Status Request and Response.
public struct WiFiState: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No credentials are stored.
    public static let notConfigured = WiFiState(rawValue: 0x00)
    /// Credentials are stored but the device is not connected.
    public static let configured = WiFiState(rawValue: 0x01)
    /// The device tries to connect.
    public static let connecting = WiFiState(rawValue: 0x02)
    /// The device is connected.
    public static let connected = WiFiState(rawValue: 0x03)
    /// The device could not connect.
    public static let failed = WiFiState(rawValue: 0x04)

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .notConfigured: "not_configured"
        case .configured: "configured"
        case .connecting: "connecting"
        case .connected: "connected"
        case .failed: "failed"
        default: "unknown"
        }
    }
}

/// The state of a device's Wi-Fi with its network.
///
/// | octets | field |
/// |---|---|
/// | 1 | state |
/// | 1 | RSSI, signed, dBm; 0 when not connected |
/// | 4 | IPv4 address, most significant octet first; 0.0.0.0 when not connected |
/// | 1 | SSID length N, 0 to 32 |
/// | N | SSID of the network in use |
///
/// Spec: Documentation/Protocols/wifiset.md, Status Request and Response.
public struct WiFiStatus: Hashable, Sendable {
    /// The state.
    public var state: WiFiState
    /// How strong the network is, in dBm; 0 when not connected.
    public var rssi: Int8
    /// The IPv4 address, its first octet most significant; 0 when not connected.
    public var address: UInt32
    /// The network in use; empty when there is none.
    public var ssid: WireText

    /// Makes a status.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - rssi: How strong the network is, in dBm.
    ///   - address: The IPv4 address, its first octet most significant.
    ///   - ssid: The network in use; what exceeds 32 octets is cut off.
    public init(_ state: WiFiState, rssi: Int8 = 0, address: UInt32 = 0, ssid: WireText = "") {
        self.state = state
        self.rssi = rssi
        self.address = address
        self.ssid = WireText(Array(ssid.octets.prefix(WiFiSetLimit.ssid)))
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        state = WiFiState(rawValue: try reader.readUInt8())
        rssi = try reader.readInt8()
        address = 0
        for _ in 0..<4 { address = address &<< 8 | UInt32(try reader.readUInt8()) }
        ssid = try WiFiNetwork.readSSID(&reader)
    }

    func encode(into writer: inout ByteWriter) {
        writer.write(state.rawValue)
        writer.write(rssi)
        for shift in [UInt32(24), 16, 8, 0] { writer.write(UInt8(truncatingIfNeeded: address &>> shift)) }
        WiFiNetwork.write(ssid, into: &writer)
    }
}

/// What a device says of credentials that it got, as the octet on the wire.
///
/// Spec: Documentation/Protocols/wifiset.md, Acknowledgment.
public struct WiFiAcknowledgment: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Kept; the device tries to join.
    public static let stored = WiFiAcknowledgment(rawValue: 0x00)
    /// The SSID has no octets or more than 32.
    public static let invalidSSIDLength = WiFiAcknowledgment(rawValue: 0x01)
    /// The password has more than 63 octets.
    public static let invalidPasswordLength = WiFiAcknowledgment(rawValue: 0x02)
    /// The device could not keep them.
    public static let storageFailure = WiFiAcknowledgment(rawValue: 0x03)

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .stored: "stored"
        case .invalidSSIDLength: "invalid_ssid_length"
        case .invalidPasswordLength: "invalid_password_length"
        case .storageFailure: "storage_failure"
        default: "unknown"
        }
    }
}

/// What kind of error a device reports, as the octet on the wire.
///
/// Spec: Documentation/Protocols/wifiset.md, Error.
public struct WiFiErrorCode: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A message made no sense.
    public static let invalidMessage = WiFiErrorCode(rawValue: 0x01)
    /// The device could not look for networks.
    public static let scanFailed = WiFiErrorCode(rawValue: 0x02)
    /// The credentials could not be taken.
    public static let credentialWriteFailed = WiFiErrorCode(rawValue: 0x03)
    /// The device could not store something.
    public static let storageError = WiFiErrorCode(rawValue: 0x04)
    /// The network did not answer in time.
    public static let connectionTimeout = WiFiErrorCode(rawValue: 0x05)
    /// A message was of a type that the device does not take.
    public static let unknownMessageType = WiFiErrorCode(rawValue: 0x06)

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .invalidMessage: "invalid_message"
        case .scanFailed: "scan_failed"
        case .credentialWriteFailed: "credential_write_failed"
        case .storageError: "storage_error"
        case .connectionTimeout: "connection_timeout"
        case .unknownMessageType: "unknown_message_type"
        default: "unknown"
        }
    }
}

/// An error that a device reports.
///
/// | octets | field |
/// |---|---|
/// | 1 | code |
/// | 1 | text length N |
/// | N | text |
///
/// Spec: Documentation/Protocols/wifiset.md, Error.
public struct WiFiErrorReport: Hashable, Sendable {
    /// What kind of error.
    public var code: WiFiErrorCode
    /// What the device says of it, at most 255 octets.
    public var message: WireText

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - code: What kind of error.
    ///   - message: What to say of it; what exceeds 255 octets is cut off.
    public init(_ code: WiFiErrorCode, _ message: WireText) {
        self.code = code
        self.message = WireText(Array(message.octets.prefix(255)))
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        code = WiFiErrorCode(rawValue: try reader.readUInt8())
        message = WireText(try reader.readOctets(Int(try reader.readUInt8())))
    }

    func encode(into writer: inout ByteWriter) {
        writer.write(code.rawValue)
        let octets = message.octets.prefix(255)
        writer.write(UInt8(octets.count))
        writer.write(octets)
    }
}

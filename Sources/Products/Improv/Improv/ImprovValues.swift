// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
public import BLEWire

/// How far an Improv device is, as the octet on the wire.
///
/// Spec: Improv via BLE 2.2, Current State.
public struct ImprovState: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The device takes credentials no more, or not yet; the standard does not name it, its reference code sends it.
    public static let stopped = ImprovState(rawValue: 0x00)
    /// Somebody has to press a button first.
    public static let authorizationRequired = ImprovState(rawValue: 0x01)
    /// The device takes credentials.
    public static let authorized = ImprovState(rawValue: 0x02)
    /// The device tries to join the network.
    public static let provisioning = ImprovState(rawValue: 0x03)
    /// The device is in the network.
    public static let provisioned = ImprovState(rawValue: 0x04)

    /// Those that the standard names.
    public static let known: [ImprovState] = [
        .authorizationRequired, .authorized, .provisioning, .provisioned,
    ]

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .stopped: "stopped"
        case .authorizationRequired: "authorization_required"
        case .authorized: "authorized"
        case .provisioning: "provisioning"
        case .provisioned: "provisioned"
        default: "unknown"
        }
    }
}

/// What was wrong with a command, as the octet on the wire.
///
/// Spec: Improv via BLE 2.2, Error state.
public struct ImprovErrorCode: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Nothing.
    public static let none = ImprovErrorCode(rawValue: 0x00)
    /// The command made no sense.
    public static let invalidPacket = ImprovErrorCode(rawValue: 0x01)
    /// The device does not know the command.
    public static let unknownCommand = ImprovErrorCode(rawValue: 0x02)
    /// The device could not join the network.
    public static let unableToConnect = ImprovErrorCode(rawValue: 0x03)
    /// Somebody has to press a button first.
    public static let notAuthorized = ImprovErrorCode(rawValue: 0x04)
    /// The name that the device was given for itself is none that a host can have.
    public static let badHostName = ImprovErrorCode(rawValue: 0x05)
    /// Something else.
    public static let unknown = ImprovErrorCode(rawValue: 0xFF)

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .none: "none"
        case .invalidPacket: "invalid_packet"
        case .unknownCommand: "unknown_command"
        case .unableToConnect: "unable_to_connect"
        case .notAuthorized: "not_authorized"
        case .badHostName: "bad_host_name"
        default: "unknown"
        }
    }
}

/// What an Improv device can do beside accepting credentials.
///
/// Spec: Improv via BLE 2.2, Capabilities.
public struct ImprovCapabilities: OptionSet, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Show which device it is.
    public static let identify = ImprovCapabilities(rawValue: 1)
    /// Say what it is.
    public static let deviceInfo = ImprovCapabilities(rawValue: 2)
    /// Look for networks.
    public static let scan = ImprovCapabilities(rawValue: 4)
}

/// What an Improv device says of itself in its advertisement: six octets of service data 4677.
///
/// | octets | field |
/// |---|---|
/// | 1 | state |
/// | 1 | capabilities |
/// | 4 | reserved, 0 |
///
/// Spec: Improv via BLE 2.2, Bluetooth LE Advertisement.
public struct ImprovAdvertisement: Hashable, Sendable {
    /// The state of the device.
    public var state: ImprovState
    /// What it can do.
    public var capabilities: ImprovCapabilities

    /// Makes an advertisement's data.
    public init(_ state: ImprovState, _ capabilities: ImprovCapabilities) {
        self.state = state
        self.capabilities = capabilities
    }

    /// Decodes service data; reserved octets may hold anything, and more may follow them.
    ///
    /// - Parameter octets: What stands behind the UUID.
    /// - Throws: `DecodeError` when there are fewer than six.
    public init(decoding octets: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        state = ImprovState(rawValue: try reader.readUInt8())
        capabilities = ImprovCapabilities(rawValue: try reader.readUInt8())
        _ = try reader.readOctets(4)
    }

    /// The six octets.
    public var octets: [UInt8] { [state.rawValue, capabilities.rawValue, 0, 0, 0, 0] }

    /// The advertisement with the service and this data, 31 octets, and the name as scan response.
    ///
    /// Both must stand in one advertisement, never in the scan response: with the flags it is full.
    ///
    /// - Parameter name: The name; as much of it as fits is sent.
    /// - Returns: The advertisement and the scan response.
    public func encoded(name: WireText) -> (data: [UInt8], scanResponse: [UInt8]) {
        let (data, response) = AdvertisingDataBuilder.device(ImprovUUID.service, name: name)
        // 0x4677, its least significant octet first.
        return (data + [9, AdvertisingDataType.serviceData16.rawValue, 0x77, 0x46] + octets, response)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BluetoothLE
import DBus

/// What BlueZ calls things, and where its versions differ.
///
/// Source: BlueZ, doc/org.bluez.*.rst. Quirks, by the version up to which they were met:
///
/// - All: `UUIDs` and `Name` are what BlueZ remembers of a device, not what one PDU says; whether links are accepted, and which PDU is a
///   scan response, is not told. Without `DuplicateData` a device is told once, and its strength only when it
///   changes by 8 dB.
/// - All: with `StartNotify` the value that is read comes as a change of `Value`, too, as if it had been notified.
///   `AcquireNotify` gives the notified values alone; it takes no characteristic that only indicates.
/// - All: requests that wait when a link goes fail with an unlikely error, before that it is gone is told.
/// - All: the handle of a value is not told; it follows its declaration, whose handle ends the path.
/// - All: it pairs by itself when a device answers that a link is not protected well enough, and asks the default agent, if there is one;
///   without, the device is paired with nothing shown or asked. Whoever registers first becomes the default one.
/// - All: the length and kind of a key are not told, nor whether it protects from somebody in the middle; what is paired is not paired
///   anew; each pairing keeps keys; passkeys that are shown are its own.
/// - Before 5.65: `Bonded` is not told; what is `Paired` counts as bonded.
/// - Before 5.62: characteristics do not tell the `MTU`, and services are refused whose notifications ask for a protected link.
/// - 5.66: bluetoothd dies when anybody connects to a bonded device that has forgotten this computer.
/// - Before 5.82: why a device has disconnected is not told; what this side has not closed counts as closed by the device.
enum BlueZ {
    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let gattService = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"
    static let descriptor = "org.bluez.GattDescriptor1"
    static let gattManager = "org.bluez.GattManager1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let agentManager = "org.bluez.AgentManager1"
    static let agent = "org.bluez.Agent1"

    /// What to do where it is not there.
    static let absence = "bluetoothd does not run; `systemctl start bluetooth` starts it"

    /// The properties of a device that are told again when it is heard.
    static let heard: Set<String> = [
        "RSSI", "ManufacturerData", "ServiceData", "AdvertisingFlags", "TxPower",
    ]

    /// The handle that ends a path, as in `/org/bluez/hci0/dev_00_11/service000a/char000b`.
    static func handle(_ path: String, after kind: String) -> UInt16? {
        guard let last = path.split(separator: "/").last, last.hasPrefix(kind) else { return nil }
        let digits = last.dropFirst(kind.count)
        guard digits.utf8.count == 4, let handle = UInt16(digits, radix: 16), handle > 0 else { return nil }
        return handle
    }

    /// The properties of a characteristic by BlueZ's words for them.
    static func properties(_ flags: [String]) -> GATT.Properties {
        var properties: GATT.Properties = []
        for flag in flags {
            switch flag {
            case "broadcast": properties.insert(.broadcast)
            case "read": properties.insert(.read)
            case "write-without-response": properties.insert(.writeWithoutResponse)
            case "write": properties.insert(.write)
            case "notify": properties.insert(.notify)
            case "indicate": properties.insert(.indicate)
            case "authenticated-signed-writes": properties.insert(.authenticatedSignedWrites)
            case "extended-properties": properties.insert(.extendedProperties)
            default: break  // What stands in a descriptor, or is about security.
            }
        }
        return properties
    }

    /// Refuses what a client has asked for, as far as BlueZ has words for the reason; the others become unlikely errors.
    static func refuse(_ request: DBusRequest, _ code: ATT.ErrorCode) {
        let (name, text) =
            switch code {
            case .readNotPermitted, .writeNotPermitted: ("NotPermitted", "not permitted")
            case .insufficientAuthorization, .insufficientAuthentication: ("NotAuthorized", "not authorized")
            case .invalidOffset: ("InvalidOffset", "invalid offset")
            case .invalidAttributeValueLength: ("InvalidValueLength", "invalid length")
            case .requestNotSupported: ("NotSupported", "not supported")
            // Codes of the application are handed on as a number.
            default: ("Failed", "0x" + [code.rawValue].hexadecimal)
            }
        request.refuse("org.bluez.Error." + name, text)
    }

    /// What an error of a request to a device means.
    static func requestFailure(_ error: DBusError) -> BluetoothError {
        switch error {
        case .timeout: return .timeout
        case .cancelled: return .cancelled
        case .malformed: return .badResponse
        case .lost, .unavailable: return .radioUnavailable(error.description)
        case .invalid(let why): return .invalidArgument("BlueZ cannot be asked for this: \(why).")
        case .refused(let name, let message):
            switch name {
            case "org.bluez.Error.NotConnected": return .disconnected(.closedByPeer)
            case "org.bluez.Error.NotPermitted" where message.lowercased().contains("paired"):
                return .refused(.insufficientAuthentication)
            case "org.bluez.Error.NotPermitted" where message.lowercased().contains("read"):
                return .refused(.readNotPermitted)
            case "org.bluez.Error.NotPermitted" where message.lowercased().contains("write"):
                return .refused(.writeNotPermitted)
            case "org.bluez.Error.NotAuthorized": return .refused(.insufficientAuthorization)
            case "org.bluez.Error.NotSupported": return .refused(.requestNotSupported)
            case "org.bluez.Error.InvalidOffset": return .refused(.invalidOffset)
            case "org.bluez.Error.InvalidValueLength": return .refused(.invalidAttributeValueLength)
            case "org.bluez.Error.InProgress": return .tooManyRequests
            case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod":
                return .servicesChanged
            case "org.freedesktop.DBus.Error.AccessDenied":
                return .unauthorized(
                    "the system's rules for D-Bus forbid it; on Debian join the group bluetooth")
            default: return attError(message).map { .refused($0) } ?? .refusedByRadio(error.description)
            }
        }
    }

    /// Whether a request may have failed because the link goes.
    static func mayMeanTheEnd(_ failure: BluetoothError) -> Bool {
        switch failure {
        case .refused(.unlikelyError), .disconnected: true
        default: false
        }
    }

    /// The code in `Operation failed with ATT error: 0x80 (…)`.
    private static func attError(_ message: String) -> ATT.ErrorCode? {
        guard let start = message.range(ofText: "ATT error: 0x") else { return nil }
        return UInt8(message[start...].prefix { $0.isHexDigit }, radix: 16).map {
            ATT.ErrorCode(rawValue: $0)
        }
    }

    /// What a reason of `Disconnected` means.
    static func linkFailure(_ reason: String) -> LinkError? {
        switch reason {
        case "org.bluez.Reason.Timeout": .supervisionTimeout
        case "org.bluez.Reason.Local": .closedByUs
        case "org.bluez.Reason.Remote": .closedByPeer
        default: nil
        }
    }

    /// What an error of Connect means.
    static func connectFailure(_ error: DBusError) -> BluetoothError {
        switch error {
        case .timeout: return .connectFailed(.connectTimeout)
        case .refused("org.bluez.Error.Failed", let message) where message.contains("abort-by-local"):
            // The kernel's own time for an attempt was over.
            return .connectFailed(.connectTimeout)
        case .refused("org.bluez.Error.Failed", let message) where message.contains("abort-by-remote"):
            return .connectFailed(.closedByPeer)
        case .refused("org.freedesktop.DBus.Error.UnknownObject", _): return .connectFailed(.connectTimeout)
        case .refused("org.bluez.Error.NotReady", _): return .radioUnavailable("the adapter is off")
        default: return requestFailure(error)
        }
    }
}

extension String {
    /// Where the text after another one begins.
    fileprivate func range(ofText text: String) -> String.Index? {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(text) { return rest.index(rest.startIndex, offsetBy: text.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

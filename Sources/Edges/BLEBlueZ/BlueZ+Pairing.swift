// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import DBus

extension BlueZ {
    /// Refuses to pair as BlueZ cannot.
    static func check(_ configuration: SMP.Configuration) throws(BluetoothError) {
        guard configuration.passkey == nil else { throw .unsupported(.chosenPasskey) }
        guard configuration.bonds else {
            throw .invalidArgument(
                "BlueZ keeps the keys of whatever it pairs: pair so that they are kept, and remove the bond afterwards."
            )
        }
        guard configuration.secureConnections == .preferred else {
            throw .invalidArgument("BlueZ itself chooses whether LE Secure Connections is used.")
        }
        let other = configuration.outOfBand
        guard other.temporaryKey == nil, other.own == nil, other.received == nil else {
            throw .invalidArgument("BlueZ cannot pair with out-of-band data.")
        }
    }

    /// What an error of Pair means.
    ///
    /// - Parameters:
    ///   - error: What BlueZ says.
    ///   - refusal: What a person here has said no to.
    /// - Returns: It in our words.
    static func pairingFailure(_ error: DBusError, refusal: SMP.Failure?) -> BluetoothError {
        guard case .refused(let name, _) = error else {
            return error == .timeout ? .pairing(.timeout) : requestFailure(error)
        }
        switch name {
        case "org.bluez.Error.AuthenticationFailed", "org.bluez.Error.AuthenticationRejected",
            "org.bluez.Error.AuthenticationCanceled":
            if let refusal { return .pairing(refusal) }
            switch name {
            case "org.bluez.Error.AuthenticationFailed": return .pairing(.refusedByPeer(.unspecifiedReason))
            case "org.bluez.Error.AuthenticationRejected":
                return .pairing(.refusedByPeer(.pairingNotSupported))
            // BlueZ says the same when the link has gone.
            default: return .pairing(.disconnected)
            }
        case "org.bluez.Error.AuthenticationTimeout": return .pairing(.timeout)
        case "org.bluez.Error.ConnectionAttemptFailed": return .connectFailed(.connectTimeout)
        case "org.bluez.Error.InProgress": return .pairing(.busy)
        case "org.freedesktop.DBus.Error.UnknownObject": return .pairing(.disconnected)
        case "org.freedesktop.DBus.Error.NoReply": return .radioUnavailable("bluetoothd has ended")
        default: return requestFailure(error)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion

extension ProtectionJSON {
    /// How well the keys protect, in a few words.
    public var words: String {
        let words =
            switch level {
            case .encrypted: "encrypted, but somebody in between could listen"
            case .authenticated: "encrypted and authenticated"
            case .secureConnections: "encrypted and authenticated by LE Secure Connections"
            }
        guard let keySize, keySize < 16 else { return words }
        return words + ", with a key of \(keySize) octets"
    }
}

extension LinkSecured: EventText {
    /// The event in one line.
    public var line: EventLine {
        let kept = protection.isBonded ? "" : "; the keys are not kept"
        return EventLine(.good, "The link to \(peer.plain) is \(protection.words)\(kept).")
    }
}

extension PairingFailed: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "Not paired with \(peer.plain): \(reason)") }
}

extension PairingAsked: EventText {
    /// The event in one line.
    public var line: EventLine {
        let digits = digits ?? ""
        switch kind {
        case .show: return EventLine(.incoming, "Enter \(digits) on \(peer.plain).")
        case .enter: return EventLine(.incoming, "Which six digits does \(peer.plain) show?")
        case .compare: return EventLine(.incoming, "Does \(peer.plain) show \(digits)? (y or n)")
        case .consent: return EventLine(.incoming, "May \(peer.plain) pair? (y or n)")
        }
    }
}

extension OutOfBandShown: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.outgoing, "Out-of-band data for the other device: \(octets.hexadecimal)")
    }
}

extension BondKept: EventText {
    /// The event in one line.
    public var line: EventLine {
        let whose = keeper == .bluez ? "; BlueZ keeps the keys" : ""
        return EventLine(
            .quiet, "\(peer.plain), known to the adapter \(adapter.plain): \(protection.words)\(whose)")
    }
}

extension BondRemoved: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            .good,
            "The keys of \(peer.plain) are forgotten. Have the device forget this computer, too, before they pair again."
        )
    }
}

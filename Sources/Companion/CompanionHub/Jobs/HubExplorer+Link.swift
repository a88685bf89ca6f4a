// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion

extension HubExplorer {
    /// Notes that something about the link has changed.
    mutating func apply(_ change: LinkChange, at now: Timestamp) {
        switch change {
        // The session brings it.
        case .mtu: break
        case .parameters(let parameters):
            timing = Self.timing(parameters)
            let left = parameters.latency > 0 ? ", may leave out \(parameters.latency)" : ""
            note("Every \(Self.milliseconds(parameters.interval.microseconds)) ms\(left)", at: now)
        case .phy(let phy):
            self.phy = Self.words(phy)
            let (tx, rx) = Self.words(phy)
            note(tx == rx ? "PHY \(tx)" : "PHY \(tx) out, \(rx) in", at: now)
        case .dataLength(let tx, let rx): note("Packets of up to \(tx) octets out, \(rx) in", at: now)
        case .secured(let security):
            set(security)
            let isSafe = security.level > .encrypted
            note(isSafe ? "Encrypted, and nobody in between can listen" : "Encrypted", at: now)
        case .pairingFailed(let failure): note(failure.sentence, at: now)
        case .bondNotKept(let sentence): note(sentence, at: now)
        case .securityRefused: note("The device wants to be paired", at: now)
        case .malformedPDU:
            note("The device sent something unexpected", at: now)
        case .mtuUnanswered:
            note("It did not answer when it was asked for its MTU; this link goes without", at: now)
        }
    }

    /// Takes up how well the link is protected.
    mutating func set(_ security: LinkSecurity) {
        self.security = Self.word(security)
        (keySize, isBonded) = (security.keySize.map { Int($0) }, security.isBonded)
    }

    static func timing(_ parameters: ConnectionParameters) -> (interval: UInt64, latency: Int, timeout: Int) {
        (
            parameters.interval.microseconds, Int(parameters.latency),
            Int(parameters.supervisionTimeout.microseconds / 1000)
        )
    }

    static func words(_ phy: LinkPHY) -> (tx: String, rx: String) { (word(phy.tx), word(phy.rx)) }

    private static func word(_ phy: PHY) -> String {
        switch phy {
        case .le1M: "1m"
        case .le2M: "2m"
        case .leCoded: "coded"
        }
    }

    private static func word(_ security: LinkSecurity) -> String {
        switch security.level {
        case .none: "none"
        case .encrypted: "encrypted"
        case .authenticated, .secureConnections: "authenticated"
        }
    }

    private static func milliseconds(_ microseconds: UInt64) -> String {
        microseconds % 1000 == 0 ? "\(microseconds / 1000)" : "\(Double(microseconds) / 1000)"
    }
}

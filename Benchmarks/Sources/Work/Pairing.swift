// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BluetoothLE

/// One side of a pairing without a link.
private struct Side: ~Copyable {
    var pairing: SMP.Pairing
    var isPaired = false

    init(_ role: SMP.Role, own: BluetoothAddress, peer: BluetoothAddress, _ use: SMP.SecureConnectionsUse) {
        var configuration = SMP.Configuration()
        configuration.secureConnections = use
        configuration.identity = SMP.Identity(resolvingKey: SMP.Secret(UInt128(own.value)), address: own)
        pairing = SMP.Pairing(
            SMP.Parties(role: role, own: own, peer: peer), configuration: configuration,
            cryptography: HostCryptography())
    }

    /// Hands over what there is to do; the other side's controller encrypts with ours.
    mutating func work(with other: inout Side, at now: HostInstant) -> Bool {
        var hasWorked = false
        while let output = pairing.nextOutput() {
            hasWorked = true
            switch output {
            case .send(let octets): other.pairing.receive(octets.span.bytes, at: now)
            case .startEncryption(let key):
                other.pairing.keyRequested(rand: key.rand, ediv: key.ediv, at: now)
            case .giveKey:
                pairing.encryptionChanged(.on, at: now)
                other.pairing.encryptionChanged(.on, at: now)
            case .paired: isPaired = true
            case .failed(let failure): stop("pairing failed: \(failure)")
            default: break
            }
        }
        return hasWorked
    }
}

/// Pairs two devices with nothing to show, the keys included.
func measurePairing(_ use: SMP.SecureConnectionsUse, _ count: Int) -> Duration {
    let now = HostInstant(microseconds: 1)
    let (first, second) = (
        BluetoothAddress(0xC000_0000_0001, kind: .random), BluetoothAddress(0xC000_0000_0002, kind: .random)
    )
    return processorTime {
        for _ in 0..<count {
            var initiator = Side(.initiator, own: first, peer: second, use)
            var responder = Side(.responder, own: second, peer: first, use)
            initiator.pairing.start(at: now)
            while initiator.work(with: &responder, at: now) || responder.work(with: &initiator, at: now) {}
            guard initiator.isPaired, responder.isPaired else { stop("the two have not paired") }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension VirtualAir {
    /// How strong one controller is received by another, in dBm.
    func rssi(of sender: Controller, at receiver: Controller) -> Int8 {
        var jitter = 0.0
        if configuration.rssiJitter > 0 {
            let range = -configuration.rssiJitter...configuration.rssiJitter
            jitter = Double(Int8.random(in: range, using: &randomness))
        }
        let strength = (meanStrength(of: sender, at: receiver) + jitter).rounded()
        return Int8(max(-127, min(20, strength)))
    }

    /// Whether one controller is near enough to be received by another at all.
    func hears(_ receiver: Controller, _ sender: Controller) -> Bool {
        guard !unreachable.contains(Pair(receiver.id, sender.id)) else { return false }
        return meanStrength(of: sender, at: receiver) >= Double(configuration.sensitivity)
    }

    /// Whether a packet gets through this time.
    func delivers(from sender: Controller, to receiver: Controller) -> Bool {
        hears(receiver, sender) && !randomness.happens(configuration.loss)
    }

    private func meanStrength(of sender: Controller, at receiver: Controller) -> Double {
        let distance = sender.configuration.position.distance(to: receiver.configuration.position)
        let loss =
            configuration.pathLossAtOneMetre
            + 10 * configuration.pathLossExponent * decimalLogarithm(max(1, distance))
        return Double(sender.configuration.txPower) - loss
    }

    /// Wakes the links whose sides may no longer hear each other all the time.
    func channelsChanged() {
        for controller in controllers {
            for side in controller.sides where side.role == .central || side.peer == nil { wake(side.link) }
        }
    }
}

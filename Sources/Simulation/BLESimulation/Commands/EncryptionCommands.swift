// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension HCI.LEEnableEncryption: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard side.role == .central, side.encryption.isIdle, !side.isTerminating else {
            throw .commandDisallowed
        }
        let request = LinkEncryption.Request(key: key, random: random, diversifier: diversifier)
        side.encryption.isRefresh = side.encryption.isOn
        air.startEncryptionTimer(side)
        if side.encryption.isOn {
            side.encryption.state = .pausing(request)
            side.answer(.pauseEncryptionRequest)
            air.wake(side.link)
        } else {
            air.request(request, on: side)
        }
        return HCI.StatusOnly()
    }
}

extension HCI.LELongTermKeyRequestReply: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        guard case .awaitingKey(let halves) = side.encryption.state else { throw .commandDisallowed }
        side.encryption.state = .offering(
            LinkEncryption.SessionKey(key: key, central: halves.central, peripheral: halves.peripheral))
        side.answer(.startEncryptionRequest)
        air.wake(side.link)
        return ReturnParameters(handle: handle)
    }
}

extension HCI.LELongTermKeyRequestNegativeReply: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        guard case .awaitingKey = side.encryption.state else { throw .commandDisallowed }
        air.refuseKey(side)
        return ReturnParameters(handle: handle)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension Controller {
    /// Refuses a change of the resolving list while it is used.
    fileprivate func checkResolvingListIsFree() throws(HCI.Status) {
        guard !state.resolvesAddresses || !isOnAir else { throw .commandDisallowed }
    }
}

extension HCI.LEAddDeviceToResolvingList: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        try controller.checkResolvingListIsFree()
        guard identity.kind != .anonymous else { throw .invalidHCICommandParameters }
        let entry = ResolvingEntry(
            identity: identity, peerKey: AddressKey(peerKey), localKey: AddressKey(localKey))
        let isKnown = controller.state.resolvingList.contains { other in
            other.identity == identity || entry.peerKey != nil && other.peerKey?.octets == peerKey
        }
        guard !isKnown else { throw .invalidHCICommandParameters }
        guard controller.state.resolvingList.count < Int(controller.configuration.resolvingListSize) else {
            throw .memoryCapacityExceeded
        }
        controller.state.resolvingList.append(entry)
        return HCI.StatusOnly()
    }
}

extension HCI.LERemoveDeviceFromResolvingList: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        try controller.checkResolvingListIsFree()
        controller.state.resolvingList.remove(at: try controller.entry(of: identity))
        return HCI.StatusOnly()
    }
}

extension HCI.LEClearResolvingList: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        try controller.checkResolvingListIsFree()
        controller.state.resolvingList = []
        return HCI.StatusOnly()
    }
}

extension HCI.LEReadResolvingListSize: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(size: controller.configuration.resolvingListSize)
    }
}

extension HCI.LEReadPeerResolvableAddress: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let entry = controller.state.resolvingList[try controller.entry(of: identity)]
        return ReturnParameters(address: entry.peer ?? BluetoothAddress(0, kind: .random))
    }
}

extension HCI.LEReadLocalResolvableAddress: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let entry = controller.state.resolvingList[try controller.entry(of: identity)]
        return ReturnParameters(address: entry.local?.address ?? BluetoothAddress(0, kind: .random))
    }
}

extension HCI.LESetAddressResolutionEnable: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard !controller.isOnAir else { throw .commandDisallowed }
        controller.state.resolvesAddresses = enable
        return HCI.StatusOnly()
    }
}

extension HCI.LESetResolvablePrivateAddressTimeout: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard (1...3600).contains(seconds) else { throw .invalidHCICommandParameters }
        controller.state.privateAddressSeconds = UInt64(seconds)
        return HCI.StatusOnly()
    }
}

extension HCI.LESetPrivacyMode: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        try controller.checkResolvingListIsFree()
        controller.state.resolvingList[try controller.entry(of: identity)].mode = mode
        return HCI.StatusOnly()
    }
}

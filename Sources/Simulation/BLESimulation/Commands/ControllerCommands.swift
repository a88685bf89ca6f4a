// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire

extension HCI.Reset: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        air.reset(controller)
        return HCI.StatusOnly()
    }
}

extension HCI.SetEventMask: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        controller.state.eventMask = mask
        return HCI.StatusOnly()
    }
}

extension HCI.LESetEventMask: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        controller.state.leEventMask = mask
        return HCI.StatusOnly()
    }
}

extension HCI.ReadLocalVersionInformation: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(
            hciVersion: controller.version, hciSubversion: 0, lmpVersion: controller.version,
            companyIdentifier: VirtualAir.company, lmpSubversion: 0)
    }
}

extension HCI.ReadLocalSupportedCommands: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(commands: VirtualAir.supportedCommands(of: controller.configuration.generation))
    }
}

extension HCI.ReadLocalSupportedFeatures: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(features: [.bredrNotSupported, .leSupported])
    }
}

extension HCI.ReadBufferSize: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(
            aclDataPacketLength: controller.configuration.aclDataPacketLength, synchronousDataPacketLength: 0,
            totalACLDataPackets: UInt16(controller.configuration.totalACLDataPackets),
            totalSynchronousDataPackets: 0)
    }
}

extension HCI.LEReadBufferSize: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(
            aclDataPacketLength: controller.configuration.aclDataPacketLength,
            totalACLDataPackets: controller.configuration.totalACLDataPackets)
    }
}

extension HCI.ReadBDADDR: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(address: controller.configuration.address)
    }
}

extension HCI.LEReadLocalSupportedFeatures: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(features: controller.features)
    }
}

extension HCI.LERand: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(random: air.randomness.next())
    }
}

extension HCI.LESetRandomAddress: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        let state = controller.state
        guard state.legacySet.run == nil, state.scanning == nil, state.initiating == nil else {
            throw .commandDisallowed
        }
        controller.state.randomAddress = address
        return HCI.StatusOnly()
    }
}

extension HCI.LEReadFilterAcceptListSize: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(size: controller.configuration.filterAcceptListSize)
    }
}

extension HCI.LEClearFilterAcceptList: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard !controller.isFilterAcceptListInUse else { throw .commandDisallowed }
        controller.state.filterAcceptList = []
        return HCI.StatusOnly()
    }
}

extension HCI.LEAddDeviceToFilterAcceptList: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard !controller.isFilterAcceptListInUse else { throw .commandDisallowed }
        let address = address.asListed
        guard !controller.state.filterAcceptList.contains(address) else { return HCI.StatusOnly() }
        guard controller.state.filterAcceptList.count < Int(controller.configuration.filterAcceptListSize)
        else {
            throw .memoryCapacityExceeded
        }
        controller.state.filterAcceptList.append(address)
        return HCI.StatusOnly()
    }
}

extension HCI.LERemoveDeviceFromFilterAcceptList: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard !controller.isFilterAcceptListInUse else { throw .commandDisallowed }
        controller.state.filterAcceptList.removeAll { $0 == address.asListed }
        return HCI.StatusOnly()
    }
}

extension BluetoothAddress {
    /// All advertisers without an address are one entry of the filter accept list.
    fileprivate var asListed: BluetoothAddress {
        kind == .anonymous ? BluetoothAddress(0, kind: .anonymous) : self
    }
}

extension HCI.LEReadSupportedStates: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        // All 42 combinations that there are.
        ReturnParameters(states: 0x3FF_FFFF_FFFF)
    }
}

extension HCI.LEEncrypt: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        // On HCI the least significant octet comes first; the cipher counts from the most significant.
        let encrypted = AES128(key: key.reversed()).encrypt(plaintext.reversed())
        guard let parameters = ReturnParameters(encrypted: encrypted.reversed()) else {
            throw .unspecifiedError
        }
        return parameters
    }
}

extension HCI.LESetHostChannelClassification: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard !channels.isEmpty else { throw .invalidHCICommandParameters }
        controller.state.channels = channels
        for side in controller.sides where side.role == .central { side.link.channels = channels }
        return HCI.StatusOnly()
    }
}

extension HCI.LEReadTransmitPower: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let power = controller.configuration.txPower
        return ReturnParameters(minTxPower: power, maxTxPower: power)
    }
}

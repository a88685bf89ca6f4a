// SPDX-License-Identifier: Apache-2.0

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
            hciVersion: VirtualAir.version, hciSubversion: 0, lmpVersion: VirtualAir.version,
            companyIdentifier: VirtualAir.company, lmpSubversion: 0)
    }
}

extension HCI.ReadLocalSupportedCommands: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(commands: VirtualAir.supportedCommands)
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
        ReturnParameters(features: VirtualAir.features)
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
        guard state.advertising == nil, state.scanning == nil, state.initiating == nil else {
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
        controller.state.filterAcceptList.removeAll { $0 == address }
        return HCI.StatusOnly()
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension AdvertisingInterval {
    /// Whether it is a scan interval that the specification allows.
    var isScanTime: Bool { (0x0004...0x4000).contains(rawValue) }
}

extension HCI.LESetAdvertisingParameters: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .legacy }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard controller.state.legacySet.run == nil else { throw .commandDisallowed }
        let channels = HCI.AdvertisingChannels.all
        guard !channelMap.isEmpty, channels.isSuperset(of: channelMap) else {
            throw .invalidHCICommandParameters
        }
        // High duty advertising has a rhythm of its own.
        if type != .connectableDirectedHighDuty {
            let allowed = 0x0020...0x4000 as ClosedRange<UInt16>
            guard allowed.contains(intervalMin.rawValue), allowed.contains(intervalMax.rawValue),
                intervalMin.rawValue <= intervalMax.rawValue
            else { throw .invalidHCICommandParameters }
        }
        controller.state.legacySet.parameters = AdvertisingSet.Parameters(self)
        return HCI.StatusOnly()
    }
}

extension HCI.LEReadAdvertisingPhysicalChannelTxPower: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .legacy }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(txPower: controller.configuration.txPower)
    }
}

extension HCI.LESetAdvertisingData: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .legacy }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        controller.state.legacySet.data.replace(with: data)
        return HCI.StatusOnly()
    }
}

extension HCI.LESetScanResponseData: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .legacy }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        controller.state.legacySet.scanResponse.replace(with: data)
        return HCI.StatusOnly()
    }
}

extension HCI.LESetAdvertisingEnable: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .legacy }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        let set = controller.state.legacySet
        if !enable {
            set.run = nil
        } else if set.run == nil {
            let address = try air.addressToAdvertise(set, of: controller)
            air.startAdvertising(
                Advertising(set, address: address), of: controller,
                duration: set.parameters.isHighDuty ? 1_280_000 : 0)
        }
        return HCI.StatusOnly()
    }
}

extension HCI.LESetScanParameters: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .legacy }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard controller.state.scanning == nil else { throw .commandDisallowed }
        guard interval.isScanTime, window.isScanTime, window.rawValue <= interval.rawValue else {
            throw .invalidHCICommandParameters
        }
        controller.state.scanParameters = self
        return HCI.StatusOnly()
    }
}

extension HCI.LESetScanEnable: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .legacy }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        if enable {
            // Enabling again begins with nobody reported.
            let parameters = controller.state.scanParameters
            let address = try controller.address(parameters.ownAddressType)
            controller.state.scanning = Scanning(parameters, from: address, filterDuplicates, at: air.now)
        } else {
            controller.state.scanning = nil
        }
        return HCI.StatusOnly()
    }
}

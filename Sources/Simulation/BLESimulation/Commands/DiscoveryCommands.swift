// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension AdvertisingInterval {
    /// Whether it is a scan interval that the specification allows.
    var isScanTime: Bool { (0x0004...0x4000).contains(rawValue) }
}

extension HCI.LESetAdvertisingParameters: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard controller.state.advertising == nil else { throw .commandDisallowed }
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
        controller.state.advertisingParameters = self
        return HCI.StatusOnly()
    }
}

extension HCI.LEReadAdvertisingPhysicalChannelTxPower: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(txPower: controller.configuration.txPower)
    }
}

extension HCI.LESetAdvertisingData: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        controller.state.advertisingData = data
        return HCI.StatusOnly()
    }
}

extension HCI.LESetScanResponseData: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        controller.state.scanResponseData = data
        return HCI.StatusOnly()
    }
}

extension HCI.LESetAdvertisingEnable: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        if !enable {
            controller.state.advertising = nil
        } else if controller.state.advertising == nil {
            try air.startAdvertising(controller)
        }
        return HCI.StatusOnly()
    }
}

extension HCI.LESetScanParameters: SimulatedCommand {
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
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        if enable {
            // Enabling again begins with nobody reported.
            try air.startScanning(controller, filterDuplicates: filterDuplicates)
        } else {
            controller.state.scanning = nil
        }
        return HCI.StatusOnly()
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension HCI.LESetAdvertisingSetRandomAddress: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        let set = try controller.advertisingSet(advertisingHandle)
        guard set.run == nil || !set.parameters.isConnectable else { throw .commandDisallowed }
        set.randomAddress = address
        return HCI.StatusOnly()
    }
}

extension HCI.LESetExtendedAdvertisingParameters: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let parameters = try AdvertisingSet.Parameters(checking: self)
        let known = controller.state.advertisingSets.first { $0.handle == advertisingHandle }
        if let known {
            guard known.run == nil else { throw .commandDisallowed }
            guard known.data.octets.count <= parameters.dataLimit,
                known.scanResponse.octets.count <= parameters.scanResponseLimit
            else { throw .invalidHCICommandParameters }
            known.parameters = parameters
        } else {
            guard controller.state.advertisingSets.count < VirtualAir.numberOfAdvertisingSets else {
                throw .memoryCapacityExceeded
            }
            controller.state.advertisingSets.append(
                AdvertisingSet(handle: advertisingHandle, parameters: parameters))
        }
        return ReturnParameters(txPower: controller.configuration.txPower)
    }
}

extension AdvertisingSet {
    /// Refuses a piece of data that its kind of advertising does not allow.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.54 and 7.8.55.
    fileprivate func check(
        _ operation: HCI.AdvertisingDataOperation, _ piece: [UInt8], limit: Int
    ) throws(HCI.Status) {
        guard limit > 0 || piece.isEmpty && operation == .complete else { throw .invalidHCICommandParameters }
        if parameters.isLegacy {
            guard operation == .complete, piece.count <= limit else { throw .invalidHCICommandParameters }
        }
        if run != nil {
            guard operation == .complete || operation == .unchanged else { throw .commandDisallowed }
        } else {
            guard operation != .unchanged else { throw .invalidHCICommandParameters }
        }
        if run != nil, parameters.isConnectable, piece.count > parameters.auxiliaryRoom {
            throw .packetTooLong
        }
    }
}

extension HCI.LESetExtendedAdvertisingData: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        let set = try controller.advertisingSet(advertisingHandle)
        let limit = set.parameters.dataLimit
        try set.check(operation, data, limit: limit)
        try set.data.store(operation, data, limit: limit)
        return HCI.StatusOnly()
    }
}

extension HCI.LESetExtendedScanResponseData: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        let set = try controller.advertisingSet(advertisingHandle)
        guard operation != .unchanged else { throw .invalidHCICommandParameters }
        let limit = set.parameters.scanResponseLimit
        try set.check(operation, data, limit: limit)
        try set.scanResponse.store(operation, data, limit: limit)
        return HCI.StatusOnly()
    }
}

extension HCI.LESetExtendedAdvertisingEnable: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        // Not by a set of them, which would be a few thousand octets more for a page to fetch.
        let handles = sets.map { $0.advertisingHandle }
        guard handles.indices.allSatisfy({ !handles[..<$0].contains(handles[$0]) }) else {
            throw .invalidHCICommandParameters
        }
        if !enable {
            guard !sets.isEmpty else {
                for set in controller.state.advertisingSets { set.run = nil }
                return HCI.StatusOnly()
            }
            var chosen: [AdvertisingSet] = []
            for entry in sets { chosen.append(try controller.advertisingSet(entry.advertisingHandle)) }
            for set in chosen { set.run = nil }
            return HCI.StatusOnly()
        }
        guard !sets.isEmpty else { throw .invalidHCICommandParameters }
        // All of them begin, or none.
        var runs: [(Advertising, UInt64)] = []
        for entry in sets {
            let set = try controller.advertisingSet(entry.advertisingHandle)
            let address = try check(set, entry, of: controller, in: air)
            runs.append(
                (
                    Advertising(set, address: address, maxEvents: entry.maxEvents),
                    UInt64(entry.duration) * 10_000
                ))
        }
        for (run, duration) in runs { air.startAdvertising(run, of: controller, duration: duration) }
        return HCI.StatusOnly()
    }

    /// Checks whether a set can begin.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.56.
    private func check(
        _ set: AdvertisingSet, _ entry: Entry, of controller: Controller, in air: VirtualAir
    ) throws(HCI.Status) -> BluetoothAddress {
        let parameters = set.parameters
        guard set.data.isComplete, set.scanResponse.isComplete else { throw .commandDisallowed }
        if !parameters.isLegacy {
            guard !parameters.isScannable || !set.scanResponse.octets.isEmpty else {
                throw .commandDisallowed
            }
            guard !parameters.isConnectable || set.data.octets.count <= parameters.auxiliaryRoom else {
                throw .packetTooLong
            }
        }
        if parameters.isHighDuty {
            guard (1...128).contains(entry.duration) else { throw .invalidHCICommandParameters }
        }
        return try air.addressToAdvertise(set, of: controller)
    }
}

extension VirtualAir {
    /// Advertising sets that a controller holds.
    static let numberOfAdvertisingSets = 16
}

extension HCI.LEReadMaximumAdvertisingDataLength: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(length: UInt16(HCI.extendedAdvertisingDataLimit))
    }
}

extension HCI.LEReadNumberOfSupportedAdvertisingSets: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(count: UInt8(VirtualAir.numberOfAdvertisingSets))
    }
}

extension HCI.LERemoveAdvertisingSet: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        let set = try controller.advertisingSet(advertisingHandle)
        guard set.run == nil else { throw .commandDisallowed }
        controller.state.advertisingSets.removeAll { $0 === set }
        return HCI.StatusOnly()
    }
}

extension HCI.LEClearAdvertisingSets: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard controller.state.advertisingSets.allSatisfy({ $0.run == nil }) else { throw .commandDisallowed }
        controller.state.advertisingSets = []
        return HCI.StatusOnly()
    }
}

extension HCI.LESetExtendedScanParameters: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard controller.state.scanning == nil else { throw .commandDisallowed }
        let modes = [le1M, leCoded].compactMap { $0 }
        guard !modes.isEmpty else { throw .invalidHCICommandParameters }
        for mode in modes {
            guard mode.interval.rawValue >= 4, mode.window.rawValue >= 4,
                mode.window.rawValue <= mode.interval.rawValue
            else { throw .invalidHCICommandParameters }
        }
        controller.state.extendedScanParameters = self
        return HCI.StatusOnly()
    }
}

extension HCI.LESetExtendedScanEnable: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard enable else {
            controller.state.scanning = nil
            return HCI.StatusOnly()
        }
        let isPeriodic = period > 0 && duration > 0
        guard duplicates != .eachPeriod || isPeriodic else { throw .invalidHCICommandParameters }
        guard !isPeriodic || durationMicroseconds < periodMicroseconds else {
            throw .invalidHCICommandParameters
        }
        let parameters = controller.state.extendedScanParameters
        let address = try controller.address(parameters.ownAddressType)
        // Enabling again begins with nobody reported.
        let scanning = Scanning(parameters, from: address, self, at: air.now)
        controller.state.scanning = scanning
        if duration > 0, period == 0 {
            air.schedule.add(
                .scanEnd(controller, scanning), at: air.now.advanced(byMicroseconds: durationMicroseconds))
        }
        return HCI.StatusOnly()
    }
}

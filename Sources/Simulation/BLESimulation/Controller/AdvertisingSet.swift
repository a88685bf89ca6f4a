// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// What is advertised and how: one set.
///
/// Legacy advertising is a set without a handle.
///
/// Spec: Core v5.4, Vol 6, Part B, 4.4.2.10.
final class AdvertisingSet {
    let handle: HCI.AdvertisingHandle?
    var parameters: Parameters
    /// The address of LE Set Advertising Set Random Address.
    var randomAddress: BluetoothAddress?
    var data = Payload()
    var scanResponse = Payload()
    /// The advertising that goes on.
    var run: Advertising?

    init(handle: HCI.AdvertisingHandle?, parameters: Parameters) {
        self.handle = handle
        self.parameters = parameters
    }

    /// How a set is advertised.
    struct Parameters {
        var properties: HCI.AdvertisingEventProperties
        /// From one event to the next without the random delay, in microseconds.
        var interval: UInt64
        var ownAddressType: HCI.OwnAddressType
        var peerAddress: BluetoothAddress
        var filterPolicy: HCI.AdvertisingFilterPolicy
        var primaryPHY = HCI.PHY.le1M
        var secondaryPHY = HCI.PHY.le1M
        var setID: UInt8 = 0
        var notifiesScanRequests = false

        var isLegacy: Bool { properties.contains(.legacy) }
        var isConnectable: Bool { properties.contains(.connectable) }
        var isScannable: Bool { properties.contains(.scannable) }
        var isDirected: Bool { !properties.isDisjoint(with: [.directed, .highDuty]) }
        var isHighDuty: Bool { properties.contains(.highDuty) }

        /// Octets of advertising data that this kind of advertising can have.
        var dataLimit: Int {
            if isLegacy { return isDirected ? 0 : HCI.legacyAdvertisingDataLimit }
            return isScannable ? 0 : HCI.extendedAdvertisingDataLimit
        }

        /// Octets of scan response data that this kind of advertising can have.
        var scanResponseLimit: Int {
            guard isScannable else { return 0 }
            return isLegacy ? HCI.legacyAdvertisingDataLimit : HCI.extendedAdvertisingDataLimit
        }

        /// Octets of data in the first auxiliary packet; connectable advertising has no other.
        ///
        /// Header, flags, address and set take 10 of 255 octets.
        ///
        /// Spec: Core v5.4, Vol 6, Part B, 2.3.4.
        var auxiliaryRoom: Int {
            245 - (isDirected ? 6 : 0) - (properties.contains(.includesTxPower) ? 1 : 0)
        }

        /// How scanners are told of it.
        var reportType: HCI.ExtendedReportType {
            let kept: HCI.AdvertisingEventProperties = [.connectable, .scannable, .directed, .legacy]
            return HCI.ExtendedReportType(rawValue: properties.intersection(kept).rawValue)
        }
    }

    /// Data that may come in pieces.
    struct Payload {
        private(set) var octets: [UInt8] = []
        /// Whether the last piece has come.
        private(set) var isComplete = true
        /// Changes with the data: the Advertising DID.
        private(set) var version: UInt64 = 0

        /// Takes all the data at once.
        mutating func replace(with octets: [UInt8]) {
            self.octets = octets
            isComplete = true
            version += 1
        }

        /// Adds a piece.
        ///
        /// Spec: Core v5.4, Vol 4, Part E, 7.8.54.
        mutating func store(
            _ operation: HCI.AdvertisingDataOperation, _ piece: [UInt8], limit: Int
        ) throws(HCI.Status) {
            switch operation {
            case .complete: break
            case .unchanged:
                guard piece.isEmpty, !octets.isEmpty, isComplete else { throw .invalidHCICommandParameters }
                version += 1
                return
            case .first: guard !piece.isEmpty else { throw .invalidHCICommandParameters }
            case .intermediate, .last:
                guard !piece.isEmpty else { throw .invalidHCICommandParameters }
                guard !isComplete else { throw .commandDisallowed }
            }
            let isContinued = operation == .intermediate || operation == .last
            let all = isContinued ? octets + piece : piece
            guard all.count <= limit else {
                replace(with: [])
                throw .memoryCapacityExceeded
            }
            replace(with: all)
            isComplete = operation == .complete || operation == .last
        }
    }
}

/// Advertising from one enable to its end.
final class Advertising {
    let set: AdvertisingSet
    /// What it uses where no private address can be made.
    private let fallback: BluetoothAddress
    private(set) var address: BluetoothAddress
    /// Events after which it ends; 0 is never.
    let maxEvents: UInt8
    private(set) var events: UInt64 = 0

    init(_ set: AdvertisingSet, address: BluetoothAddress, maxEvents: UInt8 = 0) {
        self.set = set
        fallback = address
        self.address = address
        self.maxEvents = maxEvents
    }

    func countEvent() { events += 1 }

    /// Takes the private address of now, if the host wants one.
    func chooseAddress(of controller: Controller, in air: VirtualAir) {
        guard !set.parameters.properties.contains(.anonymous) else { return }
        address = air.ownAddress(
            of: controller, set.parameters.ownAddressType, towards: set.parameters.peerAddress,
            else: fallback)
    }

    /// Whether all the events have been that the host wanted.
    var isUsedUp: Bool { maxEvents > 0 && events >= UInt64(maxEvents) }
}

extension AdvertisingSet.Parameters {
    /// The parameters of legacy advertising.
    init(_ command: HCI.LESetAdvertisingParameters) {
        let properties: HCI.AdvertisingEventProperties =
            switch command.type {
            case .connectableUndirected: [.legacy, .connectable, .scannable]
            case .connectableDirectedHighDuty: [.legacy, .connectable, .directed, .highDuty]
            case .connectableDirectedLowDuty: [.legacy, .connectable, .directed]
            case .scannableUndirected: [.legacy, .scannable]
            case .nonConnectableUndirected: .legacy
            }
        self.init(
            properties: properties, interval: command.intervalMin.microseconds,
            ownAddressType: command.ownAddressType, peerAddress: command.peerAddress,
            filterPolicy: command.filterPolicy)
    }

    /// The parameters of an advertising set.
    ///
    /// - Throws: The status for a combination that the specification forbids.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.53.
    init(checking command: HCI.LESetExtendedAdvertisingParameters) throws(HCI.Status) {
        self.init(
            properties: command.properties, interval: UInt64(command.primaryIntervalMin) * 625,
            ownAddressType: command.ownAddressType, peerAddress: command.peerAddress,
            filterPolicy: command.filterPolicy, primaryPHY: command.primaryPHY,
            secondaryPHY: command.secondaryPHY, setID: command.setID,
            notifiesScanRequests: command.notifiesScanRequests)
        guard command.advertisingHandle.rawValue <= 0xEF, hasLawfulProperties else {
            throw .invalidHCICommandParameters
        }
        guard !command.channelMap.isEmpty, HCI.AdvertisingChannels.all.isSuperset(of: command.channelMap),
            command.setID <= 0x0F
        else { throw .invalidHCICommandParameters }
        if !isHighDuty {
            guard command.primaryIntervalMin >= 0x20, command.primaryIntervalMin <= command.primaryIntervalMax
            else { throw .invalidHCICommandParameters }
        }
        if isLegacy {
            guard primaryPHY == .le1M else { throw .invalidHCICommandParameters }
        } else {
            guard primaryPHY == .le1M || primaryPHY == .leCoded,
                [HCI.PHY.le1M, .le2M, .leCoded].contains(secondaryPHY)
            else { throw .invalidHCICommandParameters }
        }
    }

    private var hasLawfulProperties: Bool {
        if isLegacy { return [0x10, 0x12, 0x13, 0x15, 0x1D].contains(properties.rawValue) }
        guard properties.rawValue <= 0x7F, !isHighDuty, !(isConnectable && isScannable) else { return false }
        return !properties.contains(.anonymous) || !isConnectable && !isScannable
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEHCI
import BLESimulation
import BLEWire
import Testing

extension HCI.AdvertisingHandle: ExpressibleByIntegerLiteral {
    /// Wraps a number.
    public init(integerLiteral value: UInt8) { self.init(rawValue: value) }
}

extension Bench {
    static func set(
        _ handle: HCI.AdvertisingHandle, _ properties: HCI.AdvertisingEventProperties = .connectable,
        milliseconds: UInt32 = 100, own: HCI.OwnAddressType = .public,
        peer: BluetoothAddress = BluetoothAddress(0, kind: .public),
        filter: HCI.AdvertisingFilterPolicy = .all,
        primary: HCI.PHY = .le1M, secondary: HCI.PHY = .le1M, notifies: Bool = false
    ) -> HCI.LESetExtendedAdvertisingParameters {
        HCI.LESetExtendedAdvertisingParameters(
            advertisingHandle: handle, properties: properties, primaryIntervalMin: milliseconds * 8 / 5,
            primaryIntervalMax: milliseconds * 8 / 5, channelMap: .all, ownAddressType: own,
            peerAddress: peer, filterPolicy: filter, txPower: nil, primaryPHY: primary, secondaryMaxSkip: 0,
            secondaryPHY: secondary, setID: handle.rawValue & 0x0F, notifiesScanRequests: notifies)
    }

    static func data(
        _ handle: HCI.AdvertisingHandle, _ operation: HCI.AdvertisingDataOperation, _ data: [UInt8]
    ) throws -> HCI.LESetExtendedAdvertisingData {
        try #require(
            HCI.LESetExtendedAdvertisingData(advertisingHandle: handle, operation: operation, data: data))
    }

    static func response(
        _ handle: HCI.AdvertisingHandle, _ operation: HCI.AdvertisingDataOperation, _ data: [UInt8]
    ) throws -> HCI.LESetExtendedScanResponseData {
        try #require(
            HCI.LESetExtendedScanResponseData(advertisingHandle: handle, operation: operation, data: data))
    }

    static func enable(
        _ handle: HCI.AdvertisingHandle, duration: UInt16 = 0, maxEvents: UInt8 = 0
    ) -> HCI.LESetExtendedAdvertisingEnable {
        HCI.LESetExtendedAdvertisingEnable(
            enable: true,
            sets: [.init(advertisingHandle: handle, duration: duration, maxEvents: maxEvents)])
    }

    static let disable = HCI.LESetExtendedAdvertisingEnable(enable: false, sets: [])

    /// Gives a set any amount of data, in as many pieces as it takes.
    func fill(_ id: ID, _ handle: HCI.AdvertisingHandle, _ octets: [UInt8], asResponse: Bool = false) throws {
        let pieces = stride(from: 0, to: octets.count, by: 251).map {
            Array(octets[$0..<min($0 + 251, octets.count)])
        }
        for (index, piece) in pieces.enumerated() {
            let operation: HCI.AdvertisingDataOperation =
                switch (index, pieces.count) {
                case (_, 1): .complete
                case (0, _): .first
                case (pieces.count - 1, _): .last
                default: .intermediate
                }
            if asResponse {
                accept(try Self.response(handle, operation, piece), id)
            } else {
                accept(try Self.data(handle, operation, piece), id)
            }
        }
    }

    func scanExtended(
        _ id: ID, _ type: HCI.ScanType = .passive, duplicates: HCI.DuplicateFilter = .off,
        duration: UInt16 = 0, period: UInt16 = 0, coded: Bool = false
    ) {
        let phy = HCI.LESetExtendedScanParameters.PHYParameters(
            type: type, interval: .init(milliseconds: 50), window: .init(milliseconds: 50))
        accept(
            HCI.LESetExtendedScanParameters(
                ownAddressType: .public, filterPolicy: .all, le1M: coded ? nil : phy,
                leCoded: coded ? phy : nil), id)
        accept(
            HCI.LESetExtendedScanEnable(
                enable: true, duplicates: duplicates, duration: duration, period: period), id)
    }

    static func extendedConnection(
        to peer: BluetoothAddress, intervals: [HCI.PHY: UInt32] = [.le1M: 30]
    ) -> HCI.LEExtendedCreateConnection {
        func parameters(_ phy: HCI.PHY) -> HCI.LEExtendedCreateConnection.PHYParameters? {
            intervals[phy].map {
                .init(
                    scanInterval: .init(milliseconds: 50), scanWindow: .init(milliseconds: 50),
                    intervalMin: .init(milliseconds: 10), intervalMax: .init(milliseconds: $0),
                    maxLatency: 0, supervisionTimeout: .init(milliseconds: 1000), minCELength: 0,
                    maxCELength: 0)
            }
        }
        return HCI.LEExtendedCreateConnection(
            filterPolicy: .peerAddress, ownAddressType: .public, peerAddress: peer, le1M: parameters(.le1M),
            le2M: parameters(.le2M), leCoded: parameters(.leCoded))
    }

    /// A link made with extended commands to the controller of a number.
    func connectExtended(
        _ central: ID, _ peripheral: ID, number: UInt64,
        _ properties: HCI.AdvertisingEventProperties = .connectable, secondary: HCI.PHY = .le1M,
        intervals: [HCI.PHY: UInt32] = [.le1M: 30]
    ) throws -> Connected {
        accept(Self.set(1, properties, secondary: secondary), peripheral)
        accept(Self.enable(1), peripheral)
        accept(Self.extendedConnection(to: address(number), intervals: intervals), central)
        run(milliseconds: 200)
        let up = try #require(receiveConnection(central))
        let down = try #require(receiveConnection(peripheral))
        #expect(up.status == .success && down.status == .success)
        return Connected(
            central: central, peripheral: peripheral, centralHandle: up.handle, peripheralHandle: down.handle)
    }

    func receiveExtendedReports(_ id: ID) -> [(moment: HostInstant, report: HCI.ExtendedAdvertisingReport)] {
        receiveAll(id) { event -> HCI.ExtendedAdvertisingReport? in
            guard case .extendedAdvertisingReport(let event) = event else { return nil }
            return event.reports.first
        }.map { ($0.moment, $0.value) }
    }

    func receiveTerminated(_ id: ID) -> (moment: HostInstant, event: HCI.LEAdvertisingSetTerminated)? {
        let received = receive(id) { event -> HCI.LEAdvertisingSetTerminated? in
            guard case .advertisingSetTerminated(let event) = event else { return nil }
            return event
        }
        return received.map { ($0.moment, $0.value) }
    }

    func receivePHYs(_ id: ID) -> HCI.LEPHYUpdateComplete? {
        receive(id) { event -> HCI.LEPHYUpdateComplete? in
            guard case .phyUpdateComplete(let event) = event else { return nil }
            return event
        }?.value
    }
}

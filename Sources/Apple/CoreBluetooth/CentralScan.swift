// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import Foundation
import OverflowArea
import Synchronization
import VirtualPhone

/// What a central manager listens for, and what it has heard already.
///
/// Its task takes reports out of the radio's scan one at a time and waits until the app knows each, so that a slow app misses
/// repetitions, as ``ScanStream`` says, and nothing piles up. It ends by ``stop()`` and with the radio.
final class CentralScan: @unchecked Sendable {
    let serviceUUIDs: [CBUUID]?
    let options: [String: Any]
    private let services: [BluetoothUUID]
    private let allowsDuplicates: Bool
    private let app: VirtualPhone.App
    private let reference: Reference<CBManager>
    private let callbacks: CallbackQueue
    private let state = Mutex(State())

    /// Devices that are remembered, those that were heard last.
    static let peerLimit = 16_384

    private struct State {
        var task: Task<Void, Never>?
        var heard = RecencyDictionary<Peer, Heard>(limit: CentralScan.peerLimit)
    }

    /// All that a device has said.
    private struct Heard: Sendable {
        let peer: Peer
        var advertisement: AdvertisingData?
        var response: AdvertisingData?
        var isConnectable = false
        var rssi: Int8?
        /// Whether the app was told of each of the two.
        var isTold = (advertisement: false, response: false)

        var all: AdvertisingData { AdvertisingData((advertisement?.octets ?? []) + (response?.octets ?? [])) }
        var isToldAll: Bool { isTold == (advertisement != nil, response != nil) }
    }

    init(
        _ serviceUUIDs: [CBUUID]?, _ options: [String: Any]?, _ app: VirtualPhone.App,
        _ reference: Reference<CBManager>, _ callbacks: CallbackQueue
    ) {
        self.serviceUUIDs = serviceUUIDs
        self.options = options ?? [:]
        services = (serviceUUIDs ?? []).map(\.value)
        allowsDuplicates =
            (options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? NSNumber)?.boolValue
            ?? options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool ?? false
        self.app = app
        self.reference = reference
        self.callbacks = callbacks
    }

    func start() {
        let radio = app.phone.radio
        let options = ScanOptions(duplicates: allowsDuplicates ? .all : .coalesced)
        let task = Task(executorPreference: radio.executor) { [self, callbacks] in
            do {
                for try await report in try await radio.scan(options) {
                    guard let device = hear(report) else { continue }
                    await callbacks.deliver { self.tell(device) }
                }
            } catch {}
            guard !Task.isCancelled else { return }
            // The radio listens no more: its state says why.
            callbacks.post { [self] in (reference.object as? CBCentralManager)?.ended(self) }
        }
        state.withLock { $0.task = task }
    }

    func stop() { state.withLock { $0.task }?.cancel() }

    /// The app has left the screen or has come back: then it is told what it was not told before.
    func placeChanged() {
        guard app.isInForeground else { return }
        let missed = state.withLock { state in
            let missed = state.heard.values.filter { !$0.isToldAll && isWanted($0.all) }
            for device in missed {
                state.heard.use(device.peer, default: device) {
                    $0.isTold = (device.advertisement != nil, device.response != nil)
                }
            }
            return missed
        }
        for device in missed { callbacks.post { self.tell(device) } }
    }

    /// Takes in a report.
    ///
    /// - Returns: What the app is to be told of the device, if it is to be told.
    private func hear(_ report: Advertisement) -> Heard? {
        state.withLock { state in
            state.heard.use(report.peer, default: Heard(peer: report.peer)) { device in
                if report.isScanResponse {
                    device.response = report.data
                } else {
                    device.advertisement = report.data
                }
                device.isConnectable = report.isConnectable ?? device.isConnectable
                device.rssi = report.rssi
                guard isWanted(device.all) else { return nil }
                let isNew = report.isScanResponse ? !device.isTold.response : !device.isTold.advertisement
                // In the background each is told once, whatever the app wants.
                guard isNew || allowsDuplicates && app.isInForeground else { return nil }
                if report.isScanResponse {
                    device.isTold.response = true
                } else {
                    device.isTold.advertisement = true
                }
                return device
            }
        }
    }

    /// Whether the app is told of a device that says this: in the background only if it has named one of its services.
    private func isWanted(_ data: AdvertisingData) -> Bool {
        if services.isEmpty { return app.isInForeground }
        return !overflowing(data).isEmpty || !Set(data.services).isDisjoint(with: services)
    }

    /// Tells the app of a device; on its queue.
    private func tell(_ device: Heard) {
        guard let manager = reference.object as? CBCentralManager, manager.isCurrent(self) else { return }
        let all = device.all
        let peripheral = manager.peripheral(device.peer, on: app.phone)
        if let name = all.name?.string { peripheral.isCalled(name) }
        manager.delegate?.centralManager(
            manager, didDiscover: peripheral,
            advertisementData: Self.dictionary(all, overflowing(all), isConnectable: device.isConnectable),
            rssi: NSNumber(value: Int(device.rssi ?? 127)))
    }

    /// Those of the services that the app has named which may be among those that a phone in the background has; told on the
    /// screen only.
    private func overflowing(_ data: AdvertisingData) -> [BluetoothUUID] {
        guard !services.isEmpty, app.isInForeground,
            let map = OverflowAdvertisement(advertisingData: data.octets).map
        else {
            return []
        }
        return services.filter { map.contains(OverflowBit(of: $0)) }
    }

    private static func dictionary(
        _ data: AdvertisingData, _ overflowing: [BluetoothUUID], isConnectable: Bool
    ) -> [String: Any] {
        var said: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber(value: isConnectable)]
        if let name = data.name?.string { said[CBAdvertisementDataLocalNameKey] = name }
        if let power = data.txPower { said[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: Int(power)) }
        if !data.services.isEmpty {
            said[CBAdvertisementDataServiceUUIDsKey] = data.services.map { CBUUID($0) }
        }
        if !overflowing.isEmpty {
            said[CBAdvertisementDataOverflowServiceUUIDsKey] = overflowing.map { CBUUID($0) }
        }
        let solicited = data.elements.flatMap { element -> [BluetoothUUID] in
            if case .solicitedServices(let uuids, _) = element { uuids } else { [] }
        }
        if !solicited.isEmpty {
            said[CBAdvertisementDataSolicitedServiceUUIDsKey] = solicited.map { CBUUID($0) }
        }
        // One only, as there; the system keeps the overflow area to itself.
        if let first = data.manufacturerData.first(where: { !$0.isOverflowArea }) {
            let company = [
                UInt8(truncatingIfNeeded: first.company), UInt8(truncatingIfNeeded: first.company >> 8),
            ]
            said[CBAdvertisementDataManufacturerDataKey] = Data(company + first.data)
        }
        if !data.serviceData.isEmpty {
            let pairs = data.serviceData.map { (CBUUID($0.uuid), Data($0.data)) }
            said[CBAdvertisementDataServiceDataKey] = Dictionary(pairs) { $1 }
        }
        return said
    }
}

extension ManufacturerData {
    /// Whether it is Apple's, with an overflow area in it.
    fileprivate var isOverflowArea: Bool {
        company == AppleMessage.company && OverflowAdvertisement(appleData: data).map != nil
    }
}

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
    private let task = Mutex<Task<Void, Never>?>(nil)
    /// Used on the app's queue only.
    private var heard: [Peer: Heard] = [:]

    /// All that a device has said.
    private struct Heard {
        var advertisement: AdvertisingData?
        var response: AdvertisingData?
        var isConnectable = false
        /// What the app was told of it.
        var told: (advertisement: Bool, response: Bool) = (false, false)

        var all: AdvertisingData { AdvertisingData((advertisement?.octets ?? []) + (response?.octets ?? [])) }
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
                    guard mayBeTold(report) else { continue }
                    await callbacks.deliver { self.hear(report) }
                }
            } catch {}
            guard !Task.isCancelled else { return }
            // The radio listens no more: its state says why.
            callbacks.post { [self] in (reference.object as? CBCentralManager)?.ended(self) }
        }
        self.task.withLock { $0 = task }
    }

    func stop() { task.withLock { $0 }?.cancel() }

    /// Whether a report is for this app at all: in the background only for services that it has named.
    private func mayBeTold(_ report: Advertisement) -> Bool { app.isInForeground || !services.isEmpty }

    /// Tells the app of a report, unless it knows all of it; on its queue.
    private func hear(_ report: Advertisement) {
        guard let manager = reference.object as? CBCentralManager, manager.isCurrent(self) else { return }
        let isInForeground = app.isInForeground
        var device = heard[report.peer] ?? Heard()
        if report.isScanResponse { device.response = report.data } else { device.advertisement = report.data }
        device.isConnectable = report.isConnectable ?? device.isConnectable
        defer { heard[report.peer] = device }
        let all = device.all
        let overflowing = isInForeground ? overflowing(all) : []
        guard services.isEmpty || !overflowing.isEmpty || !Set(all.services).isDisjoint(with: services) else {
            return
        }
        if !(allowsDuplicates && isInForeground) {
            // Once for each of the two, if it is there.
            guard !(report.isScanResponse ? device.told.response : device.told.advertisement) else { return }
        }
        if report.isScanResponse { device.told.response = true } else { device.told.advertisement = true }
        let peripheral = manager.peripheral(report.peer, on: app.phone)
        if let name = all.name?.string { peripheral.isCalled(name) }
        manager.delegate?.centralManager(
            manager, didDiscover: peripheral,
            advertisementData: Self.dictionary(all, overflowing, isConnectable: device.isConnectable),
            rssi: NSNumber(value: Int(report.rssi ?? 127)))
    }

    /// Those of the services that the app has named which may be among those that a phone in the background has.
    private func overflowing(_ data: AdvertisingData) -> [BluetoothUUID] {
        guard !services.isEmpty, let map = OverflowAdvertisement(advertisingData: data.octets).map else {
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
        // One only, as there.
        if let first = data.manufacturerData.first {
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

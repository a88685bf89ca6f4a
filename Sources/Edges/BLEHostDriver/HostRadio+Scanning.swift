// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLEWire
import BluetoothLE

/// Who listens for advertisers, and what the stack was told for them.
struct Scans {
    /// In the order in which they came.
    var all: [Scan] = []
    /// Those that have been heard by: when the radio refuses what the others want, these go on.
    var working: Set<Scan.ID> = []
    /// What the stack was told.
    var parameters: ScanParameters?
    var haveHeard = false

    /// What serves all; the controller filters only if that suits every one of them.
    func wanted(_ controller: ControllerInformation) -> ScanParameters? {
        guard !all.isEmpty else { return nil }
        var addresses: Set<BluetoothAddress> = []
        if all.allSatisfy({ !$0.options.peers.isEmpty }) {
            addresses = Set(all.flatMap { $0.options.peers.compactMap(\.address) })
            if addresses.count > controller.filterAcceptListSize { addresses = [] }
        }
        return ScanParameters(
            isActive: all.contains { $0.options.isActive },
            phys: HCI.PHYs(all.reduce([]) { $0.union($1.options.phys) }) ?? .le1M,
            addresses: addresses.sorted { ($0.value, $0.kind.rawValue) < ($1.value, $1.kind.rawValue) })
    }
}

extension HostRadio {
    package nonisolated func start(_ scan: Scan) async throws(BluetoothError) { try await add(scan) }

    private func add(_ scan: Scan) throws(BluetoothError) {
        try checkIsReady()
        scans.all.append(scan)
        adjustScan()
        drain()
    }

    package nonisolated func stop(_ scan: Scan.ID) {
        loop.execute { self.assumeIsolated { $0.remove(scan) } }
    }

    private func remove(_ id: Scan.ID) {
        scans.all.removeAll { $0.id == id }
        scans.working.remove(id)
        adjustScan()
        drain()
    }

    /// Scans for all that is wanted, or not at all.
    private func adjustScan() {
        let wanted = scans.wanted(stack.controller)
        guard wanted != scans.parameters, stack.isReady else { return }
        scans.parameters = wanted
        scans.haveHeard = false
        if let wanted {
            stack.startScanning(wanted, at: loop.now)
        } else {
            stack.stopScanning(at: loop.now)
        }
    }

    /// The radio listens no more: everybody's stream ends.
    func endScans(_ error: BluetoothError?) {
        for scan in scans.all { scan.end(error) }
        scans = Scans()
    }

    /// The controller refuses: those who have not been heard by yet end, the others go on without them.
    func scanFailed(_ error: BluetoothError) {
        let working = scans.all.filter { scans.working.contains($0.id) }
        guard !working.isEmpty, working.count < scans.all.count else {
            endScans(error)
            return
        }
        let failed = scans.all.filter { !scans.working.contains($0.id) }
        scans.all = working
        for scan in failed { scan.end(error) }
        scans.parameters = nil
        adjustScan()
    }

    /// Takes in an advertisement, to be given out with those that came with it.
    func heard(_ report: consuming ReceivedAdvertisement) {
        if !scans.haveHeard {
            scans.haveHeard = true
            scans.working = Set(scans.all.map(\.id))
        }
        let isConnectable: Bool? =
            switch report.eventType {
            case .connectableUndirected, .connectableDirected: true
            case .scanResponse: nil
            default: false
            }
        var advertisement = Advertisement(
            peer: Peer(report.address), rssi: report.rssi, isConnectable: isConnectable,
            isScanResponse: report.eventType == .scanResponse, data: AdvertisingData(report.data))
        advertisement.isTruncated = report.isTruncated
        advertisement.isExtended = report.isExtended
        advertisement.txPower = report.txPower
        gathered.advertisements.append(advertisement)
    }

    func flushAdvertisements() {
        guard !gathered.advertisements.isEmpty else { return }
        for scan in scans.all.dropLast() {
            var copy = gathered.advertisements
            scan.hear(&copy, &wakeUps)
        }
        scans.all.last?.hear(&gathered.advertisements, &wakeUps)
        gathered.advertisements.clear()
    }
}

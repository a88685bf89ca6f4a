// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// Scanning from one enable to its end.
struct Scanning {
    let address: BluetoothAddress
    let windows: ScanWindows
    let filtersDuplicates: Bool
    /// Who has been reported, with duplicates filtered.
    var reported: Set<Reported> = []

    struct Reported: Hashable {
        let address: BluetoothAddress
        let type: HCI.AdvertisingReportType
    }

    func isListening(at now: HostInstant) -> Bool { windows.isOpen(at: now) }

    /// Whether a report is due, and remembers it.
    mutating func isNew(_ report: HCI.AdvertisingReport) -> Bool {
        guard filtersDuplicates else { return true }
        // A controller has little memory for this: when it is full it starts again.
        if reported.count >= 1024 { reported.removeAll() }
        return reported.insert(Reported(address: report.address, type: report.eventType)).inserted
    }
}

/// When a scanner or initiator listens: a window at the start of each interval.
struct ScanWindows {
    let start: HostInstant
    let interval: UInt64
    let window: UInt64

    init(from start: HostInstant, interval: AdvertisingInterval, window: AdvertisingInterval) {
        self.start = start
        self.interval = max(1, interval.microseconds)
        self.window = window.microseconds
    }

    func isOpen(at now: HostInstant) -> Bool { now.microseconds(since: start) % interval < window }
}

extension VirtualAir {
    /// Begins to scan as the parameters say.
    func startScanning(_ controller: Controller, filterDuplicates: Bool) throws(HCI.Status) {
        let parameters = controller.state.scanParameters
        let windows = ScanWindows(from: now, interval: parameters.interval, window: parameters.window)
        controller.state.scanning = Scanning(
            address: try controller.address(parameters.ownAddressType), windows: windows,
            filtersDuplicates: filterDuplicates)
    }

    /// A scanner heard an advertisement: it reports it and may ask for more.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.4.3.
    func scanned(_ advertiser: Controller, _ advertising: Advertising, by scanner: Controller) {
        guard let scanning = scanner.state.scanning else { return }
        let policy = scanner.state.scanParameters.filterPolicy
        if policy.usesAcceptList, !scanner.state.filterAcceptList.contains(advertising.address) { return }
        let parameters = advertiser.state.advertisingParameters
        if parameters.type.isDirected, parameters.peerAddress != scanning.address { return }
        report(
            HCI.AdvertisingReport(
                eventType: parameters.type.reportType, address: advertising.address,
                data: parameters.type.isDirected ? [] : advertiser.state.advertisingData,
                rssi: rssi(of: advertiser, at: scanner)), to: scanner)
        guard scanner.state.scanParameters.type == .active, parameters.type.isScannable else { return }
        let onlyListed = parameters.filterPolicy == .filterScan || parameters.filterPolicy == .filterBoth
        if onlyListed, !advertiser.state.filterAcceptList.contains(scanning.address) { return }
        guard delivers(from: scanner, to: advertiser), delivers(from: advertiser, to: scanner) else { return }
        report(
            HCI.AdvertisingReport(
                eventType: .scanResponse, address: advertising.address,
                data: advertiser.state.scanResponseData, rssi: rssi(of: advertiser, at: scanner)), to: scanner
        )
    }

    private func report(_ report: HCI.AdvertisingReport, to scanner: Controller) {
        guard !scanner.isHostBusy else {
            scanner.statistics.droppedReports += 1
            return
        }
        guard scanner.state.scanning?.isNew(report) == true else { return }
        send(.advertisingReport(.init(reports: [report])), to: scanner)
    }
}

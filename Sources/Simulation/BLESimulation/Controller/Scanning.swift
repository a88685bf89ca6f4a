// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// Scanning from one enable to its end.
final class Scanning {
    let address: BluetoothAddress
    let ownAddressType: HCI.OwnAddressType
    let filterPolicy: HCI.ScanFilterPolicy
    /// Whether the host used extended commands, and so gets extended reports.
    let isExtended: Bool
    let le1M: Mode?
    let leCoded: Mode?
    private let duplicates: HCI.DuplicateFilter
    private let start: HostInstant
    /// Microseconds from one period to the next, and of scanning in each; `nil` is all the time.
    private let rhythm: (period: UInt64, duration: UInt64)?
    private var reported: Set<Reported> = []
    private var reportedPeriod: UInt64 = 0

    /// How one PHY is scanned.
    struct Mode {
        let windows: ScanWindows
        let isActive: Bool
    }

    /// What makes two reports duplicates.
    struct Reported: Hashable {
        let address: BluetoothAddress
        let type: HCI.ExtendedReportType
        let set: UInt8
        let version: UInt64
    }

    /// Scanning with legacy commands.
    init(
        _ parameters: HCI.LESetScanParameters, from address: BluetoothAddress, _ filter: Bool,
        at now: HostInstant
    ) {
        self.address = address
        ownAddressType = parameters.ownAddressType
        filterPolicy = parameters.filterPolicy
        isExtended = false
        le1M = Mode(
            windows: ScanWindows(from: now, interval: parameters.interval, window: parameters.window),
            isActive: parameters.type == .active)
        leCoded = nil
        duplicates = filter ? .on : .off
        start = now
        rhythm = nil
    }

    /// Scanning with extended commands.
    init(
        _ parameters: HCI.LESetExtendedScanParameters, from address: BluetoothAddress,
        _ enable: HCI.LESetExtendedScanEnable, at now: HostInstant
    ) {
        func mode(_ phy: HCI.LESetExtendedScanParameters.PHYParameters?) -> Mode? {
            phy.map {
                Mode(
                    windows: ScanWindows(from: now, interval: $0.interval, window: $0.window),
                    isActive: $0.type == .active)
            }
        }
        self.address = address
        ownAddressType = parameters.ownAddressType
        filterPolicy = parameters.filterPolicy
        isExtended = true
        le1M = mode(parameters.le1M)
        leCoded = mode(parameters.leCoded)
        duplicates = enable.duplicates
        start = now
        rhythm =
            enable.period > 0 && enable.duration > 0
            ? (enable.periodMicroseconds, enable.durationMicroseconds) : nil
    }

    func mode(on phy: HCI.PHY) -> Mode? { phy == .leCoded ? leCoded : le1M }

    /// Whether advertising of a kind can be heard now.
    func hears(_ parameters: AdvertisingSet.Parameters, at now: HostInstant) -> Bool {
        guard parameters.isLegacy || isExtended else { return false }
        if let rhythm, now.microseconds(since: start) % rhythm.period >= rhythm.duration { return false }
        return mode(on: parameters.primaryPHY)?.windows.isOpen(at: now) ?? false
    }

    /// Whether a report is due, and remembers it.
    func isNew(_ report: Reported, at now: HostInstant) -> Bool {
        guard duplicates != .off else { return true }
        if duplicates == .eachPeriod, let rhythm {
            let period = now.microseconds(since: start) / rhythm.period
            if period != reportedPeriod { reported.removeAll() }
            reportedPeriod = period
        }
        // A controller has little memory for this: when it is full it starts again.
        if reported.count >= 1024 { reported.removeAll() }
        return reported.insert(report).inserted
    }
}

extension HCI.LESetExtendedScanEnable {
    /// How long to scan, in each period if there is one; 0 is all the time.
    var durationMicroseconds: UInt64 { UInt64(duration) * 10_000 }
    /// From one period to the next.
    var periodMicroseconds: UInt64 { UInt64(period) * 1_280_000 }
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
    /// The time that scanning was given is over.
    func scanEnded(_ controller: Controller) {
        controller.state.scanning = nil
        send(.scanTimeout(.init()), to: controller)
    }

    /// A scanner heard an advertisement: it reports it and may ask for more.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.4.3.
    func scanned(
        _ advertiser: Controller, _ advertising: Advertising, by scanner: Controller, _ scanning: Scanning
    ) {
        let set = advertising.set
        let parameters = set.parameters
        guard let heard = scanner.heard(advertising.address) else { return }
        if scanning.filterPolicy.usesAcceptList, !heard.isOne(of: scanner.state.filterAcceptList) { return }
        if parameters.isDirected, parameters.peerAddress != scanning.address { return }
        report(
            advertiser, advertising, heard, parameters.reportType,
            parameters.dataLimit > 0 ? set.data : .init(), to: scanner, scanning)
        guard scanning.mode(on: parameters.primaryPHY)?.isActive == true, parameters.isScannable else {
            return
        }
        let onlyListed = parameters.filterPolicy == .filterScan || parameters.filterPolicy == .filterBoth
        let own = ownAddress(
            of: scanner, scanning.ownAddressType, towards: heard.address, else: scanning.address)
        guard let asking = advertiser.heard(own) else { return }
        if onlyListed, !asking.isOne(of: advertiser.state.filterAcceptList) { return }
        guard delivers(from: scanner, to: advertiser) else { return }
        if let handle = set.handle, parameters.notifiesScanRequests {
            send(
                .scanRequestReceived(.init(advertisingHandle: handle, scannerAddress: asking.address)),
                to: advertiser)
        }
        guard delivers(from: advertiser, to: scanner) else { return }
        report(
            advertiser, advertising, heard, parameters.reportType.union(.scanResponse), set.scanResponse,
            to: scanner, scanning)
    }

    /// Reports an advertisement or a scan response in as many events as it takes.
    private func report(
        _ advertiser: Controller, _ advertising: Advertising, _ heard: HeardAddress,
        _ type: HCI.ExtendedReportType, _ payload: AdvertisingSet.Payload, to scanner: Controller,
        _ scanning: Scanning
    ) {
        guard !scanner.isHostBusy else {
            scanner.statistics.droppedReports += 1
            return
        }
        let parameters = advertising.set.parameters
        var report = HCI.ExtendedAdvertisingReport(
            type: type, address: heard.address, data: payload.octets,
            rssi: rssi(of: advertiser, at: scanner))
        report.isIdentity = heard.isIdentity
        var version: UInt64 = 0
        if !parameters.isLegacy {
            version = payload.version
            report.primaryPHY = parameters.primaryPHY
            report.secondaryPHY = parameters.secondaryPHY
            report.advertisingSet = parameters.setID
            if parameters.properties.contains(.includesTxPower) {
                report.txPower = advertiser.configuration.txPower
            }
            cut(&report, at: parameters.auxiliaryRoom, from: advertiser, to: scanner)
        }
        if type.contains(.directed) { report.target = parameters.peerAddress.withKind }
        let key = Scanning.Reported(
            address: report.address, type: type, set: report.advertisingSet, version: version)
        guard scanning.isNew(key, at: now) else { return }
        guard scanning.isExtended else {
            return send(.advertisingReport(.init(reports: [report.legacy])), to: scanner)
        }
        for piece in report.pieces { send(.extendedAdvertisingReport(.init(reports: [piece])), to: scanner) }
    }

    /// Cuts data off where a packet of its chain was lost.
    private func cut(
        _ report: inout HCI.ExtendedAdvertisingReport, at room: Int, from advertiser: Controller,
        to scanner: Controller
    ) {
        var received = room
        while received < report.data.count {
            guard delivers(from: advertiser, to: scanner) else {
                report.data.removeLast(report.data.count - received)
                report.type.insert(.truncated)
                return
            }
            received += 250
        }
    }
}

extension HCI.ExtendedAdvertisingReport {
    /// The report in pieces that fit into an event: 229 octets of data each.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.13.
    var pieces: [HCI.ExtendedAdvertisingReport] {
        guard data.count > 229 else { return [self] }
        return stride(from: 0, to: data.count, by: 229).map { start in
            var piece = self
            let end = min(start + 229, data.count)
            piece.data = Array(data[start..<end])
            if end < data.count {
                piece.type.remove(.truncated)
                piece.type.insert(.moreToCome)
            }
            return piece
        }
    }
}

extension BluetoothAddress {
    /// The kind and the address as they travel.
    fileprivate var withKind: [UInt8] {
        var writer = ByteWriter()
        writer.write(kind.rawValue)
        encode(into: &writer)
        return writer.octets
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
public import BLEWire

extension HostStack {
    /// Reports advertisers until ``stopScanning(at:)``.
    ///
    /// While a link is being opened the scan rests, because many controllers cannot do both.
    ///
    /// - Parameters:
    ///   - parameters: How to scan.
    ///   - now: The moment.
    public mutating func startScanning(_ parameters: ScanParameters, at now: HostInstant) {
        guard isReady else { return }
        pauseScan(at: now)
        guard parameters.addresses.count <= controller.filterAcceptListSize else {
            scanner = Scanner()
            tell(.scanFailed(.memoryCapacityExceeded))
            pump(at: now)
            return
        }
        scanner.parameters = parameters
        resumeScan(at: now)
        pump(at: now)
    }

    /// Reports no more advertisers.
    ///
    /// - Parameter now: The moment.
    public mutating func stopScanning(at now: HostInstant) {
        guard isReady, scanner.isWanted else { return }
        scanner.parameters = nil
        pauseScan(at: now)
        pump(at: now)
    }

    /// Lets the scan rest, if it runs.
    mutating func pauseScan(at now: HostInstant) {
        scanner.assembler.removeAll()
        if scanner.isOn { switchScan(off: true, at: now) }
    }

    /// Scans, if that is wanted and nothing stands against it.
    mutating func resumeScan(at now: HostInstant) {
        guard let parameters = scanner.parameters, !scanner.isOn, !initiator.isBusy else { return }
        let type: HCI.ScanType = parameters.isActive ? .active : .passive
        let policy: HCI.ScanFilterPolicy = parameters.addresses.isEmpty ? .all : .acceptList
        if policy == .acceptList { fillAcceptList(parameters.addresses, at: now) }
        if controller.usesExtendedCommands {
            let isCoded = parameters.includesCoded && controller.features.contains(.phyCoded)
            // Two PHYs share the time.
            let limit = isCoded ? parameters.interval.rawValue / 2 : .max
            let phy = HCI.LESetExtendedScanParameters.PHYParameters(
                type: type, interval: parameters.interval,
                window: AdvertisingInterval(rawValue: max(4, min(parameters.window.rawValue, limit))))
            command(
                HCI.LESetExtendedScanParameters(
                    ownAddressType: ownAddressType, filterPolicy: policy, le1M: phy,
                    leCoded: isCoded ? phy : nil), at: now)
        } else {
            command(
                HCI.LESetScanParameters(
                    type: type, interval: parameters.interval, window: parameters.window,
                    ownAddressType: ownAddressType, filterPolicy: policy), at: now)
        }
        switchScan(off: false, at: now)
    }

    private mutating func switchScan(off: Bool, at now: HostInstant) {
        scanner.isOn = !off
        let filter = scanner.parameters?.filterDuplicates ?? false
        if controller.usesExtendedCommands {
            command(
                HCI.LESetExtendedScanEnable(
                    enable: !off, duplicates: filter ? .on : .off, duration: 0, period: 0), at: now)
        } else {
            command(HCI.LESetScanEnable(enable: !off, filterDuplicates: filter), at: now)
        }
    }

    /// Puts these and no others on the filter accept list; nobody may be using it.
    mutating func fillAcceptList(_ addresses: [BluetoothAddress], at now: HostInstant) {
        command(HCI.LEClearFilterAcceptList(), at: now)
        for address in addresses { command(HCI.LEAddDeviceToFilterAcceptList(address: address), at: now) }
    }

    mutating func scanCommandCompleted(
        _ request: HCI.CommandQueue.Request, _ status: HCI.Status, at now: HostInstant
    ) {
        guard status != .success else { return }
        let isSwitch = request.opcode == .leSetScanEnable || request.opcode == .leSetExtendedScanEnable
        // Switching off what is off already is no failure.
        if isSwitch, request.parameters.first == 0 { return }
        guard scanner.isWanted else { return }
        // Parameters that were refused must not be scanned with, in case the next command was accepted.
        if !isSwitch { pauseScan(at: now) }
        scanner = Scanner()
        tell(.scanFailed(status))
    }

    /// Takes reports of a controller with extended advertising.
    ///
    /// Some such controllers report so even when scanning is legacy.
    mutating func receive(_ event: HCI.LEExtendedAdvertisingReport, at now: HostInstant) {
        guard isReady, scanner.isWanted else { return }
        for report in event.reports {
            guard let advertisement = scanner.assembler.receive(report, at: now) else { continue }
            heard(advertisement)
        }
    }

    /// Tells advertisements whose other parts do not come.
    mutating func scannerDeadline(at now: HostInstant) {
        while let advertisement = scanner.assembler.expire(at: now) { heard(advertisement) }
    }

    private mutating func heard(_ advertisement: ReceivedAdvertisement) {
        if advertisement.isTruncated { counters.brokenAdvertisements += 1 }
        tell(.advertisement(advertisement))
    }
}

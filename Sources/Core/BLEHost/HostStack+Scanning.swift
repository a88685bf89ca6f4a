// SPDX-License-Identifier: Apache-2.0

import BLEHCI
public import BLEWire

/// What is wanted of scanning, and what the controller was told.
struct Scanner {
    var parameters: ScanParameters?
    /// Whether the controller was told to scan.
    var isOn = false

    var isWanted: Bool { parameters != nil }
}

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
        if scanner.isOn { switchScan(off: true, at: now) }
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
        if scanner.isOn { switchScan(off: true, at: now) }
    }

    /// Scans, if that is wanted and nothing stands against it.
    mutating func resumeScan(at now: HostInstant) {
        guard let parameters = scanner.parameters, !scanner.isOn, !initiator.isBusy else { return }
        command(
            HCI.LESetScanParameters(
                type: parameters.isActive ? .active : .passive, interval: parameters.interval,
                window: parameters.window, ownAddressType: ownAddressType, filterPolicy: .all), at: now)
        switchScan(off: false, at: now)
    }

    private mutating func switchScan(off: Bool, at now: HostInstant) {
        scanner.isOn = !off
        let filter = scanner.parameters?.filterDuplicates ?? false
        command(HCI.LESetScanEnable(enable: !off, filterDuplicates: filter), at: now)
    }

    mutating func scanCommandCompleted(
        _ request: HCI.CommandQueue.Request, _ status: HCI.Status, at now: HostInstant
    ) {
        guard status != .success else { return }
        // Switching off what is off already is no failure.
        if request.opcode == .leSetScanEnable, request.parameters.first == 0 { return }
        guard scanner.isWanted else { return }
        // Parameters that were refused must not be scanned with, in case the next command was accepted.
        if request.opcode == .leSetScanParameters { pauseScan(at: now) }
        scanner = Scanner()
        tell(.scanFailed(status))
    }
}

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
        var parameters = parameters
        wantedAdvertisers = []
        if !canFilter(parameters.addresses) {
            wantedAdvertisers = parameters.addresses
            parameters.addresses = []
        }
        if parameters.addresses.count > controller.filterAcceptListSize {
            scanner.stop()
            report(.scanFailed(.memoryCapacityExceeded))
        } else {
            scanner.start(parameters, isHeld: initiator.isBusy || pause.isGoingOn)
        }
        drainScanner(at: now)
        pump(at: now)
    }

    /// Reports no more advertisers.
    ///
    /// - Parameter now: The moment.
    public mutating func stopScanning(at now: HostInstant) {
        guard isReady else { return }
        scanner.stop()
        drainScanner(at: now)
        pump(at: now)
    }

    /// Carries out what the scanner wants.
    mutating func drainScanner(at now: HostInstant) {
        while let output = scanner.nextOutput() {
            switch output {
            case .command(let command, let step, let run):
                send(command, for: .scan(step, run: run), at: now)
            case .failed(let status): report(.scanFailed(status))
            }
        }
    }

    private mutating func send(_ command: Scanner.Command, for purpose: Purpose, at now: HostInstant) {
        let isExtended = controller.usesExtendedCommands
        switch command {
        case .clearList: enqueue(HCI.LEClearFilterAcceptList(), for: purpose, at: now)
        case .addToList(let address):
            enqueue(HCI.LEAddDeviceToFilterAcceptList(address: address), for: purpose, at: now)
        case .configure(let parameters) where isExtended:
            configureExtendedScan(parameters, for: purpose, at: now)
        case .configure(let parameters):
            enqueue(
                HCI.LESetScanParameters(
                    type: parameters.isActive ? .active : .passive, interval: parameters.interval,
                    window: parameters.window, ownAddressType: ownAddressType,
                    filterPolicy: parameters.addresses.isEmpty ? .all : .acceptList), for: purpose, at: now)
        case .enable(let filter) where isExtended:
            enqueue(
                HCI.LESetExtendedScanEnable(
                    enable: true, duplicates: filter ? .on : .off, duration: 0, period: 0), for: purpose,
                at: now)
        case .enable(let filter):
            enqueue(HCI.LESetScanEnable(enable: true, filterDuplicates: filter), for: purpose, at: now)
        case .disable where isExtended:
            enqueue(
                HCI.LESetExtendedScanEnable(enable: false, duplicates: .off, duration: 0, period: 0),
                for: purpose, at: now)
        case .disable:
            enqueue(HCI.LESetScanEnable(enable: false, filterDuplicates: false), for: purpose, at: now)
        }
    }

    private mutating func configureExtendedScan(
        _ parameters: ScanParameters, for purpose: Purpose, at now: HostInstant
    ) {
        let phys = parameters.phys.intersection([.le1M, .leCoded]).possible(controller.features)
        // Two PHYs share the time; nearly everybody advertises on LE 1M.
        let isShared = phys == [.le1M, .leCoded]
        func phy(_ quarters: UInt16) -> HCI.LESetExtendedScanParameters.PHYParameters {
            let limit = isShared ? parameters.interval.rawValue / 4 * quarters : .max
            return HCI.LESetExtendedScanParameters.PHYParameters(
                type: parameters.isActive ? .active : .passive, interval: parameters.interval,
                window: AdvertisingInterval(rawValue: max(4, min(parameters.window.rawValue, limit))))
        }
        enqueue(
            HCI.LESetExtendedScanParameters(
                ownAddressType: ownAddressType,
                filterPolicy: parameters.addresses.isEmpty ? .all : .acceptList,
                le1M: phys.contains(.le1M) ? phy(3) : nil, leCoded: phys.contains(.leCoded) ? phy(1) : nil),
            for: purpose, at: now)
    }

    /// Handles reports of a controller with extended advertising.
    ///
    /// Some such controllers report so even when scanning is legacy.
    mutating func receive(_ event: HCI.LEExtendedAdvertisingReport, at now: HostInstant) {
        guard isReady, scanner.isWanted else { return }
        for report in event.reports {
            guard let advertisement = scanner.receive(report, at: now) else { continue }
            heard(advertisement)
        }
    }

    mutating func heard(_ advertisement: ReceivedAdvertisement) {
        if advertisement.isTruncated { counters.brokenAdvertisements += 1 }
        guard resolvesPeers else { return report(.advertisement(advertisement)) }
        var advertisement = advertisement
        if advertisement.isIdentity {
            pause.hasResolved = true
        } else if let identity = identity(resolving: advertisement.address) {
            advertisement.address = identity
            advertisement.isIdentity = true
        }
        guard wantedAdvertisers.isEmpty || wantedAdvertisers.contains(advertisement.address) else { return }
        report(.advertisement(advertisement))
    }
}

extension HCI.PHYs {
    /// Those of them that a controller has; LE 1M, which each has, when it is none of them.
    func possible(_ features: HCI.LEFeatures) -> HCI.PHYs {
        var possible: HCI.PHYs = [.le1M]
        if features.contains(.phy2M) { possible.insert(.le2M) }
        if features.contains(.phyCoded) { possible.insert(.leCoded) }
        possible.formIntersection(self)
        return possible.isEmpty ? .le1M : possible
    }
}

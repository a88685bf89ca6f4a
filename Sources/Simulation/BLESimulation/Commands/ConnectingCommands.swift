// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension Controller {
    /// Begins to look for a peer to connect to.
    fileprivate func initiate(_ initiating: Initiating) throws(HCI.Status) {
        if initiating.filterPolicy == .peerAddress, isLinked(to: initiating.peerAddress) {
            throw .connectionAlreadyExists
        }
        guard !isFull else { throw .connectionLimitExceeded }
        state.initiating = initiating
    }
}

extension HCI.LECreateConnection: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .legacy }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard controller.state.initiating == nil else { throw .commandDisallowed }
        guard scanInterval.isScanTime, scanWindow.isScanTime, scanWindow.rawValue <= scanInterval.rawValue
        else {
            throw .invalidHCICommandParameters
        }
        let link = try LinkParameters(
            choosingFrom: intervalMin, to: intervalMax, latency: maxLatency,
            supervisionTimeout: supervisionTimeout)
        let windows = ScanWindows(from: air.now, interval: scanInterval, window: scanWindow)
        try controller.initiate(
            Initiating(
                address: try controller.address(ownAddressType), ownAddressType: ownAddressType,
                filterPolicy: filterPolicy,
                peerAddress: peerAddress, isExtended: false, windows: (windows, nil),
                parameters: [(.le1M, link)]))
        return HCI.StatusOnly()
    }
}

extension HCI.LEExtendedCreateConnection: SimulatedCommand {
    static var advertisingCommands: Controller.AdvertisingCommands? { .extended }

    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard controller.state.initiating == nil else { throw .commandDisallowed }
        // Nobody announces on LE 2M.
        guard le1M != nil || leCoded != nil else { throw .invalidHCICommandParameters }
        var parameters: [(phy: HCI.PHY, link: LinkParameters)] = []
        for (phy, wanted) in [(HCI.PHY.le1M, le1M), (.le2M, le2M), (.leCoded, leCoded)] {
            guard let wanted else { continue }
            guard phy == .le2M || wanted.hasLawfulWindow else { throw .invalidHCICommandParameters }
            let link = try LinkParameters(
                choosingFrom: wanted.intervalMin, to: wanted.intervalMax, latency: wanted.maxLatency,
                supervisionTimeout: wanted.supervisionTimeout)
            parameters.append((phy, link))
        }
        try controller.initiate(
            Initiating(
                address: try controller.address(ownAddressType), ownAddressType: ownAddressType,
                filterPolicy: filterPolicy,
                peerAddress: peerAddress, isExtended: true,
                windows: (le1M?.windows(from: air.now), leCoded?.windows(from: air.now)),
                parameters: parameters))
        return HCI.StatusOnly()
    }
}

extension HCI.LEExtendedCreateConnection.PHYParameters {
    fileprivate var hasLawfulWindow: Bool {
        scanInterval.rawValue >= 4 && scanWindow.rawValue >= 4
            && scanWindow.rawValue <= scanInterval.rawValue
    }

    fileprivate func windows(from now: HostInstant) -> ScanWindows {
        ScanWindows(from: now, interval: scanInterval, window: scanWindow)
    }
}

extension HCI.LECreateConnectionCancel: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard controller.state.initiating != nil else { throw .commandDisallowed }
        controller.state.initiating = nil
        controller.followUps.append(
            controller.connectionEvent(.failed(.unknownConnectionIdentifier, role: .central)))
        return HCI.StatusOnly()
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire

// What the controller is told when a link is to be opened.
extension HostStack {
    mutating func createConnection(_ attempt: Initiator.Attempt, at now: HostInstant) {
        let isOne = attempt.addresses.count == 1
        if !isOne { fillAcceptList(attempt.addresses, at: now) }
        let policy: HCI.InitiatorFilterPolicy = isOne ? .peerAddress : .acceptList
        let peer = isOne ? attempt.name : BluetoothAddress(0, .public)
        let parameters = attempt.parameters
        let window = AdvertisingInterval(milliseconds: 60)
        guard controller.usesExtendedCommands else {
            command(
                HCI.LECreateConnection(
                    scanInterval: window, scanWindow: window, filterPolicy: policy, peerAddress: peer,
                    ownAddressType: ownAddressType, intervalMin: parameters.intervalMin,
                    intervalMax: parameters.intervalMax, maxLatency: parameters.latency,
                    supervisionTimeout: parameters.supervisionTimeout, minCELength: 0, maxCELength: 0),
                at: now)
            return
        }
        let isCoded = parameters.includesCoded && controller.features.contains(.phyCoded)
        let phy = HCI.LEExtendedCreateConnection.PHYParameters(
            scanInterval: window,
            // Two PHYs share the time.
            scanWindow: isCoded ? AdvertisingInterval(rawValue: window.rawValue / 2) : window,
            intervalMin: parameters.intervalMin, intervalMax: parameters.intervalMax,
            maxLatency: parameters.latency, supervisionTimeout: parameters.supervisionTimeout,
            minCELength: 0, maxCELength: 0)
        command(
            HCI.LEExtendedCreateConnection(
                filterPolicy: policy, ownAddressType: ownAddressType, peerAddress: peer, le1M: phy,
                le2M: controller.features.contains(.phy2M) ? phy : nil, leCoded: isCoded ? phy : nil),
            at: now)
    }

    /// An address was refused: whoever needs the list cannot go on.
    mutating func acceptListRefused(
        _ request: HCI.CommandQueue.Request, _ status: HCI.Status, at now: HostInstant
    ) {
        guard let attempt = initiator.current, attempt.addresses.count > 1 else {
            if scanner.isOn, scanner.parameters?.addresses.isEmpty == false {
                scanCommandCompleted(request, status, at: now)
            }
            return
        }
        guard case .initiating = initiator.state else { return }
        cancel(attempt, because: .controller(status: status.rawValue), at: now)
    }
}

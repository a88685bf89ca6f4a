// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire

// What the controller is told when a link is to be opened.
extension HostStack {
    /// Carries out what the initiator wants; meanwhile the scan rests.
    mutating func drainInitiator(at now: HostInstant) {
        if initiator.isBusy {
            scanner.rest()
            drainScanner(at: now)
        }
        while let output = initiator.nextOutput() {
            switch output {
            case .command(let command, let step, let attempt):
                send(command, for: .connect(step, attempt: attempt), at: now)
            case .failed(let address, let failure): report(.connectFailed(address, failure))
            }
        }
        guard !initiator.isBusy, isReady, !pause.isGoingOn else { return }
        scanner.resume()
        drainScanner(at: now)
    }

    private mutating func send(_ command: Initiator.Command, for purpose: Purpose, at now: HostInstant) {
        switch command {
        case .clearList: enqueue(HCI.LEClearFilterAcceptList(), for: purpose, at: now)
        case .addToList(let address):
            enqueue(HCI.LEAddDeviceToFilterAcceptList(address: address), for: purpose, at: now)
        case .create(let attempt): createConnection(attempt, for: purpose, at: now)
        case .cancel: enqueue(HCI.LECreateConnectionCancel(), for: purpose, at: now)
        }
    }

    private mutating func createConnection(
        _ attempt: Initiator.Attempt, for purpose: Purpose, at now: HostInstant
    ) {
        let isOne = attempt.addresses.count == 1
        let policy: HCI.InitiatorFilterPolicy = isOne ? .peerAddress : .acceptList
        let peer = isOne ? attempt.name : BluetoothAddress(0, kind: .public)
        let parameters = attempt.parameters
        let window = AdvertisingInterval(milliseconds: 60)
        guard controller.usesExtendedCommands else {
            enqueue(
                HCI.LECreateConnection(
                    scanInterval: window, scanWindow: window, filterPolicy: policy, peerAddress: peer,
                    ownAddressType: ownAddressType, intervalMin: parameters.intervalMin,
                    intervalMax: parameters.intervalMax, maxLatency: parameters.latency,
                    supervisionTimeout: parameters.supervisionTimeout, minCELength: 0, maxCELength: 0),
                for: purpose, at: now)
            return
        }
        let phys = parameters.phys.possible(controller.features)
        // Two PHYs share the time; nearly everybody advertises on LE 1M.
        let isShared = phys.isSuperset(of: [.le1M, .leCoded])
        func phy(_ quarters: UInt16) -> HCI.LEExtendedCreateConnection.PHYParameters {
            HCI.LEExtendedCreateConnection.PHYParameters(
                scanInterval: window,
                scanWindow: isShared ? AdvertisingInterval(rawValue: window.rawValue / 4 * quarters) : window,
                intervalMin: parameters.intervalMin, intervalMax: parameters.intervalMax,
                maxLatency: parameters.latency, supervisionTimeout: parameters.supervisionTimeout,
                minCELength: 0, maxCELength: 0)
        }
        enqueue(
            HCI.LEExtendedCreateConnection(
                filterPolicy: policy, ownAddressType: ownAddressType, peerAddress: peer,
                le1M: phys.contains(.le1M) ? phy(3) : nil, le2M: phys.contains(.le2M) ? phy(3) : nil,
                leCoded: phys.contains(.leCoded) ? phy(1) : nil),
            for: purpose, at: now)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// Advertising from one enable to its end.
final class Advertising {
    let address: BluetoothAddress

    init(address: BluetoothAddress) { self.address = address }
}

extension HCI.AdvertisingType {
    var isDirected: Bool { self == .connectableDirectedHighDuty || self == .connectableDirectedLowDuty }
    var isConnectable: Bool { self == .connectableUndirected || isDirected }
    var isScannable: Bool { self == .connectableUndirected || self == .scannableUndirected }

    /// How scanners are told of it.
    var reportType: HCI.AdvertisingReportType {
        switch self {
        case .connectableUndirected: .connectableUndirected
        case .connectableDirectedHighDuty, .connectableDirectedLowDuty: .connectableDirected
        case .scannableUndirected: .scannableUndirected
        case .nonConnectableUndirected: .nonConnectableUndirected
        }
    }
}

extension VirtualAir {
    /// Begins to advertise as the parameters say.
    func startAdvertising(_ controller: Controller) throws(HCI.Status) {
        let parameters = controller.state.advertisingParameters
        let address = try controller.address(parameters.ownAddressType)
        if parameters.type.isConnectable, controller.isFull { throw .connectionLimitExceeded }
        let advertising = Advertising(address: address)
        controller.state.advertising = advertising
        schedule.add(
            .advertising(controller, advertising), at: now.advanced(byMicroseconds: advertisingDelay()))
        if parameters.type == .connectableDirectedHighDuty {
            schedule.add(
                .advertisingTimeout(controller, advertising), at: now.advanced(byMicroseconds: 1_280_000))
        }
    }

    /// High duty advertising found nobody.
    func advertisingTimedOut(_ controller: Controller) {
        controller.state.advertising = nil
        send(.connectionComplete(.failed(.advertisingTimeout, role: .peripheral)), to: controller)
    }

    /// Sends one advertisement on its channels and lets those who listen answer.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.4.2.
    func advertisingEvent(of advertiser: Controller, _ advertising: Advertising) {
        let parameters = advertiser.state.advertisingParameters
        for receiver in controllers where receiver !== advertiser {
            let isScanning = receiver.state.scanning?.isListening(at: now) ?? false
            let isInitiating = receiver.state.initiating?.isListening(at: now) ?? false
            guard isScanning || isInitiating, delivers(from: advertiser, to: receiver) else { continue }
            if isScanning { scanned(advertiser, advertising, by: receiver) }
            if isInitiating, connect(receiver, to: advertiser, advertising) { return }
        }
        let interval: UInt64
        if parameters.type == .connectableDirectedHighDuty {
            interval = 3750
        } else {
            interval = parameters.intervalMin.microseconds + advertisingDelay()
        }
        schedule.add(.advertising(advertiser, advertising), at: now.advanced(byMicroseconds: interval))
    }

    /// The random delay that keeps advertisers from colliding time after time; 0 to 10 ms.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.4.2.2.1.
    private func advertisingDelay() -> UInt64 { UInt64.random(in: 0...10_000, using: &randomness) }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension VirtualAir {
    /// Checks whether a set may be advertised.
    ///
    /// - Returns: The address to do it with.
    func addressToAdvertise(_ set: AdvertisingSet, of controller: Controller) throws(HCI.Status)
        -> BluetoothAddress
    {
        let random = set.handle == nil ? controller.state.randomAddress : set.randomAddress
        let address = try controller.address(set.parameters.ownAddressType, random: random)
        if set.parameters.isConnectable, controller.isFull { throw .connectionLimitExceeded }
        return set.parameters.properties.contains(.anonymous)
            ? BluetoothAddress(0, kind: .anonymous) : address
    }

    /// Begins to advertise a set, or begins again; it ends after some microseconds, with 0 never.
    func startAdvertising(_ advertising: Advertising, of controller: Controller, duration: UInt64) {
        advertising.set.run = advertising
        schedule.add(
            .advertising(controller, advertising), at: now.advanced(byMicroseconds: advertisingDelay()))
        if duration > 0 {
            schedule.add(
                .advertisingTimeout(controller, advertising), at: now.advanced(byMicroseconds: duration))
        }
    }

    /// Advertising has come to its end without a link.
    func advertisingEnded(_ controller: Controller, _ advertising: Advertising, _ status: HCI.Status) {
        advertising.set.run = nil
        guard let handle = advertising.set.handle else {
            return send(controller.connectionEvent(.failed(status, role: .peripheral)), to: controller)
        }
        send(
            .advertisingSetTerminated(
                .init(
                    status: status, advertisingHandle: handle, handle: ConnectionHandle(rawValue: 0),
                    completedEvents: UInt8(min(255, advertising.events)))), to: controller)
    }

    /// Sends one advertisement on its channels and lets those who listen answer.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.4.2.
    func advertisingEvent(of advertiser: Controller, _ advertising: Advertising) {
        let parameters = advertising.set.parameters
        advertising.countEvent()
        advertising.chooseAddress(of: advertiser, in: self)
        for receiver in controllers where receiver !== advertiser {
            let scanning = receiver.state.scanning.flatMap { $0.hears(parameters, at: now) ? $0 : nil }
            let isInitiating = receiver.state.initiating?.hears(parameters, at: now) ?? false
            guard scanning != nil || isInitiating, delivers(from: advertiser, to: receiver) else { continue }
            // What is not legacy has its content in another packet.
            guard parameters.isLegacy || delivers(from: advertiser, to: receiver) else { continue }
            if let scanning { scanned(advertiser, advertising, by: receiver, scanning) }
            if isInitiating, connect(receiver, to: advertiser, advertising) { return }
        }
        if advertising.isUsedUp { return advertisingEnded(advertiser, advertising, .limitReached) }
        let interval = parameters.isHighDuty ? 3750 : parameters.interval + advertisingDelay()
        schedule.add(.advertising(advertiser, advertising), at: now.advanced(byMicroseconds: interval))
    }

    /// The random delay that keeps advertisers from colliding time after time; 0 to 10 ms.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.4.2.2.1.
    private func advertisingDelay() -> UInt64 { UInt64.random(in: 0...10_000, using: &randomness) }
}

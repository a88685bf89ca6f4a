// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLESessions
package import BluetoothLE
import CommandIO
import Companion
import CompanionDevices
package import CompanionText

extension EventPrinter {
    /// Runs a device, and prints what happens to it, until the task is cancelled or the radio is gone.
    ///
    /// A device goes on when nobody reads what is printed, so errors of the output end nothing.
    ///
    /// - Parameters:
    ///   - device: The device's session.
    ///   - name: What it calls itself.
    ///   - detail: More about it for a person.
    ///   - radio: The radio.
    ///   - event: Makes an event of what the session reports; `nil` for what nobody needs to know.
    /// - Throws: ``BluetoothError`` when the radio refuses or is lost.
    package func run<Device: DeviceSession & ~Copyable>(
        _ device: consuming sending Device, named name: String, detail: String? = nil, on radio: Radio,
        _ event: @escaping @Sendable (Device.Event) -> (any EventText)?
    ) async throws where Device.Event: Sendable {
        try await run(DeviceRunner(device, on: radio), named: name, detail: detail) { reported in
            if let event = event(reported) { try show(event) }
        }
    }

    /// Runs a device that reports nothing, as ``run(_:named:detail:on:_:)`` does.
    ///
    /// - Parameters:
    ///   - device: The device's session.
    ///   - name: What it calls itself.
    ///   - radio: The radio.
    /// - Throws: ``BluetoothError`` when the radio refuses or is lost.
    package func run<Device: DeviceSession & ~Copyable>(
        _ device: consuming sending Device, named name: String, on radio: Radio
    ) async throws where Device.Event == Never {
        try await run(DeviceRunner(device, on: radio), named: name) { _ in }
    }

    /// Runs a device that something else reaches, too, as ``run(_:named:detail:on:_:)`` does.
    ///
    /// - Parameters:
    ///   - runner: Runs the device.
    ///   - name: What it calls itself.
    ///   - detail: More about it for a person.
    ///   - report: Prints what the session reports.
    /// - Throws: ``BluetoothError`` when the radio refuses or is lost.
    package func run<Device: DeviceSession & ~Copyable>(
        _ runner: DeviceRunner<Device>, named name: String, detail: String? = nil,
        _ report: @escaping @Sendable (Device.Event) throws -> Void
    ) async throws where Device.Event: Sendable {
        try await runner.run(
            advertising: { try? show(DeviceAdvertising(name, detail: detail)) },
            watcher: { change in showAdvertising(change) }
        ) { reported in try? report(reported) }
    }

    /// Prints what becomes of a device's advertising, and who has paired.
    ///
    /// - Parameter change: What has happened to the device.
    func showAdvertising(_ change: ServerEvent) {
        switch change {
        case .advertisingStopped(let error): try? show(DeviceAdvertisingStopped(reason: error.description))
        case .advertisingResumed: try? show(DeviceAdvertisingResumed())
        case .secured(let client, let security):
            try? show(LinkSecured(link: client.link, client.peer, security))
        case .pairingFailed(let client, let failure):
            try? show(PairingFailed(link: client.link, client.peer, reason: failure.sentence))
        default: break
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

// What differs between Apple's framework and our own module of its name.

import BLEWire
import BluetoothLE

#if canImport(Darwin)
import CoreBluetooth
import Foundation

/// What Core Bluetooth runs on: the system of this device.
struct Surroundings: Sendable {
    /// The clock of the radio.
    let clock: any RadioClock = AwakeClock()
    /// Why there is no Bluetooth.
    let absence = "this device has no Bluetooth LE"

    /// Makes a part of Core Bluetooth.
    func make<Value>(_ body: () -> Value) -> Value { body() }

    /// Has the delegates of a channel's streams called on the queue.
    func schedule(_ channel: CBL2CAPChannel, on queue: QueueExecutor) {
        guard let input = channel.inputStream, let output = channel.outputStream else { return }
        CFReadStreamSetDispatchQueue(input as CFReadStream, queue.queue)
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, queue.queue)
    }
}
#else
import CoreBluetooth
import VirtualPhone

/// What Core Bluetooth runs on: the app of a virtual phone.
struct Surroundings: Sendable {
    private let app = VirtualPhone.App.current
    private let own = AwakeClock()

    /// The clock of the radio: that of the phone's.
    var clock: any RadioClock { app?.phone.radio.backend.clock ?? own }

    /// Why there is no Bluetooth.
    var absence: String {
        app == nil
            ? "no virtual phone is here: make a VirtualPhone and ask within the launch of its app"
            : "this phone has no Bluetooth LE"
    }

    /// Makes a part of Core Bluetooth, which then is the app's.
    func make<Value>(_ body: () -> Value) -> Value { app?.run(body) ?? body() }

    /// Has the delegates of a channel's streams called on the queue.
    func schedule(_ channel: CBL2CAPChannel, on queue: QueueExecutor) {
        channel.tellDelegates { queue.perform($0) }
    }
}
#endif

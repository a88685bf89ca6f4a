// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLEWire
import Companion
public import OverflowArea

/// An iPhone with an app that advertises, on the virtual air.
public enum SimulatedPhone {
    /// Its address, the same in every run.
    public static let address = BluetoothAddress(0xC0FF_EEF1_0F0E, kind: .random)
    /// What the demo app of the overflow area says.
    public static let demoPayload = OverflowPayload(0x0102_0304)

    /// Makes the phone.
    ///
    /// - Parameters:
    ///   - app: The app that runs on it.
    ///   - observer: Called for what the app reports, with the moment.
    /// - Returns: The phone, not started.
    public static func make(
        _ app: PhoneApp = PhoneApp(payload: demoPayload),
        observer: @escaping (PhoneApp.Event, HostInstant) -> Void = { _, _ in }
    ) -> SimulatedDevice<PhoneApp> {
        SimulatedDevice(
            kind: "iphone", app, address: address, position: VirtualAir.Position(x: 5), observer: observer)
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLEWire
import Companion
public import LEDBulb

/// An LED bulb on the virtual air.
public enum SimulatedBulb {
    /// Its address, the same in every run.
    public static let address = BluetoothAddress(0xC0FF_EEF1_B01B, kind: .random)

    /// Makes the bulb.
    ///
    /// - Parameters:
    ///   - dialect: Its dialect.
    ///   - observer: Called for what the bulb reports, with the moment.
    /// - Returns: The bulb, not started.
    public static func make(
        _ dialect: BulbDialect = .triones,
        observer: @escaping (LEDBulbDevice.Event, HostInstant) -> Void = { _, _ in }
    ) -> SimulatedDevice<LEDBulbDevice> {
        SimulatedDevice(
            kind: "bulb", LEDBulbDevice(dialect), address: address,
            position: VirtualAir.Position(x: 5), observer: observer)
    }
}

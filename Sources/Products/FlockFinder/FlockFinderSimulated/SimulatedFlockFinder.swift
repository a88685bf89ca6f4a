// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLEWire
import Companion
public import FlockFinder

/// A FlockFinder device on the virtual air.
public enum SimulatedFlockFinder {
    /// Its address, the same in every run.
    public static let address = BluetoothAddress(0xC0FF_EEF1_0C01, kind: .random)

    /// Makes the device.
    ///
    /// - Parameters:
    ///   - source: Where its detections come from.
    ///   - seed: What everything invented depends on.
    /// - Returns: The device, not started.
    public static func make(
        source: FlockFinderDevice.Source = .route, seed: UInt64 = 1
    ) -> SimulatedDevice<FlockFinderDevice> {
        SimulatedDevice(
            kind: "flockfinder", FlockFinderDevice(source: source, seed: seed), address: address,
            position: VirtualAir.Position(x: 2))
    }
}

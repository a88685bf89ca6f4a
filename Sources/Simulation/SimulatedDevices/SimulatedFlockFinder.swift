// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLEWire
public import FlockFinder

/// A FlockFinder device on the virtual air.
public enum SimulatedFlockFinder {
    /// Its address, the same in every run.
    public static let address = BluetoothAddress(0xC0FF_EEF1_0C01, .random)

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

/// One of each simulated device.
public enum SimulatedDevices {
    /// The kinds that there are, as they are named on the command line.
    public static let kinds = ["flockfinder"]

    /// Makes a device of a kind, at its fixed address.
    ///
    /// - Parameters:
    ///   - kind: One of ``kinds``.
    ///   - seed: What everything invented depends on.
    /// - Returns: The device, not started; `nil` when there is no such kind.
    public static func make(_ kind: String, seed: UInt64 = 1) -> (any SimulatedHost)? {
        switch kind {
        case "flockfinder": SimulatedFlockFinder.make(seed: seed)
        default: nil
        }
    }

    /// Makes one of each, at fixed addresses.
    ///
    /// - Parameter seed: What everything invented depends on.
    /// - Returns: The devices, not started.
    public static func all(seed: UInt64 = 1) -> [any SimulatedHost] {
        kinds.compactMap { make($0, seed: seed) }
    }
}

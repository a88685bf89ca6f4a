// SPDX-License-Identifier: Apache-2.0

public import BLESimulation

/// One of each simulated device.
public enum SimulatedDevices {
    /// The kinds that there are, as they are named on the command line.
    public static let kinds = ["flockfinder", "bulb", "iphone"]

    /// Makes a device of a kind, at its fixed address.
    ///
    /// - Parameters:
    ///   - kind: One of ``kinds``.
    ///   - seed: What everything invented depends on.
    /// - Returns: The device, not started; `nil` when there is no such kind.
    public static func make(_ kind: String, seed: UInt64 = 1) -> (any SimulatedHost)? {
        switch kind {
        case "flockfinder": SimulatedFlockFinder.make(seed: seed)
        case "bulb": SimulatedBulb.make()
        case "iphone": SimulatedPhone.make()
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

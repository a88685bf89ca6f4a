// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
import FlockFinderSimulated
public import Nightlight
import ProductRegistry

/// One of each simulated device.
public enum SimulatedDevices {
    /// The kinds that there are, as they are named on the command line.
    public static let kinds = products.map { $0.name }

    // Those of ``Products/all`` that can be simulated, in its order; Embedded Swift cannot ask them.
    static let products: [any SimulatedProduct] = [
        FlockFinderProduct(),
        WiFiSetProduct(),
        ImprovProduct(),
        LEDBulbProduct(),
        OverflowAreaProduct(),
        NightlightProduct(),
    ]

    /// Makes a device of a kind, at its fixed address.
    ///
    /// - Parameters:
    ///   - kind: One of ``kinds``.
    ///   - seed: What everything invented depends on.
    ///   - clock: What the clock of one that has a clock shows; `nil` when it was never set.
    /// - Returns: The device, not started; `nil` when there is no such kind.
    public static func make(
        _ kind: String, seed: UInt64 = 1, clock: ClockReading? = nil
    ) -> (any SimulatedHost)? {
        products.first { $0.name == kind }?.simulated(seed: seed, clock: clock)
    }

    /// Makes one of each, the strap and the thermometer with them, at fixed addresses: `await air.add(SimulatedDevices.all)`.
    ///
    /// - Returns: The devices, not started.
    public static func all() -> [any SimulatedHost] { all(seed: 1) }

    /// Makes one of each, the strap and the thermometer with them, at fixed addresses.
    ///
    /// - Parameters:
    ///   - seed: What everything invented depends on.
    ///   - clock: What the clocks of those that have one show; `nil` when they were never set.
    /// - Returns: The devices, not started.
    public static func all(seed: UInt64 = 1, clock: ClockReading? = nil) -> [any SimulatedHost] {
        ofProducts(seed: seed, clock: clock) + others.compactMap { makeOther($0) }
    }

    private static func ofProducts(seed: UInt64 = 1, clock: ClockReading?) -> [any SimulatedHost] {
        kinds.compactMap { make($0, seed: seed, clock: clock) }
    }

    /// Makes the neighbourhood of `--radio sim`: one of each product, what stands along the street, and a strap to explore.
    ///
    /// - Parameter clock: What the clocks of those that have one show; `nil` when they were never set.
    /// - Returns: The devices, not started.
    public static func neighbourhood(clock: ClockReading? = nil) -> [any SimulatedHost] {
        ofProducts(clock: clock) + SimulatedStreet.make() + [SimulatedStrap.make()]
    }
}

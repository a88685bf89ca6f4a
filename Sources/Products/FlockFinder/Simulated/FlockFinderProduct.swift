// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import Nightlight

/// FlockFinder, as the list of products knows it.
public final class FlockFinderProduct: Product {
    /// Its device's name on the command line.
    public let name = "flockfinder"

    /// Describes the product.
    public init() {}

    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost {
        SimulatedFlockFinder.make(seed: seed)
    }
}

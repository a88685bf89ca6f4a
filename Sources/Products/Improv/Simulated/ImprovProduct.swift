// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import Nightlight

/// Improv, as the list of products knows it.
public final class ImprovProduct: Product {
    /// Its device's name on the command line.
    public let name = "improv"

    /// Describes the product.
    public init() {}

    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost { SimulatedImprov.make() }
}

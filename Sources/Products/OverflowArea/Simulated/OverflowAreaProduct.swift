// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import Nightlight

/// OverflowArea, as the list of products knows it.
public final class OverflowAreaProduct: Product {
    /// Its device's name on the command line.
    public let name = "iphone"

    /// Describes the product.
    public init() {}

    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost { SimulatedPhone.make() }
}

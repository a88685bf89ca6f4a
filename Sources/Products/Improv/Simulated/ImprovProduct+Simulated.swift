// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import Companion
public import Nightlight

extension ImprovProduct: SimulatedProduct {
    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost { SimulatedImprov.make() }
}

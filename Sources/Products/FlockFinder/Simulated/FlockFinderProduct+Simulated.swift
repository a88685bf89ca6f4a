// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import Companion
public import Nightlight

extension FlockFinderProduct: SimulatedProduct {
    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost {
        SimulatedFlockFinder.make(seed: seed)
    }
}

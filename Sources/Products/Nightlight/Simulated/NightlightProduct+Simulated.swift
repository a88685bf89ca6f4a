// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import Companion
public import Nightlight

extension NightlightProduct: SimulatedProduct {
    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost {
        SimulatedNightlight.make(clock: clock)
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import Companion
public import Nightlight

/// A product whose device can be put on the virtual air.
public protocol SimulatedProduct: Product {
    /// Puts its device on the virtual air, at its fixed address.
    ///
    /// - Parameters:
    ///   - seed: What everything invented depends on.
    ///   - clock: What the clock of one that has a clock shows; `nil` when it was never set.
    /// - Returns: The device, not started.
    func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost
}

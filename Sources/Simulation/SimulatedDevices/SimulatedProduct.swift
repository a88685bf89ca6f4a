// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
import FlockFinderSimulated
import ImprovSimulated
import LEDBulbSimulated
public import Nightlight
import NightlightSimulated
import OverflowAreaSimulated
public import ProductRegistry
import WiFiSetSimulated

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

extension FlockFinderProduct: SimulatedProduct {
    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost {
        SimulatedFlockFinder.make(seed: seed)
    }
}

extension WiFiSetProduct: SimulatedProduct {
    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost { SimulatedWiFiSet.make() }
}

extension ImprovProduct: SimulatedProduct {
    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost { SimulatedImprov.make() }
}

extension LEDBulbProduct: SimulatedProduct {
    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost { SimulatedBulb.make() }
}

extension OverflowAreaProduct: SimulatedProduct {
    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost { SimulatedPhone.make() }
}

extension NightlightProduct: SimulatedProduct {
    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost {
        SimulatedNightlight.make(clock: clock)
    }
}

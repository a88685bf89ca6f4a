// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import Nightlight

/// A product: what everything that treats all products alike asks of it.
///
/// It is a class so that a module above can ask for more: LanternCommands has a protocol that refines this one, and
/// each product conforms to it there.
public protocol Product: AnyObject, Sendable {
    /// Its device's name on the command line.
    var name: String { get }

    /// Puts its device on the virtual air, at its fixed address.
    ///
    /// - Parameters:
    ///   - seed: What everything invented depends on.
    ///   - clock: What the clock of one that has a clock shows; `nil` when it was never set.
    /// - Returns: The device, not started.
    func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost
}

/// The products: the one list of them beside Package.swift.
public enum Products {
    /// All of them, in the order in which help lists them.
    public static let all: [any Product] = [
        FlockFinderProduct(),
        WiFiSetProduct(),
        ImprovProduct(),
        LEDBulbProduct(),
        OverflowAreaProduct(),
        NightlightProduct(),
    ]
}

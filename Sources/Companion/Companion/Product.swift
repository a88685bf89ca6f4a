// SPDX-License-Identifier: Apache-2.0

/// A product: what everything that treats all products alike asks of it.
///
/// It is a class so that a module above can ask for more: SimulatedDevices, LanternCommands and FuzzTargets each have a
/// protocol that refines this one, and each product conforms to it in a folder of its own.
public protocol Product: AnyObject, Sendable {
    /// Its device's name on the command line.
    var name: String { get }

    /// The names of the UUIDs of its services and characteristics.
    var uuidNames: UUIDNames { get }
}

extension Product {
    /// No names, for a product without services.
    public var uuidNames: UUIDNames { UUIDNames(services: [], characteristics: []) }
}

/// The products: the list of them that everything asks, beside Package.swift.
///
/// SimulatedDevices and FuzzTargets, which are Embedded Swift, cannot ask one of these for what only they know, and have a list
/// each; tests hold those against this one.
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

// SPDX-License-Identifier: Apache-2.0

public import BLEGATT

/// A product: what everything that treats all products alike asks of it.
///
/// It is a class so that a module above can ask for more: SimulatedDevices, LanternCommands and Fuzzing each have a
/// protocol that refines this one; products conform to the first there, to the others in folders of their own.
public protocol Product: AnyObject, Sendable {
    /// Its device's name on the command line.
    var name: String { get }

    /// What hub and pages call the kind of its devices: a `HubDevice.Kind`.
    var deviceKind: String { get }

    /// How its devices are recognized; `nil` where hub and pages have nothing for them.
    var recognition: DeviceRecognition? { get }

    /// The names of the UUIDs of its services and characteristics.
    var uuidNames: UUIDNames { get }
}

extension Product {
    /// The same as on the command line.
    public var deviceKind: String { name }

    /// Not at all.
    public var recognition: DeviceRecognition? { nil }

    /// No names, for a product without services.
    public var uuidNames: UUIDNames { UUIDNames(services: [], characteristics: []) }
}

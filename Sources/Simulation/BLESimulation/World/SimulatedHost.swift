// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A device of the simulation: a host that is fed and drained like every machine of Core.
public protocol SimulatedHost: AnyObject {
    /// The device's kind, as it is named on the command line.
    var kind: String { get }

    /// The address by which others know it.
    var address: BluetoothAddress { get }

    /// Its controller's place on the air and properties.
    var controller: VirtualAir.ControllerConfiguration { get }

    /// Starts the device.
    ///
    /// - Parameter now: The moment.
    func start(at now: HostInstant)

    /// Takes octets from its controller.
    ///
    /// - Parameters:
    ///   - octets: H4 packets, cut in any way.
    ///   - now: The moment.
    func receive(_ octets: [UInt8], at now: HostInstant)

    /// Handles ``nextDeadline`` once it has come.
    ///
    /// - Parameter now: The moment.
    func deadlineReached(at now: HostInstant)

    /// The next octets for its controller.
    ///
    /// - Returns: One whole H4 packet; `nil` when there is none.
    func nextOutput() -> [UInt8]?

    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { get }
}

extension SimulatedHost {
    /// The public address of its controller.
    public var address: BluetoothAddress { controller.address }
}

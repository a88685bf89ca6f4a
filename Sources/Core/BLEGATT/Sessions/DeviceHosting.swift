// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A host with a device session on it, whichever of the hosts and whichever session: what a simulated device is made of.
///
/// It has the shape of ``DeviceSession``: inputs with their moment, one drain, one deadline.
public protocol DeviceHosting: ~Copyable {
    /// What the session reports.
    associatedtype Event: Sendable
    /// Why the host is off.
    associatedtype Failure: Error

    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { get }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    mutating func nextOutput() -> DeviceHostOutput<Event, Failure>?

    /// Starts the controller, then the session.
    ///
    /// - Parameter now: The moment.
    mutating func start(at now: HostInstant)

    /// Takes octets from the controller.
    ///
    /// - Parameters:
    ///   - octets: H4 packets, cut in any way.
    ///   - now: The moment.
    mutating func receive(_ octets: [UInt8], at now: HostInstant)

    /// Handles ``nextDeadline`` once it has come.
    ///
    /// - Parameter now: The moment.
    mutating func deadlineReached(at now: HostInstant)

    /// Handles that the transport is gone: every link is lost, and the host is off until ``start(at:)``.
    ///
    /// - Parameter now: The moment.
    mutating func transportClosed(at now: HostInstant)
}

/// What a device on a host wants sent or reported.
public enum DeviceHostOutput<Event: Sendable, Failure: Error>: Sendable {
    /// Octets for the controller: one whole H4 packet.
    case send([UInt8])
    /// Something for whoever watches.
    case event(Event)
    /// Advertising is on the air.
    case advertising
    /// The host went off, or the controller refuses to advertise.
    case failed(Failure)
}

// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEWire

/// The device's end of a product's protocol, as a pure machine.
///
/// The same session runs as a simulated device, as a peripheral on any radio and as firmware. It has the
/// shape of ``ClientSession``: inputs with their moment, one drain, one deadline.
public protocol DeviceSession: SendableMetatype, ~Copyable {
    /// What the session reports to whoever runs the device.
    associatedtype Event: Sendable

    /// The services that the device offers, without GAP and GATT, which the host adds.
    var services: [GATT.ServiceDefinition] { get }

    /// The device's name, for GAP and the scan response.
    var name: WireText { get }

    /// The device's appearance, for GAP.
    var appearance: UInt16 { get }

    /// What the device advertises.
    var advertisement: DeviceAdvertisement { get }

    /// Starts the device: the first input of all.
    ///
    /// - Parameters:
    ///   - handles: Where the host has put the values of ``services``.
    ///   - now: The moment.
    mutating func start(handles: GATT.ValueHandles, at now: HostInstant)

    /// Handles an input.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    mutating func receive(_ input: DeviceInput, at now: HostInstant)

    /// Answers a read of a delegated value.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - link: Who reads.
    ///   - now: The moment.
    /// - Returns: The whole value, at most 512 octets.
    /// - Throws: The error that the client gets.
    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8]

    /// Handles a write of a delegated value.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - value: The whole new value.
    ///   - link: Who writes.
    ///   - now: The moment.
    /// - Throws: The error that the client gets, if it asked for an answer.
    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode)

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment, not before the deadline.
    mutating func deadlineReached(at now: HostInstant)

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    mutating func nextOutput() -> DeviceOutput<Event>?

    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { get }
}

extension DeviceSession where Self: ~Copyable {
    /// Answers a read of a delegated value, for hosts that pass results on.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - link: Who reads.
    ///   - now: The moment.
    /// - Returns: The whole value, or the error that the client gets.
    public mutating func answerRead(
        of handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) -> Result<[UInt8], ATT.ErrorCode> {
        do throws(ATT.ErrorCode) {
            return .success(try read(handle, on: link, at: now))
        } catch {
            return .failure(error)
        }
    }

    /// Takes a write of a delegated value, for hosts that pass results on.
    ///
    /// - Parameters:
    ///   - value: The whole new value.
    ///   - handle: The value's handle.
    ///   - link: Who writes.
    ///   - now: The moment.
    /// - Returns: Nothing, or the error that the client gets.
    public mutating func answerWrite(
        of value: [UInt8], to handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) -> Result<[UInt8], ATT.ErrorCode> {
        do throws(ATT.ErrorCode) {
            try write(handle, value, on: link, at: now)
            return .success([])
        } catch {
            return .failure(error)
        }
    }
}

/// What happened, for a device session.
public enum DeviceInput: Sendable {
    /// A client has opened a link.
    case connected(LinkID, Peer)
    /// A link is gone, and with it its subscriptions.
    case disconnected(LinkID)
    /// The MTU of a link has changed, in octets; 23 before.
    case mtuChanged(LinkID, Int)
    /// A client has switched notifications or indications of a value.
    case subscribed(LinkID, AttributeHandle, GATT.Subscription)
}

/// What a device session wants sent or reported.
public enum DeviceOutput<Event: Sendable>: Sendable {
    /// Send a value to a client if it has subscribed; what exceeds MTU - 3 octets is cut off.
    ///
    /// The server knows of a subscription as soon as it is answered, the session may be told a little later.
    /// One that sends every change to every link therefore misses nobody.
    case send(LinkID, AttributeHandle, [UInt8], GATT.ValueKind)
    /// The advertisement has changed.
    case advertisementChanged
    /// Something for whoever watches.
    case event(Event)
}

/// What a device advertises, as encoded AD structures.
public struct DeviceAdvertisement: Hashable, Sendable {
    /// The advertisement itself; more than 31 octets need a radio with extended advertising.
    public var data: [UInt8]
    /// The answer to a scan request; more than 31 octets need a radio with extended advertising.
    public var scanResponse: [UInt8]

    /// Makes an advertisement.
    public init(data: [UInt8], scanResponse: [UInt8]) {
        self.data = data
        self.scanResponse = scanResponse
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEWire

/// The client's end of a product's protocol, as a pure machine.
///
/// Four kinds of methods: inputs (`receive`, `deadlineReached` and the session's own commands), each with
/// the moment it happens; one drain, ``nextOutput()``, to be called until it returns `nil` after every
/// input; one deadline, ``nextDeadline``; and getters. It never waits, reads a clock or touches a radio:
/// whoever runs it (`BLESessions` on a host) carries out the actions and brings back what came of them.
public protocol ClientSession: SendableMetatype, ~Copyable {
    /// What the session reports to its user.
    associatedtype Event: Sendable

    /// Handles an input.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    mutating func receive(_ input: ClientInput, at now: HostInstant)

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment, not before the deadline.
    mutating func deadlineReached(at now: HostInstant)

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    mutating func nextOutput() -> ClientOutput<Event>?

    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { get }
}

/// What a client session puts out.
public enum ClientOutput<Event: Sendable>: Sendable {
    /// Something for the radio.
    case action(ClientAction)
    /// Something for the user.
    case event(Event)
    /// The session is over; it wants nothing any more.
    case finished
}

/// What a client session asks of the radio.
public enum ClientAction: Hashable, Sendable {
    /// Report advertisements until told to stop.
    case startScan
    /// Report no more advertisements.
    case stopScan
    /// Open a link; answered with `connected` or `connectFailed`.
    case connect(Peer)
    /// Find all services, characteristics and descriptors; answered with `discovered` or `discoveryFailed`.
    case discover
    /// Close the link, or give up opening it; answered with `disconnected` or `connectFailed`.
    case disconnect
    /// Do something with an attribute; answered with `completed` and the same id, in any order.
    case request(id: UInt32, ClientRequest)
}

/// What a client session may ask of a server's attribute.
public enum ClientRequest: Hashable, Sendable {
    /// Read a value, the whole of it.
    case read(AttributeHandle)
    /// Write a value and wait for the answer.
    case write(AttributeHandle, [UInt8])
    /// Write a value with no answer; completed when it was handed to the radio.
    case writeWithoutResponse(AttributeHandle, [UInt8])
    /// Switch notifications or indications on or off; nothing switches off.
    case subscribe(GATT.Characteristic, GATT.Subscription)
}

/// What happened, for a client session.
public enum ClientInput: Sendable {
    /// The radio can or cannot be used; the first input of all.
    case radio(RadioState)
    /// A device was heard.
    case advertisement(ClientAdvertisement)
    /// The link is open.
    case connected(Peer, mtu: Int)
    /// The link could not be opened.
    case connectFailed(Peer, LinkError)
    /// The MTU has changed, in octets.
    case mtuChanged(Int)
    /// The server's services are known, and what it has said wrongly about them.
    case discovered([GATT.Service], faults: [GATT.DiscoveryViolation] = [])
    /// The server's services could not be found out.
    case discoveryFailed(GATTRequestError)
    /// The server's services of these handles are not what they were: discover again.
    case servicesChanged(ATT.HandleRange)
    /// The server has sent a value by itself.
    case value(AttributeHandle, [UInt8], GATT.ValueKind)
    /// A request is done: what was read, or nothing, or why not.
    ///
    /// Of a value of which no more has come than its first part, that part, and why; where the server has refused to go on,
    /// there need not be more. A value that comes while a request is under way may be reported before its end or after.
    case completed(id: UInt32, Result<[UInt8], GATTRequestError>, cutShortBy: GATTRequestError? = nil)
    /// The link is gone, and everything that was asked on it is completed.
    ///
    /// It is the link of the last `connect`: once a session has connected again, an older one is told no more.
    case disconnected(LinkError)
}

/// Whether a radio can be used.
public enum RadioState: Hashable, Sendable {
    /// It can.
    case ready
    /// It is switched off or gone.
    case off
    /// This program may not use it.
    case unauthorized
}

/// What a session needs to know of an advertisement.
public struct ClientAdvertisement: Hashable, Sendable {
    /// Who sent it.
    public var peer: Peer
    /// The local name in it, as far as known.
    public var name: WireText?
    /// The service UUIDs in it, as far as known.
    public var services: [BluetoothUUID]
    /// How strong it was, in dBm; `nil` when the radio could not tell.
    public var rssi: Int8?
    /// Whether the sender accepts links.
    public var isConnectable: Bool

    /// Makes an advertisement.
    public init(
        peer: Peer,
        name: WireText? = nil,
        services: [BluetoothUUID] = [],
        rssi: Int8? = nil,
        isConnectable: Bool = true
    ) {
        self.peer = peer
        self.name = name
        self.services = services
        self.rssi = rssi
        self.isConnectable = isConnectable
    }
}

/// Why a link could not be opened or is gone.
public enum LinkError: Error, Hashable, Sendable {
    /// This side closed it.
    case closedByUs
    /// The other side closed it.
    case closedByPeer
    /// The other side closed a link that worked, for a reason: authentication, encryption keys, features or timing.
    ///
    /// Spec: Core v5.4, Vol 1, Part F, 1.3.
    case closedByPeerBecause(status: UInt8)
    /// The other side fell silent.
    case supervisionTimeout
    /// Nobody answered in time.
    case connectTimeout
    /// The other side broke the protocol or stopped answering requests.
    case protocolFailure
    /// Nobody on this side has taken out what the other side sent.
    case consumerTooSlow
    /// The same, and the controller of this side should have held it back: it has agreed to, and sent more than it may.
    case flowControlIgnored
    /// The radio is gone.
    case radioLost
    /// Another reason of the controller.
    ///
    /// Spec: Core v5.4, Vol 1, Part F, 1.3.
    case controller(status: UInt8)
}

/// Why a request failed.
public enum GATTRequestError: Error, Hashable, Sendable {
    /// The server refused.
    case refused(ATT.ErrorCode)
    /// The server did not answer within 30 s.
    case timeout
    /// The server's answer made no sense.
    case badResponse
    /// The link is gone.
    case disconnected
    /// The attribute cannot do this: for example, it has no client characteristic configuration.
    case unsupported
    /// Too many requests wait.
    case queueFull
    /// The request does not fit into one PDU, or the value is longer than any can be.
    case tooLong
}

// SPDX-License-Identifier: Apache-2.0

/// What this side takes on an L2CAP channel.
///
/// Platforms with a stack of their own choose for themselves and ignore it.
public struct ChannelOptions: Hashable, Sendable {
    /// The largest SDU that the peer may send, in octets; 23 to 65535.
    public var mtu: Int
    /// The largest frame that the peer may send, in octets; 23 to 65533.
    public var mps: Int
    /// Frames that the peer may send before it must wait; 1 to 65535.
    public var credits: Int
    /// Whether a link has to be encrypted before a peer may open one.
    package var isEncrypted = false

    /// Makes options; what waits in memory for a slow reader is about `mtu` + `mps` · `credits` octets.
    public init(mtu: Int = 65535, mps: Int = 1024, credits: Int = 16) {
        self.mtu = mtu
        self.mps = mps
        self.credits = credits
    }
}

/// What the two sides of a channel have agreed on.
public struct ChannelDescription: Hashable, Sendable {
    /// What the channel is for.
    public var psm: UInt16
    /// The peer.
    public var peer: Peer
    /// The largest SDU that may be sent, in octets.
    public var mtu: Int
    /// The largest frame that the peer takes, in octets; `nil` when the platform does not tell.
    public var mps: Int?
    /// The channel's number on this side; `nil` when the platform does not tell.
    public var localCID: UInt16?
    /// The channel's number on the peer's side; `nil` when the platform does not tell.
    public var remoteCID: UInt16?

    /// Makes a description.
    public init(
        psm: UInt16, peer: Peer, mtu: Int, mps: Int? = nil, localCID: UInt16? = nil,
        remoteCID: UInt16? = nil
    ) {
        self.psm = psm
        self.peer = peer
        self.mtu = mtu
        self.mps = mps
        self.localCID = localCID
        self.remoteCID = remoteCID
    }
}

/// An open L2CAP channel: SDUs both ways, none lost, in order, at the pace of the slower side.
///
/// It stays open until somebody closes it, also when nobody holds it any more.
public final class Channel: Sendable {
    let backend: any ChannelBackend

    package init(_ backend: any ChannelBackend) { self.backend = backend }

    /// What the two sides have agreed on.
    public var description: ChannelDescription { backend.description }

    /// Sends an SDU; waits while the peer does not take more, so that what waits is bounded.
    ///
    /// SDUs of one task arrive in order. An SDU that was accepted is lost only when the channel ends first.
    ///
    /// - Parameter sdu: The SDU, at most ``ChannelDescription/mtu`` octets; it may be empty.
    /// - Throws: ``BluetoothError/channel(_:)`` when the channel is closed, ``BluetoothError/tooLong(octets:limit:)``.
    public func send(_ sdu: [UInt8]) async throws(BluetoothError) {
        guard sdu.count <= description.mtu else { throw .tooLong(octets: sdu.count, limit: description.mtu) }
        try await backend.send(sdu)
    }

    /// What the peer sends; ends when either side closes the channel, and throws when it is lost.
    ///
    /// One consumer. The peer can send only as fast as SDUs are taken out.
    public func received() -> SDUStream { backend.received }

    /// Closes the channel and waits until it is closed; what was to be sent before still goes out if the peer
    /// takes it within 5 s.
    ///
    /// When the task is cancelled the channel is closed all the same, but not waited for.
    public func close() async { await backend.close() }

    /// Whether the channel is closed.
    public var isClosed: Bool { closeReason != nil }

    /// Why the channel is closed; `nil` while it is open.
    public var closeReason: ChannelError? { backend.ending.reason }

    /// Waits until the channel is closed.
    ///
    /// - Returns: Why.
    /// - Throws: ``BluetoothError/cancelled``, and nothing else.
    @discardableResult
    public func waitUntilClosed() async throws(BluetoothError) -> ChannelError {
        try await backend.ending.wait()
    }
}

/// A PSM at which peers may open channels.
public final class ChannelListener: Sendable {
    let backend: any ChannelListenerBackend

    init(_ backend: any ChannelListenerBackend) { self.backend = backend }

    /// The PSM; peers have to know it, for example from a characteristic.
    public var psm: UInt16 { backend.psm }

    /// The channels that peers open; ends when the listener is stopped or the radio is closed.
    ///
    /// One consumer. Up to ``waitingLimit`` channels wait; more are refused until some were taken out.
    public func channels() -> ChannelStream { backend.channels }

    /// How many channels that peers have opened may wait to be taken out.
    public static let waitingLimit = 64

    /// Lets peers open no more channels; those that are open stay so.
    public func stop() async { await backend.stop() }
}

/// Why a channel is closed, or could not be opened, by what a caller can do about it.
public enum ChannelError: Error, Hashable, Sendable {
    /// This side closed it.
    case closedByUs
    /// The peer closed it.
    case closedByPeer
    /// The peer offers nothing at this PSM: it may be another one, or be offered only at times.
    case notOffered
    /// The peer or this side has no room for another channel: close one, or try later.
    case noResources
    /// The peer wants the link authenticated, authorized or encrypted first.
    case insufficientSecurity
    /// The peer refused for another reason: the result's number.
    case refused(UInt16)
    /// The peer or this radio has no such channels.
    case unsupported
    /// The peer did not answer the request in time.
    case timeout
    /// The peer broke the rules of such channels; the text says how.
    case protocolViolation(String)
    /// The link is gone.
    case linkLost
}

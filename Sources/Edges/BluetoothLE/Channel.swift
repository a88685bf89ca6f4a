// SPDX-License-Identifier: Apache-2.0

public import BLEWire

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

    /// Makes options; what waits in memory for a slow reader is about `mtu` + `mps` · `credits` octets.
    ///
    /// - Parameters:
    ///   - mtu: The largest SDU that the peer may send, in octets.
    ///   - mps: The largest frame that the peer may send, in octets.
    ///   - credits: Frames that the peer may send before it must wait.
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
    public var address: BluetoothAddress
    /// The largest SDU that may be sent, in octets.
    public var mtu: Int
    /// The largest frame that the peer takes, in octets; `nil` when the platform does not tell.
    public var mps: Int?
    /// The channel's number on this side; `nil` when the platform does not tell.
    public var localCID: UInt16?
    /// The channel's number on the peer's side; `nil` when the platform does not tell.
    public var remoteCID: UInt16?

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - psm: What the channel is for.
    ///   - address: The peer.
    ///   - mtu: The largest SDU that may be sent, in octets.
    ///   - mps: The largest frame that the peer takes, in octets.
    ///   - localCID: The channel's number on this side.
    ///   - remoteCID: The channel's number on the peer's side.
    public init(
        psm: UInt16, address: BluetoothAddress, mtu: Int, mps: Int? = nil, localCID: UInt16? = nil,
        remoteCID: UInt16? = nil
    ) {
        self.psm = psm
        self.address = address
        self.mtu = mtu
        self.mps = mps
        self.localCID = localCID
        self.remoteCID = remoteCID
    }
}

/// SDUs of a channel, in the order in which they came; the peer may send more as they are taken out.
public struct ChannelStream: AsyncSequence, Sendable {
    /// Nothing fails.
    public typealias Failure = Never

    /// One SDU at a time, in order.
    public struct Iterator: AsyncIteratorProtocol {
        var base: RadioStream<[UInt8]>.Iterator
        let taken: @Sendable () -> Void

        /// The next SDU.
        ///
        /// - Returns: The SDU; `nil` when there will be no more or the task is cancelled.
        public mutating func next() async -> [UInt8]? { await next(isolation: nil) }

        /// The next SDU.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The SDU; `nil` when there will be no more or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            let sdu = await base.next(isolation: actor)
            if sdu != nil { taken() }
            return sdu
        }
    }

    let base: RadioStream<[UInt8]>
    let taken: @Sendable () -> Void

    /// Takes from a source, which has one stream; for backends.
    ///
    /// - Parameters:
    ///   - source: Where the SDUs come from.
    ///   - taken: Called for each SDU that was taken out.
    public init(_ source: RadioStream<[UInt8]>.Source, taken: @escaping @Sendable () -> Void) {
        base = RadioStream(source)
        self.taken = taken
    }

    /// Starts taking SDUs out.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), taken: taken) }
}

/// An open L2CAP channel: SDUs both ways, none lost, in order, at the pace of the slower side.
public protocol Channel: Sendable, AnyObject {
    /// What the two sides have agreed on.
    var description: ChannelDescription { get }

    /// Sends an SDU; waits while the peer does not take more, so that what waits is bounded.
    ///
    /// SDUs of one task arrive in order. An SDU that was accepted is lost only when the channel ends first.
    ///
    /// - Parameter sdu: The SDU, at most ``ChannelDescription/mtu`` octets; it may be empty.
    /// - Throws: ``BluetoothError``; ``BluetoothError/channel(_:)`` when the channel is closed.
    func send(_ sdu: [UInt8]) async throws(BluetoothError)

    /// What the peer sends; ends with the channel.
    ///
    /// One consumer. The peer can send only as fast as SDUs are taken out.
    func received() async -> ChannelStream

    /// Closes the channel and waits until it is closed; what was to be sent before still goes out if the peer
    /// takes it within 5 s.
    func close() async

    /// Waits until the channel is closed.
    ///
    /// - Returns: Why.
    func closed() async -> ChannelFailure
}

/// A PSM at which peers may open channels.
public protocol ChannelListener: Sendable, AnyObject {
    /// The PSM; peers have to know it, for example from a characteristic.
    var psm: UInt16 { get }

    /// The channels that peers open; ends when the listener is stopped or the radio is closed.
    ///
    /// One consumer.
    func channels() async -> AsyncStream<any Channel>

    /// Lets peers open no more channels; those that are open stay so.
    func stop() async
}

extension Connection {
    /// Says that the platform cannot do this.
    public func openChannel(
        psm: UInt16, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any Channel { throw .channel(.unsupported) }

    /// Opens an L2CAP channel with the usual options.
    ///
    /// - Parameter psm: What the channel is for, 0x0001 to 0x00FF.
    /// - Returns: The open channel.
    /// - Throws: ``BluetoothError``.
    public func openChannel(psm: UInt16) async throws(BluetoothError) -> any Channel {
        try await openChannel(psm: psm, ChannelOptions())
    }
}

extension Radio {
    /// Says that the platform cannot do this.
    public func listen(
        psm: UInt16?, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelListener { throw .channel(.unsupported) }

    /// Lets peers open L2CAP channels with the usual options.
    ///
    /// - Parameter psm: What the channels are for; `nil` chooses a free one.
    /// - Returns: The listener.
    /// - Throws: ``BluetoothError``.
    public func listen(psm: UInt16?) async throws(BluetoothError) -> any ChannelListener {
        try await listen(psm: psm, ChannelOptions())
    }
}

/// Why a channel is closed, or could not be opened, by what a caller can do about it.
public enum ChannelFailure: Error, Hashable, Sendable {
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

    /// One sentence for a person.
    public var sentence: String {
        switch self {
        case .closedByUs: "The channel was closed."
        case .closedByPeer: "The device closed the channel."
        case .notOffered: "The device offers no channel at this PSM: is the number right?"
        case .noResources: "There is no room for another channel: close one, or try again later."
        case .insufficientSecurity: "The device wants the link to be secured before it opens this channel."
        case .refused(let result): "The device refused the channel with result \(result)."
        case .unsupported: "The device or this radio has no L2CAP channels."
        case .timeout: "The device did not answer the request for a channel."
        case .protocolViolation(let what):
            "The channel was closed because the device broke its rules: \(what)."
        case .linkLost: "The connection was lost, and the channel with it."
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

extension L2CAP {
    /// Names one channel for as long as its link lives; never used twice.
    ///
    /// Channel numbers are used again as soon as a channel is closed; this name lets nobody mistake the next
    /// channel for the last.
    @frozen
    public struct ChannelToken: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: UInt32

        /// Wraps a number.
        @inlinable
        public init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// What this side takes on a channel.
    ///
    /// What waits for the application never exceeds the MTU and `credits` frames of `mps` octets by more than
    /// a few octets for each SDU: the peer gets credits back only as SDUs are consumed.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.22.
    public struct ChannelParameters: Hashable, Sendable {
        /// Octets of an SDU; 23 to 65535.
        public let mtu: Int
        /// Octets of a frame's payload; 23 to 65533.
        public let mps: Int
        /// Frames that the peer may send before it must wait; 1 to 65535.
        public let credits: Int

        /// Makes parameters; what is out of range becomes the nearest that is not.
        ///
        /// - Parameters:
        ///   - mtu: Octets of an SDU.
        ///   - mps: Octets of a frame's payload.
        ///   - credits: Frames that the peer may send before it must wait.
        public init(mtu: Int = 2048, mps: Int = 1024, credits: Int = 16) {
            self.mtu = min(max(mtu, L2CAP.minimumLimit), 65535)
            self.mps = min(max(mps, L2CAP.minimumLimit), L2CAP.maximumMPS)
            self.credits = min(max(credits, 1), 65535)
        }
    }

    /// The least that MTU and MPS of a credit-based channel may be, in octets.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.22.
    public static let minimumLimit = 23
    /// The most that the MPS of a credit-based channel may be, in octets.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.22.
    public static let maximumMPS = 65533

    /// A PSM at which the peer may open channels.
    public struct Listener: Hashable, Sendable {
        /// What the channels are for.
        public var psm: PSM
        /// What this side takes on them.
        public var parameters: ChannelParameters
        /// Whether a link has to be encrypted before.
        public var isEncrypted: Bool
        /// Why the peer may not open one as its link is now.
        public var refusal: ConnectionResult?

        /// Makes a listener.
        public init(
            psm: PSM, parameters: ChannelParameters = ChannelParameters(), isEncrypted: Bool = false
        ) {
            self.psm = psm
            self.parameters = parameters
            self.isEncrypted = isEncrypted
        }
    }

    /// What the two sides of a channel have agreed on.
    ///
    /// It is small, because it sets the size of the events of every host.
    public struct ChannelDescription: Hashable, Sendable {
        /// What the channel is for.
        public var psm: PSM
        /// Whether the peer has opened it.
        public var isIncoming: Bool
        /// This side's end.
        public var localCID: ChannelID
        /// The peer's end.
        public var remoteCID: ChannelID
        /// Octets of an SDU that the peer takes.
        public var peerMTU: UInt16
        /// Octets of a frame's payload that the peer takes.
        public var peerMPS: UInt16
        /// Frames that the peer takes at first.
        public var peerCredits: UInt16
    }

    /// What happens on a channel.
    ///
    /// Each channel that was asked for or opened by the peer ends with exactly one `closed`.
    public enum ChannelEvent: Hashable, Sendable {
        /// The channel is open.
        case opened(ChannelDescription)
        /// The peer has sent an SDU; tell when it is consumed.
        case received([UInt8])
        /// A channel whose queue was full takes SDUs again.
        case writable
        /// The channel is closed, or could not be opened.
        case closed(ChannelError)
    }

    /// Why a channel is closed, or could not be opened.
    public enum ChannelError: Error, Hashable, Sendable {
        /// This side closed it.
        case closedByUs
        /// The peer closed it.
        case closedByPeer
        /// The peer refused to open it.
        case refused(ConnectionResult)
        /// The peer rejected the request as such.
        case rejected(RejectReason)
        /// The peer did not answer the request in time.
        case timeout
        /// The peer's answer to the request makes no sense.
        case badResponse
        /// The peer broke the rules of the channel.
        case violation(ChannelViolation)
        /// There are too many channels on the link.
        case tooManyChannels
        /// The link is gone.
        case linkLost
    }

    /// What a peer did on a channel that closes it.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 3.4.3 and 10.1.
    public enum ChannelViolation: Error, Hashable, Sendable {
        /// It sent a frame although it had no credit.
        case noCredit
        /// It sent a frame whose payload exceeds our MPS.
        case frameTooLong
        /// It began an SDU that exceeds our MTU.
        case sduTooLong
        /// The first frame of an SDU does not say how long it is, or the frames hold more than that.
        case badLength
        /// It gave more than 65535 credits.
        case creditOverflow
    }

    /// What became of an SDU that was to be sent.
    public enum SendOutcome: Hashable, Sendable {
        /// It goes out as soon as the peer lets it.
        case accepted
        /// The queue is full; `writable` will say that it no longer is.
        case full
        /// The peer does not take SDUs that long.
        case tooLong
        /// The channel is not open.
        case notOpen
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension L2CAP {
    /// The credit-based channels of one link, opened by either side.
    ///
    /// ```
    ///          open               response: success
    ///    ─ ──────────▶ connecting ─────────────────▶ open ◀──────────── a request at a PSM of ours
    ///                    │    │ time is up, close     │ │
    ///            refused │    ▼                 close │ │ the peer breaks a rule
    ///                    │  abandoned                 ▼ │
    ///                    │    │ success          draining ──────┐ all is sent, time is up
    ///                    │    ├─────────────────────────┬─────▶ closing
    ///                    ▼    ▼ refused, time is up     ▼ the peer closes, response, time is up
    ///                  gone ◀─────────────────────────────────────┘
    /// ```
    ///
    /// - Inputs: ``receive(_:listeners:at:)`` (signalling), ``receive(_:on:at:)`` (data),
    ///   ``receivedTooLong(on:at:)``, ``linkClosed()``, ``deadlineReached(at:)``.
    /// - Commands: ``open(_:_:at:)``, ``send(_:through:)``, ``consumed(_:through:)``, ``close(_:at:)``.
    /// - Drains: ``nextOutput()`` until `nil` after each of these, then ``nextFrame(at:)`` whenever the link
    ///   takes a frame, and ``nextOutput()`` after that. Signalling that was put out must leave before frames
    ///   that are asked for later.
    ///
    /// Memory is bounded: ``maximumChannels`` channels, each with what its ``ChannelParameters`` say to receive
    /// and less than 32 KiB and one SDU to send.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 3.4, 4.6, 4.7, 4.22 to 4.24 and 10.1.
    public struct Channels: ~Copyable {
        /// What the channels want sent or reported.
        public enum Output: Hashable, Sendable {
            /// A packet for the signalling channel.
            case signal(SignallingPacket)
            /// Something for the application.
            case event(ChannelToken, ChannelEvent)
        }

        /// Channels that one link may have.
        public static let maximumChannels = 32
        /// Identifiers of requests about channels; those above are left to other requests of the link.
        public static let identifiers: ClosedRange<UInt8> = 0x01...0xEF
        /// Seconds for an answer to a request for a channel (RTX).
        ///
        /// Spec: Core v5.4, Vol 3, Part A, 6.2.1.
        static let connectSeconds: UInt64 = 30
        /// Seconds for an answer to a request that nobody wants answered any more.
        static let lateSeconds: UInt64 = 60
        /// Seconds for what waits to go out before a channel is closed, and again for the answer to that.
        static let closeSeconds: UInt64 = 5

        var channels: [Channel] = []
        var outputs = FIFO<Output>()
        private var lastToken: UInt32 = 0
        private var lastCID = ChannelID.dynamic.upperBound
        private var lastIdentifier: UInt8 = 0
        /// The channel whose turn it is to send.
        private var turn = 0

        /// Starts with no channels.
        public init() {}

        /// The next output.
        ///
        /// - Returns: The output; `nil` when there is nothing until the next input.
        public mutating func nextOutput() -> Output? { outputs.popFirst() }

        /// When to call ``deadlineReached(at:)`` at the latest.
        public var nextDeadline: HostInstant? {
            var earliest: HostInstant?
            for channel in channels { earliest = HostInstant.earliest(earliest, channel.nextDeadline) }
            return earliest
        }

        /// Whether ``nextFrame(at:)`` has something.
        public var hasFrames: Bool { channels.contains { $0.hasFrame } }

        /// How many channels there are, those included that are being opened or closed.
        public var count: Int { channels.count }

        /// Asks the peer for a channel; ends with `closed`, if all goes well after `opened`.
        ///
        /// - Parameters:
        ///   - psm: What it is for.
        ///   - parameters: What this side takes.
        ///   - now: The moment.
        /// - Returns: The channel's name.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func open(
            _ psm: PSM, _ parameters: ChannelParameters = ChannelParameters(), at now: HostInstant
        ) -> ChannelToken {
            let token = nextToken()
            guard let cid = nextCID() else {
                report(token, .closed(.tooManyChannels))
                return token
            }
            let identifier = nextIdentifier()
            channels.append(
                Channel(
                    token: token, psm: psm, localCID: cid, parameters: parameters,
                    state: .connecting(
                        identifier: identifier, deadline: now.advanced(bySeconds: Self.connectSeconds))))
            signal(
                CreditBasedConnectionRequest(
                    psm: psm, source: cid, mtu: UInt16(parameters.mtu), mps: UInt16(parameters.mps),
                    credits: UInt16(parameters.credits)), identifier)
            return token
        }

        /// Sends an SDU as soon as the peer lets it.
        ///
        /// - Parameters:
        ///   - sdu: The SDU; it may be empty.
        ///   - token: Through which channel.
        /// - Returns: What becomes of it.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func send(_ sdu: [UInt8], through token: ChannelToken) -> SendOutcome {
            channel(token)?.enqueue(sdu) ?? .notOpen
        }

        /// Takes in that the application is done with SDUs, which lets the peer send more.
        ///
        /// - Parameters:
        ///   - count: How many SDUs, oldest first; more than there are is as good as all.
        ///   - token: Of which channel.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func consumed(_ count: Int, through token: ChannelToken) {
            guard let channel = channel(token) else { return }
            channel.consumed(count)
            grant(channel)
        }

        /// Closes a channel; ends with `closed`.
        ///
        /// What waits goes out before, as far as the peer lets it within 5 s; what comes is still received.
        ///
        /// - Parameters:
        ///   - token: Which channel.
        ///   - now: The moment.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func close(_ token: ChannelToken, at now: HostInstant) {
            guard let channel = channel(token) else { return }
            switch channel.state {
            case .connecting(let identifier, _):
                abandon(channel, identifier, .closedByUs, at: now)
            case .open where channel.isDrained: requestDisconnection(channel, .closedByUs, at: now)
            case .open: channel.state = .draining(deadline: now.advanced(bySeconds: Self.closeSeconds))
            case .abandoned, .draining, .closing: break
            }
        }

        /// Takes in that the link is gone: every channel ends.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func linkClosed() {
            for channel in channels {
                if case .closing = channel.state {
                    end(channel, .closedByUs)
                } else {
                    end(channel, .linkLost)
                }
            }
            channels = []
        }

        /// Does what is due at ``nextDeadline``.
        ///
        /// - Parameter now: The moment.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func deadlineReached(at now: HostInstant) {
            for channel in channels {
                switch channel.state {
                case .connecting(let identifier, let deadline) where deadline <= now:
                    abandon(channel, identifier, .timeout, at: now)
                case .draining(let deadline) where deadline <= now:
                    requestDisconnection(channel, .closedByUs, at: now)
                case .abandoned(_, let deadline) where deadline <= now,
                    .closing(_, let deadline) where deadline <= now:
                    remove(channel, .closedByUs)
                default: break
                }
            }
        }

        /// A number for a request on this link, none that still waits for its answer.
        ///
        /// - Returns: One of ``identifiers``.
        public mutating func nextIdentifier() -> UInt8 {
            repeat {
                lastIdentifier = lastIdentifier < Self.identifiers.upperBound ? lastIdentifier + 1 : 1
            } while channels.contains { $0.identifier == lastIdentifier }
            return lastIdentifier
        }

        /// The next frame of the channels, which take turns.
        ///
        /// - Parameter now: The moment.
        /// - Returns: A whole frame; `nil` when nothing waits or the peer lets nothing go out.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func nextFrame(at now: HostInstant) -> [UInt8]? {
            guard !channels.isEmpty else { return nil }
            for _ in channels {
                turn = turn &+ 1 < channels.count ? turn &+ 1 : 0
                let channel = channels[turn]
                guard channel.hasFrame, let frame = channel.nextFrame() else { continue }
                if channel.becameWritable() { report(channel.token, .writable) }
                if case .draining = channel.state, channel.isDrained {
                    requestDisconnection(channel, .closedByUs, at: now)
                }
                return frame
            }
            return nil
        }
    }
}

extension L2CAP.Channels {
    func channel(_ token: L2CAP.ChannelToken) -> Channel? { channels.first { $0.token == token } }

    func channel(local cid: L2CAP.ChannelID) -> Channel? { channels.first { $0.localCID == cid } }

    func channel(remote cid: L2CAP.ChannelID) -> Channel? {
        channels.first { $0.isConnected && $0.remoteCID == cid }
    }

    mutating func report(_ token: L2CAP.ChannelToken, _ event: L2CAP.ChannelEvent) {
        outputs.append(.event(token, event))
    }

    mutating func signal(_ command: some L2CAP.SignallingCommand, _ identifier: UInt8) {
        outputs.append(.signal(L2CAP.SignallingPacket(command, identifier: identifier)))
    }

    /// Reports the end of a channel, if it was not reported before.
    mutating func end(_ channel: Channel, _ failure: L2CAP.ChannelError) {
        guard !channel.isEnded else { return }
        channel.isEnded = true
        report(channel.token, .closed(failure))
    }

    /// Reports the end of a channel whose request the peer may still answer.
    mutating func abandon(
        _ channel: Channel, _ identifier: UInt8, _ failure: L2CAP.ChannelError, at now: HostInstant
    ) {
        channel.state = .abandoned(
            identifier: identifier, deadline: now.advanced(bySeconds: Self.lateSeconds))
        end(channel, failure)
    }

    mutating func remove(_ channel: Channel, _ failure: L2CAP.ChannelError) {
        channels.removeAll { $0 === channel }
        end(channel, failure)
    }

    /// Asks the peer to close a channel; nothing is sent or received on it from now on.
    mutating func requestDisconnection(
        _ channel: Channel, _ failure: L2CAP.ChannelError, at now: HostInstant
    ) {
        channel.discard()
        let identifier = nextIdentifier()
        channel.state = .closing(
            identifier: identifier, deadline: now.advanced(bySeconds: Self.closeSeconds))
        signal(
            L2CAP.DisconnectionRequest(destination: channel.remoteCID, source: channel.localCID), identifier)
        if failure != .closedByUs { end(channel, failure) }
    }

    /// Gives the peer credits back.
    mutating func grant(_ channel: Channel) {
        guard let credits = channel.nextGrant() else { return }
        signal(L2CAP.FlowControlCredit(channel: channel.localCID, credits: credits), nextIdentifier())
    }

    mutating func nextToken() -> L2CAP.ChannelToken {
        lastToken &+= 1
        return L2CAP.ChannelToken(rawValue: lastToken)
    }

    /// A channel number that is not in use; the one that was free for the longest time.
    mutating func nextCID() -> L2CAP.ChannelID? {
        guard channels.count < Self.maximumChannels else { return nil }
        let range = L2CAP.ChannelID.dynamic
        for _ in range {
            lastCID = lastCID < range.upperBound ? lastCID + 1 : range.lowerBound
            let cid = L2CAP.ChannelID(rawValue: lastCID)
            if channel(local: cid) == nil { return cid }
        }
        return nil
    }
}

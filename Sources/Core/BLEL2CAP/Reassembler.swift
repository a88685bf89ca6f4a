// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension L2CAP {
    /// Puts the frames of one link together from ACL payloads.
    ///
    /// ```
    ///            first, whole            first, not all yet
    ///   empty ─────────────▶ frame   empty ───────────────▶ begun
    ///   begun: continuing pieces until the announced length is there; too much, or another first: fault
    /// ```
    ///
    /// It holds one begun frame of bounded size. Frames that are announced longer than the bound are passed
    /// over piece by piece, so that one such frame does no harm to the next.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 7.2.2.
    public struct Reassembler: ~Copyable {
        /// What a piece led to.
        public enum Outcome: Hashable, Sendable {
            /// More pieces are due.
            case incomplete
            /// A frame is whole: its channel, and octets whose payload begins after the header.
            case frame(ChannelID, [UInt8])
            /// The piece, or the frame it belongs to, was dropped.
            case fault(Fault)
        }

        /// Why octets were dropped.
        public enum Fault: Hashable, Sendable {
            /// A continuing piece came with no frame begun.
            case unexpectedContinuation
            /// A new frame began before the last was whole; the new one goes on.
            case unfinished
            /// More octets came than the frame had announced.
            case tooMuch
            /// A first piece was too short to say how long the frame is.
            case shortHeader
            /// The frame is announced longer than the bound: how long, and on which channel.
            case tooLong(Int, ChannelID)
        }

        private enum State {
            case empty
            case begun([UInt8], length: Int)
            case skipping(remaining: Int)
        }

        private var state = State.empty
        /// Octets of payload that a frame may have.
        public var maximumPayload: Int
        /// Pieces and frames that were dropped.
        public private(set) var faults = 0

        /// Starts with nothing begun.
        public init(maximumPayload: Int) { self.maximumPayload = maximumPayload }

        /// Takes the payload of an ACL packet.
        ///
        /// - Parameters:
        ///   - payload: The payload.
        ///   - isFirst: Whether the packet says that a frame begins.
        /// - Returns: What it led to; a frame that fits one packet is not copied.
        public mutating func receive(_ payload: [UInt8], isFirst: Bool) -> Outcome {
            isFirst ? begin(payload) : proceed(payload)
        }

        /// The channel of a payload that is a whole frame and can be read where it lies.
        ///
        /// - Parameters:
        ///   - payload: The payload of an ACL packet.
        ///   - isFirst: Whether the packet says that a frame begins.
        /// - Returns: The channel; `nil` when ``receive(_:isFirst:)`` has to take the payload.
        public func wholeFrame(_ payload: RawSpan, isFirst: Bool) -> ChannelID? {
            guard isFirst, case .empty = state else { return nil }
            var reader = ByteReader(payload)
            do throws(DecodeError) {
                let length = Int(try reader.readUInt16())
                let channel = ChannelID(rawValue: try reader.readUInt16())
                return length == reader.remaining && length <= maximumPayload ? channel : nil
            } catch {
                return nil
            }
        }

        private mutating func begin(_ payload: [UInt8]) -> Outcome {
            var interrupted = false
            if case .begun = state { interrupted = true }
            state = .empty
            guard payload.count >= L2CAP.headerLength else { return fault(.shortHeader) }
            let length = Int(payload[0]) | Int(payload[1]) << 8
            let total = length + L2CAP.headerLength
            guard length <= maximumPayload else {
                state = payload.count < total ? .skipping(remaining: total - payload.count) : .empty
                return fault(.tooLong(length, Self.channel(payload)))
            }
            guard payload.count <= total else { return fault(.tooMuch) }
            if interrupted { faults += 1 }
            if payload.count == total { return .frame(Self.channel(payload), payload) }
            var octets = payload
            octets.reserveCapacity(total)
            state = .begun(octets, length: total)
            return interrupted ? .fault(.unfinished) : .incomplete
        }

        private mutating func proceed(_ payload: [UInt8]) -> Outcome {
            let current = state
            state = .empty
            switch current {
            case .empty: return fault(.unexpectedContinuation)
            case .skipping(let remaining):
                if payload.count < remaining { state = .skipping(remaining: remaining - payload.count) }
                return .incomplete
            case .begun(var octets, let length):
                guard octets.count + payload.count <= length else { return fault(.tooMuch) }
                octets.append(contentsOf: payload)
                if octets.count == length { return .frame(Self.channel(octets), octets) }
                state = .begun(octets, length: length)
                return .incomplete
            }
        }

        private mutating func fault(_ fault: Fault) -> Outcome {
            faults += 1
            return .fault(fault)
        }

        private static func channel(_ octets: [UInt8]) -> ChannelID {
            ChannelID(rawValue: UInt16(octets[2]) | UInt16(octets[3]) << 8)
        }
    }

    /// Makes a frame.
    ///
    /// | offset | size | field   |
    /// |--------|------|---------|
    /// | 0      | 2    | length of the payload |
    /// | 2      | 2    | channel |
    /// | 4      | n    | payload |
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 3.1.
    ///
    /// - Parameters:
    ///   - payload: The payload, at most 65535 octets.
    ///   - channel: The channel.
    /// - Returns: The frame's octets.
    public static func frame(_ payload: [UInt8], on channel: ChannelID) -> [UInt8] {
        var writer = ByteWriter(capacity: payload.count + headerLength)
        writer.write(UInt16(truncatingIfNeeded: payload.count))
        writer.write(channel.rawValue)
        writer.write(payload)
        return writer.octets
    }
}

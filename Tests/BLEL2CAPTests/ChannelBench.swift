// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire

/// The channels of one link, driven octet by octet, as a peer would.
final class ChannelBench {
    var channels = L2CAP.Channels()
    var now = HostInstant.zero
    var listeners: [L2CAP.Listener] = []
    /// Signalling packets that were put out, as hex.
    var signals: [String] = []
    /// What the application was told.
    var events: [String] = []

    // A noncopyable machine cannot be looked at in an expectation.
    var count: Int { channels.count }
    var hasFrames: Bool { channels.hasFrames }
    var nextDeadline: HostInstant? { channels.nextDeadline }

    static let psm = L2CAP.PSM(rawValue: 0x80)

    /// A bench that listens at PSM 0x0080.
    static func listening(_ parameters: L2CAP.ChannelParameters = small) -> ChannelBench {
        let bench = ChannelBench()
        bench.listeners = [L2CAP.Listener(psm: psm, parameters: parameters)]
        return bench
    }

    /// MTU 100, MPS 23, 2 credits.
    static let small = L2CAP.ChannelParameters(mtu: 100, mps: 23, credits: 2)

    /// A bench with one channel that the peer has opened: 0x0040 here, 0x0041 there, as named 1.
    static func open(
        _ parameters: L2CAP.ChannelParameters = small, mtu: Int = 100, mps: Int = 23, credits: Int = 2
    ) -> ChannelBench {
        let bench = listening(parameters)
        bench.ask(9, psm: 0x80, source: 0x41, mtu: mtu, mps: mps, credits: credits)
        bench.forget()
        return bench
    }

    func forget() { (signals, events) = ([], []) }

    /// What was put out since the last time.
    func outputs() -> (signals: [String], events: [String]) {
        defer { forget() }
        return (signals, events)
    }

    @discardableResult
    func update<R>(_ body: (inout L2CAP.Channels) -> R) -> R {
        let result = body(&channels)
        drain()
        return result
    }

    private func drain() {
        while let output = channels.nextOutput() {
            switch output {
            case .signal(let packet): signals.append(packet.octets.hexadecimal)
            case .event(let token, let event): events.append("\(token.rawValue) \(Self.words(event))")
            }
        }
    }

    /// A packet from the peer.
    @discardableResult
    func signal(_ hex: String) -> Bool {
        let octets = [UInt8](hexadecimal: hex) ?? []
        var reader = ByteReader(octets.span.bytes)
        guard let packet = try? L2CAP.SignallingPacket(decoding: &reader) else { return false }
        let now = now
        let listeners = listeners
        return update { $0.receive(packet, listeners: listeners, at: now) }
    }

    /// The peer asks for a channel.
    func ask(
        _ identifier: UInt8, psm: Int, source: Int, mtu: Int = 100, mps: Int = 23, credits: Int = 2
    ) {
        let fields = [psm, source, mtu, mps, credits].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        signal(([0x14, identifier, 10, 0] + fields).hexadecimal)
    }

    /// A frame from the peer.
    @discardableResult
    func frame(_ payload: [UInt8], on cid: UInt16 = 0x40) -> Bool {
        let now = now
        return update { $0.receive(payload.span.bytes, on: .init(rawValue: cid), at: now) }
    }

    @discardableResult
    func frame(_ hex: String, on cid: UInt16 = 0x40) -> Bool {
        frame([UInt8](hexadecimal: hex) ?? [], on: cid)
    }

    func send(_ sdu: [UInt8], _ token: UInt32 = 1) -> L2CAP.SendOutcome {
        update { $0.send(sdu, through: .init(rawValue: token)) }
    }

    func consume(_ count: Int, _ token: UInt32 = 1) {
        update { $0.consumed(count, through: .init(rawValue: token)) }
    }

    func close(_ token: UInt32 = 1) {
        let now = now
        update { $0.close(.init(rawValue: token), at: now) }
    }

    func open(_ psm: UInt16 = 0x80, _ parameters: L2CAP.ChannelParameters = small) -> UInt32 {
        let now = now
        return update { $0.open(.init(rawValue: psm), parameters, at: now) }.rawValue
    }

    /// The frames that may go out, as hex.
    func frames() -> [String] {
        var frames: [String] = []
        let now = now
        while let frame = update({ $0.nextFrame(at: now) }) { frames.append(frame.hexadecimal) }
        return frames
    }

    /// Lets time pass, deadline by deadline.
    func advance(milliseconds: UInt64) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while let deadline = channels.nextDeadline, deadline <= end {
            now = max(now, deadline)
            let now = now
            update { $0.deadlineReached(at: now) }
        }
        now = end
    }

    static func words(_ event: L2CAP.ChannelEvent) -> String {
        switch event {
        case .opened(let it):
            "opened psm \(it.psm.rawValue) \(it.isIncoming ? "in" : "out") \(it.localCID.rawValue)"
                + " \(it.remoteCID.rawValue) mtu \(it.peerMTU) mps \(it.peerMPS) credits \(it.peerCredits)"
        case .received(let sdu): "received \(sdu.hexadecimal)"
        case .writable: "writable"
        case .closed(let failure): "closed \(words(failure))"
        }
    }

    static func words(_ failure: L2CAP.ChannelError) -> String {
        switch failure {
        case .closedByUs: "by us"
        case .closedByPeer: "by peer"
        case .refused(let result): "refused \(result.rawValue)"
        case .rejected(let reason): "rejected \(reason.rawValue)"
        case .timeout: "timeout"
        case .badResponse: "bad response"
        case .violation(let violation): "\(violation)"
        case .tooManyChannels: "too many"
        case .linkLost: "link lost"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import Fuzzing

/// The channels of a link between an application and a peer that both do as the input says.
func fuzzChannels(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    var run = ChannelsFuzzCase(trace: trace)
    while !script.isAtEnd { try run.step(&script) }
    try run.end()
}

private struct ChannelsFuzzCase: ~Copyable {
    private let trace: FuzzTrace
    private var channels = L2CAP.Channels()
    private var now = HostInstant.zero
    /// Channels that were asked for or have opened, and have not ended.
    private var live: [L2CAP.ChannelToken] = []
    private var ended: Set<L2CAP.ChannelToken> = []
    private static let psm = L2CAP.PSM(rawValue: 0x80)
    private static let parameters = L2CAP.ChannelParameters(mtu: 100, mps: 23, credits: 3)

    init(trace: FuzzTrace) { self.trace = trace }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        switch choice & 15 {
        case 0...4: receive(script.counted())
        case 5:
            // The peer asks for a channel.
            let credits = script.byte()
            receive([
                0x14, choice | 1, 10, 0, 0x80, 0, 0x40 | script.byte() & 15, 0, 100, 0, 23, 0, credits, 0,
            ])
        case 6:
            // The peer takes the channel that was asked for last.
            receive([
                0x15, UInt8(max(1, live.count)), 10, 0, 0x50 | script.byte() & 15, 0, 100, 0, 23, 0, 2, 0, 0,
                0,
            ])
        case 7...9:
            let cid = L2CAP.ChannelID(rawValue: 0x40 | UInt16(script.byte() & 15))
            let payload = choice & 0x80 == 0 ? script.counted() : script.long()
            _ = channels.receive(payload.octetSpan.bytes, on: cid, at: now)
        case 10:
            let token = channels.open(Self.psm, Self.parameters, at: now)
            try check(!live.contains(token) && !ended.contains(token), "a channel's name is new")
            live.append(token)
        case 11: _ = channels.send(script.long(), through: token(script.byte()))
        case 12: channels.consumed(Int(script.byte()), through: token(script.byte()))
        case 13: channels.close(token(script.byte()), at: now)
        case 14: receive([0x16, 1, 4, 0, 0x40 | script.byte() & 31, 0] + script.next(2))
        default:
            now = now.advanced(byMilliseconds: UInt64(script.byte()) * 250)
            if choice & 0x80 != 0, let deadline = channels.nextDeadline { now = max(now, deadline) }
            channels.deadlineReached(at: now)
        }
        try drain()
        try check(channels.nextDeadline.map { $0 > now } ?? true, "no deadline lies in the past")
        try check(channels.count <= 2 * L2CAP.Channels.maximumChannels, "channels are bounded")
    }

    private func token(_ choice: UInt8) -> L2CAP.ChannelToken {
        live.isEmpty ? L2CAP.ChannelToken(rawValue: UInt32(choice)) : live[Int(choice) % live.count]
    }

    private mutating func receive(_ octets: [UInt8]) {
        var reader = ByteReader(octets.octetSpan.bytes)
        guard let packet = try? L2CAP.SignallingPacket(decoding: &reader) else { return }
        let listeners = [L2CAP.Listener(psm: Self.psm, parameters: Self.parameters)]
        _ = channels.receive(packet, listeners: listeners, at: now)
    }

    private mutating func drain() throws(Broken) {
        var outputs = 0
        var sent = 0
        repeat {
            while let output = channels.nextOutput() {
                outputs += 1
                try check(outputs < 5000, "the outputs come to an end")
                if case .event(let token, let event) = output { try observe(event, token) }
            }
            guard let frame = channels.nextFrame(at: now) else { continue }
            sent += 1
            trace.add(frame)
            try check(frame.count <= 65_539, "a frame has at most 65535 octets of payload")
            try check(sent < 70_000, "the frames come to an end")
        } while channels.hasFrames
        while let output = channels.nextOutput() {
            if case .event(let token, let event) = output { try observe(event, token) }
        }
    }

    private mutating func observe(_ event: L2CAP.ChannelEvent, _ token: L2CAP.ChannelToken) throws(Broken) {
        try check(!ended.contains(token), "a channel that has ended tells nothing")
        switch event {
        case .opened: if !live.contains(token) { live.append(token) }
        case .received(let sdu):
            trace.add(sdu)
            try check(live.contains(token), "only an open channel receives")
            try check(sdu.count <= Int(Self.parameters.mtu), "no SDU longer than was agreed")
        case .writable: try check(live.contains(token), "only an open channel is writable")
        case .closed:
            live.removeAll { $0 == token }
            ended.insert(token)
        }
    }

    mutating func end() throws(Broken) {
        channels.linkClosed()
        try drain()
        try check(live.isEmpty, "every channel ends with its link")
        try check(channels.count == 0 && channels.nextDeadline == nil, "nothing is left")
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import Testing

/// One end of a link that carries frames in order, at any pace.
private final class End {
    var channels = L2CAP.Channels()
    var listeners: [L2CAP.Listener] = []
    /// Frames on their way to the other end, signalling among them.
    var wire = FIFO<[UInt8]>()
    /// By our channel number: what was accepted, and what came.
    var sent: [UInt16: [[UInt8]]] = [:]
    var received: [UInt16: [[UInt8]]] = [:]
    var open: [L2CAP.ChannelToken: L2CAP.ChannelDescription] = [:]
    /// Every channel there ever was, and how often it has ended.
    var ends: [L2CAP.ChannelToken: Int] = [:]
    var failures: [L2CAP.ChannelError] = []
    /// SDUs that the application has not consumed.
    var unread: [L2CAP.ChannelToken: Int] = [:]
    /// Pairs of ends that were open: number here and there.
    var pairs: [(UInt16, UInt16)] = []

    // A noncopyable machine cannot be looked at in an expectation.
    var count: Int { channels.count }
    var hasFrames: Bool { channels.hasFrames }
    var nextDeadline: HostInstant? { channels.nextDeadline }

    func drain() {
        while let output = channels.nextOutput() {
            switch output {
            case .signal(let packet): wire.append(L2CAP.frame(packet.octets, on: .signalling))
            case .event(let token, .opened(let it)):
                #expect(open.updateValue(it, forKey: token) == nil)
                ends[token, default: 0] += 0
                pairs.append((it.localCID.rawValue, it.remoteCID.rawValue))
                (sent[it.localCID.rawValue], received[it.localCID.rawValue]) = ([], [])
            case .event(let token, .received(let sdu)):
                guard let cid = open[token]?.localCID.rawValue else {
                    Issue.record("an SDU on a channel that is not open")
                    continue
                }
                received[cid]?.append(sdu)
                unread[token, default: 0] += 1
            case .event(_, .writable): break
            case .event(let token, .closed(let failure)):
                open[token] = nil
                ends[token, default: 0] += 1
                failures.append(failure)
            }
        }
    }

    /// Puts frames on the wire as long as the link has room.
    func pump(at now: HostInstant) {
        drain()
        while wire.count < 4, let frame = channels.nextFrame(at: now) {
            wire.append(frame)
            drain()
        }
    }

    /// Takes a frame of the other end.
    func receive(_ frame: [UInt8], at now: HostInstant) {
        let payload = frame.span.bytes.extracting(4..<frame.count)
        if frame[2] == 5 {
            var reader = ByteReader(payload)
            guard let packet = try? L2CAP.SignallingPacket(decoding: &reader) else {
                Issue.record("a signalling packet that cannot be read")
                return
            }
            _ = channels.receive(packet, listeners: listeners, at: now)
        } else {
            let cid = L2CAP.ChannelID(rawValue: UInt16(frame[2]) | UInt16(frame[3]) << 8)
            _ = channels.receive(payload, on: cid, at: now)
        }
        drain()
    }
}

@Suite struct ChannelChaosTests {
    private static func parameters(_ random: inout SplitMix64) -> L2CAP.ChannelParameters {
        L2CAP.ChannelParameters(
            mtu: [23, 24, 100, 1_000, 65_535][random.number(0...4)],
            mps: [23, 24, 50, 247, 2_000][random.number(0...4)], credits: [1, 2, 3, 16][random.number(0...3)])
    }

    private static func ends(_ random: inout SplitMix64) -> [End] {
        (0..<2).map { _ in
            let end = End()
            end.listeners = [0x80, 0x81].map {
                L2CAP.Listener(psm: .init(rawValue: $0), parameters: parameters(&random))
            }
            return end
        }
    }

    /// Does one thing that an application or the link may do.
    private static func step(
        _ ends: [End], _ random: inout SplitMix64, at now: HostInstant, closes: Bool
    ) {
        let side = random.number(0...1)
        let (end, other) = (ends[side], ends[1 - side])
        let token = end.open.keys.sorted { $0.rawValue < $1.rawValue }
        let chosen = token.isEmpty ? nil : token[random.number(0...(token.count - 1))]
        switch random.number(0...99) {
        case 0...2 where end.count < 6:
            let psm = UInt16(random.number(0x80...(closes ? 0x82 : 0x81)))
            let name = end.channels.open(.init(rawValue: psm), parameters(&random), at: now)
            end.ends[name, default: 0] += 0
        case 3 where closes:
            if let chosen { end.channels.close(chosen, at: now) }
        case 4...40:
            guard let chosen, let it = end.open[chosen] else { break }
            let most = random.number(0...3) == 0 ? Int(it.peerMTU) : min(Int(it.peerMTU), 40)
            let sdu = [UInt8](repeating: random.octets(1)[0], count: random.number(0...most))
            if end.channels.send(sdu, through: chosen) == .accepted {
                end.sent[it.localCID.rawValue]?.append(sdu)
            }
        case 41...60:
            guard let chosen, let unread = end.unread[chosen], unread > 0 else { break }
            let count = random.number(1...unread)
            end.unread[chosen] = unread - count
            end.channels.consumed(count, through: chosen)
        default:
            for _ in 0..<random.number(1...4) {
                guard let frame = other.wire.popFirst() else { break }
                end.receive(frame, at: now)
            }
        }
        for end in ends { end.pump(at: now) }
    }

    /// Lets the link and the readers go on until nothing moves.
    private static func settle(_ ends: [End], at now: HostInstant) {
        var isMoving = true
        while isMoving {
            isMoving = false
            for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                for (token, count) in end.unread where count > 0 {
                    end.channels.consumed(count, through: token)
                    end.unread[token] = 0
                }
                end.pump(at: now)
                while let frame = end.wire.popFirst() {
                    isMoving = true
                    other.receive(frame, at: now)
                }
            }
        }
    }

    @Test(arguments: 0..<12) func `nothing is lost, and all comes in order`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let ends = Self.ends(&random)
        for _ in 0..<2_000 { Self.step(ends, &random, at: .zero, closes: false) }
        Self.settle(ends, at: .zero)
        var total = 0
        for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            #expect(end.failures == [])
            #expect(!end.hasFrames)
            for (local, remote) in end.pairs {
                #expect(end.sent[local] == other.received[remote])
                total += end.sent[local]?.count ?? 0
            }
        }
        #expect(total > 200)
    }

    @Test(arguments: 0..<12) func `whatever is closed when, each channel ends once`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 1_000)
        let ends = Self.ends(&random)
        var now = HostInstant.zero
        for _ in 0..<2_000 {
            Self.step(ends, &random, at: now, closes: true)
            if random.number(0...99) == 0 {
                now = now.advanced(byMilliseconds: UInt64(random.number(0...8_000)))
                for end in ends {
                    if let due = end.nextDeadline, due <= now {
                        end.channels.deadlineReached(at: now)
                    }
                    end.pump(at: now)
                }
            }
        }
        if seed % 2 == 0 {
            for end in ends { end.channels.linkClosed() }
        } else {
            // Requests that are on their way still open channels, so that all are closed a second time.
            for _ in 0..<2 {
                for end in ends {
                    for token in end.open.keys { end.channels.close(token, at: now) }
                }
                Self.settle(ends, at: now)
            }
            now = now.advanced(bySeconds: 100)
            for _ in 0..<3 {
                for end in ends { end.channels.deadlineReached(at: now) }
                Self.settle(ends, at: now)
            }
        }
        for end in ends {
            end.drain()
            #expect(end.open.isEmpty)
            #expect(end.ends.values.allSatisfy { $0 == 1 })
            #expect(end.nextDeadline == nil)
            // Neither side has broken a rule, whatever crossed on the way.
            for failure in end.failures {
                switch failure {
                case .closedByUs, .closedByPeer, .refused(.psmNotSupported), .linkLost, .timeout: break
                default: Issue.record("\(failure)")
                }
            }
        }
        #expect(ends[0].ends.count + ends[1].ends.count > 30)
    }
}

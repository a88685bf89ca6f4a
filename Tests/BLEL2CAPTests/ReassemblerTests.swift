// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import Testing

private typealias Outcome = L2CAP.Reassembler.Outcome

/// A piece of an ACL stream, and what must come of it.
struct Piece: Sendable {
    let octets: [UInt8]
    let isFirst: Bool
    let outcome: L2CAP.Reassembler.Outcome

    static func first(_ hex: String, _ outcome: L2CAP.Reassembler.Outcome) -> Piece {
        Piece(octets: [UInt8](hexadecimal: hex) ?? [], isFirst: true, outcome: outcome)
    }

    static func next(_ hex: String, _ outcome: L2CAP.Reassembler.Outcome) -> Piece {
        Piece(octets: [UInt8](hexadecimal: hex) ?? [], isFirst: false, outcome: outcome)
    }

    /// A whole frame, in one piece.
    static let good = Piece.first("0100 0400 0A", .frame(.att, [1, 0, 4, 0, 0x0A]))
}

@Suite struct ReassemblerTests {
    static let ways: [(String, [Piece])] = [
        ("one piece", [.good]),
        ("an empty frame", [.first("0000 0500", .frame(.signalling, [0, 0, 5, 0]))]),
        (
            "two pieces",
            [
                .first("0300 0400 AA", .incomplete),
                .next("BBCC", .frame(.att, [3, 0, 4, 0, 0xAA, 0xBB, 0xCC])),
            ]
        ),
        (
            "only the header first",
            [
                .first("0200 0600", .incomplete),
                .next("AABB", .frame(.securityManager, [2, 0, 6, 0, 0xAA, 0xBB])),
            ]
        ),
        (
            "an empty piece in between",
            [
                .first("0200 0400 AA", .incomplete), .next("", .incomplete),
                .next("BB", .frame(.att, [2, 0, 4, 0, 0xAA, 0xBB])),
            ]
        ),
        (
            "a channel that nobody serves",
            [.first("0100 4000 AA", .frame(.init(rawValue: 0x0040), [1, 0, 0x40, 0, 0xAA]))]
        ),
        ("a continuation of nothing", [.next("AABB", .fault(.unexpectedContinuation))]),
        ("an empty continuation of nothing", [.next("", .fault(.unexpectedContinuation))]),
        (
            "a continuation after a whole frame", [.good, .next("AA", .fault(.unexpectedContinuation))]
        ),
        ("no octets at all", [.first("", .fault(.shortHeader))]),
        (
            "half a header",
            [.first("0300 04", .fault(.shortHeader)), .next("00", .fault(.unexpectedContinuation))]
        ),
        ("one octet too many at once", [.first("0100 0400 AABB", .fault(.tooMuch))]),
        ("an empty frame that is not empty", [.first("0000 0400 AA", .fault(.tooMuch))]),
        (
            "one octet too many later",
            [
                .first("0200 0400 AA", .incomplete), .next("BBCC", .fault(.tooMuch)),
                .next("DD", .fault(.unexpectedContinuation)),
            ]
        ),
        (
            "a frame that is broken off by another",
            [
                .first("0300 0400 AA", .incomplete), .first("0200 0400 11", .fault(.unfinished)),
                .next("22", .frame(.att, [2, 0, 4, 0, 0x11, 0x22])),
            ]
        ),
        (
            "a frame that is broken off by a whole one", [.first("0300 0400 AA", .incomplete), .good]
        ),
        (
            "a frame that is broken off by nonsense",
            [.first("0300 0400 AA", .incomplete), .first("01", .fault(.shortHeader))]
        ),
        ("too long in one piece", [.first("0900 0400 010203040506070809", .fault(.tooLong(9, .att)))]),
        (
            "too long in several",
            [
                .first("0A00 0400 01", .fault(.tooLong(10, .att))), .next("020304", .incomplete),
                .next("050607080910", .incomplete), .next("AA", .fault(.unexpectedContinuation)),
            ]
        ),
        (
            "too long, and more than that",
            [.first("0900 0400 01", .fault(.tooLong(9, .att))), .next("0203040506070809101112", .incomplete)]
        ),
        ("as long as can be announced", [.first("FFFF 0400", .fault(.tooLong(0xFFFF, .att)))]),
        (
            "as long as is allowed",
            [.first("0800 0400 0102030405060708", .frame(.att, [8, 0, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8]))]
        ),
    ]

    @Test(arguments: ways) func `each piece leads where it must, and the next good frame comes`(
        _ name: String, _ pieces: [Piece]
    ) {
        var reassembler = L2CAP.Reassembler(maximumPayload: 8)
        for piece in pieces + [.good] {
            let outcome = reassembler.receive(piece.octets, isFirst: piece.isFirst)
            #expect(outcome == piece.outcome)
        }
        // What is told as a fault is counted, and so is a frame that a whole one broke off.
        let reported = pieces.count { if case .fault = $0.outcome { true } else { false } }
        let faults = reassembler.faults
        let brokenOff = name == "a frame that is broken off by a whole one" ? 1 : 0
        #expect(faults == reported + brokenOff)
    }

    @Test(arguments: 0..<16) func `frames come out whole however they are cut`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var reassembler = L2CAP.Reassembler(maximumPayload: 300)
        for _ in 0..<200 {
            let payload = random.octets(random.number(0...300))
            let channel = L2CAP.ChannelID(rawValue: UInt16(random.number(0...0xFFFF)))
            let frame = L2CAP.frame(payload, on: channel)
            var rest = frame[...]
            var isFirst = true
            var outcome = Outcome.incomplete
            while isFirst || !rest.isEmpty {
                #expect(outcome == .incomplete)
                let count = min(rest.count, random.number((isFirst ? 4 : 0)...60))
                outcome = reassembler.receive(Array(rest.prefix(count)), isFirst: isFirst)
                rest = rest.dropFirst(count)
                isFirst = false
            }
            #expect(outcome == .frame(channel, frame))
        }
        let faults = reassembler.faults
        #expect(faults == 0)
    }

    @Test(arguments: 0..<16) func `after any pieces a good frame comes out`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 100)
        var reassembler = L2CAP.Reassembler(maximumPayload: 64)
        for _ in 0..<500 {
            for _ in 0..<random.number(0...4) {
                var octets = random.octets(random.number(0...40))
                // Lengths that could be meant.
                if octets.count > 1, random.number(0...3) > 0 { octets[1] = 0 }
                if case .frame(_, let frame) = reassembler.receive(octets, isFirst: random.number(0...1) == 0)
                {
                    #expect(frame.count == 4 + Int(frame[0]) + Int(frame[1]) << 8)
                    #expect(frame.count <= 68)
                }
            }
            let outcome = reassembler.receive(Piece.good.octets, isFirst: true)
            #expect(outcome == Piece.good.outcome)
        }
    }

    @Test func `a frame is whole where it lies, and its siblings are not`() {
        func channel(_ hex: String, isFirst: Bool = true) -> L2CAP.ChannelID? {
            let octets = [UInt8](hexadecimal: hex) ?? []
            let reassembler = L2CAP.Reassembler(maximumPayload: 3)
            return reassembler.wholeFrame(octets.span.bytes, isFirst: isFirst)
        }
        #expect(channel("0100 0400 0A") == .att)
        #expect(channel("0000 0500") == .signalling)
        #expect(channel("0300 4000 0A0B0C")?.rawValue == 0x40)
        #expect(channel("0100 0400 0A", isFirst: false) == nil)
        for broken in ["", "01", "0100", "0100 04", "0100 0400", "0200 0400 0A", "0000 0400 0A"] {
            #expect(channel(broken) == nil, "\(broken)")
        }
        // Longer than the bound.
        #expect(channel("0400 0400 0A0B0C0D") == nil)
    }

    @Test(arguments: 0..<32) func `what is whole where it lies is what would have been copied`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 200)
        var reassembler = L2CAP.Reassembler(maximumPayload: 20)
        var (whole, isBegun) = (0, false)
        for _ in 0..<1000 {
            var octets = random.octets(random.number(0...26))
            if octets.count > 1, random.number(0...7) > 0 { octets[1] = 0 }
            if octets.count > 3, random.number(0...1) > 0 { octets[0] = UInt8(octets.count - 4) }
            let isFirst = random.number(0...3) > 0
            let channel = reassembler.wholeFrame(octets.span.bytes, isFirst: isFirst)
            let outcome = reassembler.receive(octets, isFirst: isFirst)
            if let channel {
                whole += 1
                #expect(outcome == .frame(channel, octets))
            } else if case .frame = outcome {
                #expect(!isFirst || isBegun)
            }
            switch outcome {
            case .incomplete, .fault(.unfinished), .fault(.tooLong): isBegun = true
            case .frame, .fault: isBegun = false
            }
        }
        #expect(whole > 100)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import Testing

/// The data of a signalling packet, laid out by hand, and what it says.
private struct Golden<Command: L2CAP.SignallingCommand>: Sendable {
    let hex: String
    let command: Command

    /// Octets and value belong together, and nothing longer or shorter makes such a command.
    func check(isOpenEnded: Bool = false) throws {
        let octets = [UInt8](hexadecimal: hex) ?? []
        #expect(try Command(data: octets) == command)
        #expect(command.data == octets)
        for count in 0..<(isOpenEnded ? 2 : octets.count) {
            #expect(throws: DecodeError(.truncated(needed: 2 - count % 2), at: count / 2 * 2)) {
                try Command(data: Array(octets.prefix(count)))
            }
        }
        guard !isOpenEnded else { return }
        #expect(throws: DecodeError(.trailing(count: 1), at: octets.count)) {
            try Command(data: octets + [0])
        }
    }
}

@Suite struct ChannelCommandTests {
    private static let requests: [Golden<L2CAP.CreditBasedConnectionRequest>] = [
        // PSM, source, MTU, MPS, credits
        .init(
            hex: "8000 4000 0002 F700 0A00",
            command: .init(
                psm: .init(rawValue: 0x80), source: .init(rawValue: 0x40), mtu: 512, mps: 247, credits: 10)),
        .init(
            hex: "0000 0000 0000 0000 0000",
            command: .init(psm: .init(rawValue: 0), source: .init(rawValue: 0), mtu: 0, mps: 0, credits: 0)),
        .init(
            hex: "FFFF FFFF FFFF FFFF FFFF",
            command: .init(
                psm: .init(rawValue: 0xFFFF), source: .init(rawValue: 0xFFFF), mtu: 0xFFFF, mps: 0xFFFF,
                credits: 0xFFFF)),
        .init(
            hex: "2500 7F00 1700 FDFF 0100",
            command: .init(
                psm: .init(rawValue: 0x25), source: .init(rawValue: 0x7F), mtu: 23, mps: 65533, credits: 1)),
    ]

    @Test func `connection requests have five fields of two octets`() throws {
        for golden in Self.requests { try golden.check() }
    }

    @Test func `connection responses have five fields of two octets`() throws {
        // destination, MTU, MPS, credits, result
        try Golden<L2CAP.CreditBasedConnectionResponse>(
            hex: "4100 0002 F700 0A00 0000",
            command: .init(destination: .init(rawValue: 0x41), mtu: 512, mps: 247, credits: 10)
        ).check()
        try Golden<L2CAP.CreditBasedConnectionResponse>(
            hex: "0000 0000 0000 0000 0200", command: .init(refusal: .psmNotSupported)
        ).check()
        var odd = L2CAP.CreditBasedConnectionResponse(
            destination: .init(rawValue: 0xFFFF), mtu: 0xFFFF, mps: 0xFFFF, credits: 0xFFFF)
        odd.result = .init(rawValue: 0xFFFF)
        try Golden(hex: "FFFF FFFF FFFF FFFF FFFF", command: odd).check()
    }

    @Test func `credit indications have a channel and a number`() throws {
        try Golden<L2CAP.FlowControlCredit>(
            hex: "4000 0500", command: .init(channel: .init(rawValue: 0x40), credits: 5)
        ).check()
        try Golden<L2CAP.FlowControlCredit>(
            hex: "0000 0000", command: .init(channel: .init(rawValue: 0), credits: 0)
        ).check()
        try Golden<L2CAP.FlowControlCredit>(
            hex: "FFFF FFFF", command: .init(channel: .init(rawValue: 0xFFFF), credits: 0xFFFF)
        ).check()
    }

    @Test func `disconnections have the receiver's end first`() throws {
        try Golden<L2CAP.DisconnectionRequest>(
            hex: "4100 4000",
            command: .init(destination: .init(rawValue: 0x41), source: .init(rawValue: 0x40))
        ).check()
        try Golden<L2CAP.DisconnectionResponse>(
            hex: "FFFF 0000", command: .init(destination: .init(rawValue: 0xFFFF), source: .init(rawValue: 0))
        ).check()
    }

    @Test func `rejections have a reason and what belongs to it`() throws {
        for (hex, reason, details) in [
            ("0000", L2CAP.RejectReason.notUnderstood, []), ("0100 1700", .signallingMTUExceeded, [0x17, 0]),
            ("0200 4100 4000", .invalidChannel, [0x41, 0, 0x40, 0]),
            ("FFFF 00", .init(rawValue: 0xFFFF), [0]),
        ] as [(String, L2CAP.RejectReason, [UInt8])] {
            try Golden<L2CAP.CommandReject>(hex: hex, command: .init(reason: reason, details: details))
                .check(isOpenEnded: true)
        }
    }

    @Test func `a packet takes its code from the command`() {
        func octets(_ command: some L2CAP.SignallingCommand) -> String {
            L2CAP.SignallingPacket(command, identifier: 7).octets.hexadecimal
        }
        let cid = L2CAP.ChannelID(rawValue: 0x40)
        #expect(
            octets(
                L2CAP.CreditBasedConnectionRequest(
                    psm: .init(rawValue: 0x80), source: cid, mtu: 23, mps: 23, credits: 1))
                == "14070a0080004000170017000100")
        #expect(
            octets(L2CAP.CreditBasedConnectionResponse(refusal: .noResources))
                == "15070a0000000000000000000400")
        #expect(octets(L2CAP.FlowControlCredit(channel: cid, credits: 1)) == "1607040040000100")
        #expect(octets(L2CAP.DisconnectionRequest(destination: cid, source: cid)) == "0607040040004000")
        #expect(octets(L2CAP.DisconnectionResponse(destination: cid, source: cid)) == "0707040040004000")
        #expect(octets(L2CAP.CommandReject(reason: .notUnderstood)) == "010702000000")
    }

    @Test func `parameters out of range become the nearest that are not`() {
        let least = L2CAP.ChannelParameters(mtu: 0, mps: -1, credits: 0)
        #expect((least.mtu, least.mps, least.credits) == (23, 23, 1))
        let most = L2CAP.ChannelParameters(mtu: 65536, mps: .max, credits: 65536)
        #expect((most.mtu, most.mps, most.credits) == (65535, 65533, 65535))
    }
}

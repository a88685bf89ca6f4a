// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire
import Testing

@Suite struct PDUTests {
    @Test(arguments: PDUCase.all) func `is encoded as specified`(_ pdu: PDUCase) {
        #expect(!pdu.golden.isEmpty)
        #expect(pdu.encoded == pdu.golden)
    }

    @Test(arguments: PDUCase.all) func `is decoded as specified`(_ pdu: PDUCase) {
        #expect(decode(pdu.golden) == .success(pdu.value))
    }

    @Test(arguments: PDUCase.all) func `every PDU that is cut short is refused`(_ pdu: PDUCase) {
        for count in 0..<pdu.shortest {
            let octets = Array(pdu.golden.prefix(count))
            guard case .success(let value) = decode(octets) else { continue }
            // What is cut between two items of a list is a shorter list; a type may be cut to a short type.
            let isShorter =
                switch value {
                // Its last value may be cut off by the MTU.
                case .readMultipleVariableResponse: count >= 5
                case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse,
                    .readByGroupTypeResponse, .readMultipleRequest, .readByTypeRequest,
                    .readByGroupTypeRequest, .multipleHandleValueNotification:
                    value.octets == octets
                default: false
                }
            #expect(isShorter, "\(count) octets made \(value)")
        }
    }

    @Test(arguments: PDUCase.all) func `octets too many are refused, or are part of the value`(_ pdu: PDUCase)
    {
        let octets = pdu.golden + [0x55]
        switch (decode(octets), pdu.value) {
        case (.failure, _): #expect(!pdu.isOpenEnded)
        // One octet of the length of a value that was cut off.
        case (.success(let value), .readMultipleVariableResponse): #expect(value == pdu.value)
        case (.success(let value), _): #expect(pdu.isOpenEnded && value.octets == octets)
        }
    }

    @Test(arguments: PDUCase.all) func `the opcode says who sends it`(_ pdu: PDUCase) throws {
        let opcode = ATT.Opcode(rawValue: try #require(pdu.golden.first))
        #expect(opcode.role == pdu.role)
        #expect(opcode.isCommand == (pdu.role == .command))
    }

    @Test func `no octets at all are no PDU`() {
        #expect(decode([]) == .failure(DecodeError(.truncated(needed: 1), at: 0)))
    }

    @Test(arguments: [
        // A format that does not exist, pairs of another format, no pair, half a pair.
        "05 00 0300 0229", "05 03 0300 0229", "05 02 0300 0229", "05 01", "05 02", "05 01 0300 02",
        // Lengths that lie: none, shorter than a handle, longer than what follows, no multiple of it.
        "09 00", "09 00 0300", "09 01 03", "09 07", "09 07 0200 02 0300 00", "09 02", "09 FF 0200 02",
        "11 00 0100", "11 03 0100 05", "11 04", "11 06 0100 0500 00", "11 06 0100 0500 0018 06",
        // Handle ranges: none, and three quarters of one.
        "07", "07 0100 05",
        // Fewer than two handles, half a handle.
        "0E", "0E 0300", "0E 0300 05", "0E 0300 0500 07", "20", "20 0300", "20 0300 05",
        // UUIDs of widths that ATT does not know.
        "08 0100 FFFF", "08 0100 FFFF 03", "08 0100 FFFF 03280000", "10 0100 FFFF 0028 00",
        // Flags other than 0 and 1.
        "18 02", "18 FF", "18 0100",
        // Confirmations and answers with something behind them.
        "1E 00", "13 00", "19 00",
        // No value, a handle alone, a length past the end, half a length.
        "23", "23 0300", "23 0300 0200 AA", "23 0300 0100 AA 0500 0100", "23 0300 0100 AA 0500 00",
        "23 0300 FFFF AA 0500 0000",
        // Lists of values that are too short for any.
        "21", "21 0000", "21 000000",
    ]) func `lists and lengths that lie are refused`(_ hex: String) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        #expect(throws: DecodeError.self) { try decode(octets).get() }
    }

    @Test func `the last of several values may be cut off by the MTU`() {
        // Core v5.4, Vol 3, Part F, 3.4.4.12: even within its length.
        for (hex, values) in [
            ("21 0100 AA 0400 BB", [[0xAA], [0xBB]]), ("21 0100 AA 0400", [[0xAA], []]),
            ("21 0200 AABB 04", [[0xAA, 0xBB]]),
        ] as [(String, [[UInt8]])] {
            let octets = [UInt8](hexadecimal: hex) ?? []
            #expect(decode(octets) == .success(.readMultipleVariableResponse(.init(values: values))))
        }
    }

    @Test func `a decoder of one PDU refuses any other`() {
        for pdu in PDUCase.all where pdu.golden.first != ATT.ReadRequest.opcode.rawValue {
            #expect(throws: DecodeError.self) { try ATT.ReadRequest(octets: pdu.golden.span.bytes) }
        }
        let octets: [UInt8] = []
        #expect(throws: DecodeError.self) { try ATT.WriteResponse(octets: octets.span.bytes) }
    }

    @Test func `a list of types is written in one width`() {
        // One format octet stands for all pairs, so a short type travels long beside a long one.
        let long = BluetoothUUID(high: 1, low: 2)
        for types in [[long, BluetoothUUID(0x2902)], [BluetoothUUID(0x2902), long]] {
            let pdu = ATT.FindInformationResponse(
                pairs: [.init(handle: 3, type: types[0]), .init(handle: 4, type: types[1])])
            #expect(pdu.octets.count == 2 + 2 * 18)
            #expect(decode(pdu.octets) == .success(.findInformationResponse(pdu)))
        }
    }
}

@Suite struct OpcodeTests {
    @Test(arguments: UInt8.min ... .max) func `every opcode has a role`(_ octet: UInt8) {
        let opcode = ATT.Opcode(rawValue: octet)
        let expected: ATT.Role =
            switch octet {
            case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21: .response
            case 0x1B, 0x23: .notification
            case 0x1D: .indication
            case 0x1E: .confirmation
            // The command flag, bit 6, of whatever method.
            case 0x40...0x7F, 0xC0...0xFF: .command
            default: .request
            }
        #expect(opcode.role == expected)
        #expect(opcode.isCommand == (expected == .command))
    }

    @Test(arguments: UInt8.min ... .max) func `an unknown opcode is a PDU of its own`(_ octet: UInt8) {
        let known = Set(PDUCase.all.compactMap(\.golden.first))
        guard !known.contains(octet) else { return }
        for tail in [[], [0], [UInt8](repeating: 0xFF, count: 600)] as [[UInt8]] {
            #expect(decode([octet] + tail) == .success(.unknown(.init(rawValue: octet))))
        }
    }
}

@Suite struct PDUPropertyTests {
    /// Lengths that are interesting: short ones, those around the MTU, long ones.
    private static func length(_ random: inout SplitMix64) -> Int {
        switch random.number(0...9) {
        case 0...5: random.number(0...24)
        case 6...8: random.number(0...60)
        default: random.number(500...530)
        }
    }

    @Test(arguments: 0..<32) func `any octets are a PDU or an error, and a PDU comes back`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var decoded = 0
        for _ in 0..<2_000 {
            var octets = random.octets(Self.length(&random))
            // Half of them with an opcode that means something.
            if random.number(0...1) == 0, !octets.isEmpty {
                octets[0] = PDUCase.all[random.number(0...(PDUCase.all.count - 1))].golden[0]
            }
            guard case .success(let pdu) = decode(octets), let again = pdu.octets, !Self.isCut(pdu)
            else { continue }
            decoded += 1
            #expect(decode(again) == .success(pdu))
            if !Self.hasTwoForms(pdu) { #expect(again == octets) }
        }
        #expect(decoded > 100)
    }

    @Test(arguments: 0..<8) func `golden PDUs with flipped bits are PDUs or errors`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 1_000)
        for golden in PDUCase.all.map(\.golden) {
            for _ in 0..<100 {
                var octets = golden
                for _ in 0..<random.number(1...3) {
                    octets[random.number(0...(octets.count - 1))] ^= 1 << random.number(0...7)
                }
                if random.number(0...3) == 0 { octets.removeLast(random.number(0...octets.count)) }
                guard case .success(let pdu) = decode(octets), let again = pdu.octets, !Self.isCut(pdu)
                else { continue }
                #expect(decode(again) == .success(pdu))
            }
        }
    }

    /// Whether the MTU has cut off all but a piece of the first value; written again it is too short.
    private static func isCut(_ pdu: ATT.PDU) -> Bool {
        if case .readMultipleVariableResponse(let pdu) = pdu { return pdu.octets.count < 5 }
        return false
    }

    /// PDUs that carry the same in several ways: a 16-bit UUID in its long form, a value that is cut off.
    private static func hasTwoForms(_ pdu: ATT.PDU) -> Bool {
        switch pdu {
        case .readByTypeRequest, .readByGroupTypeRequest, .findInformationResponse,
            .readMultipleVariableResponse:
            true
        default: false
        }
    }
}

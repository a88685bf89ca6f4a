// SPDX-License-Identifier: Apache-2.0

import BLECapture
import BLEWire
import Testing

/// The header of every file: magic, version 1, data link 1002.
private let header = "62 74 73 6e 6f 6f 70 00  00 00 00 01  00 00 03 ea"

/// HCI Reset, sent 2024-01-02T03:04:05.678901Z (1 704 164 645 678 901 microseconds of Unix time).
private let reset = """
    00 00 00 04  00 00 00 04  00 00 00 02  00 00 00 00  00 e2 eb a0 cf 87 af 35  01 03 0c 00
    """

/// Its Command Complete event, one microsecond later, after seven lost packets.
private let complete = """
    00 00 00 07  00 00 00 07  00 00 00 03  00 00 00 07  00 e2 eb a0 cf 87 af 36  04 0e 04 01 03 0c 00
    """

private func octets(_ text: String...) throws -> [UInt8] {
    try #require([UInt8](hexadecimal: text.joined()))
}

private let resetRecord = BTSnoop.Record(
    direction: .toController, unixMicroseconds: 1_704_164_645_678_901, packet: [0x01, 0x03, 0x0C, 0x00])
private let completeRecord = BTSnoop.Record(
    direction: .toHost, unixMicroseconds: 1_704_164_645_678_902,
    packet: [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00], drops: 7)

@Suite("btsnoop writer")
struct BTSnoopWriterTests {
    @Test("writes the header first and only once")
    func header() throws {
        var writer = BTSnoop.Writer()
        #expect(writer.nextOctets() == (try octets(BLECaptureTests.header)))
        #expect(writer.nextOctets() == [])
    }

    @Test("writes records behind the header")
    func records() throws {
        var writer = BTSnoop.Writer()
        writer.append(resetRecord)
        #expect(writer.nextOctets() == (try octets(BLECaptureTests.header, reset)))
        writer.append(completeRecord)
        #expect(writer.nextOctets() == (try octets(complete)))
    }

    @Test(
        "marks direction and kind in the flags",
        arguments: [
            (BTSnoop.Direction.toController, UInt8(1), UInt8(2)), (.toController, 2, 0), (.toHost, 2, 1),
            (.toHost, 4, 3), (.toController, 5, 0), (.toHost, 5, 1),
        ])
    func flags(direction: BTSnoop.Direction, type: UInt8, expected: UInt8) {
        var writer = BTSnoop.Writer()
        writer.append(BTSnoop.Record(direction: direction, unixMicroseconds: 0, packet: [type]))
        #expect(writer.nextOctets()[16 + 11] == expected)
    }
}

@Suite("btsnoop reader")
struct BTSnoopReaderTests {
    @Test("reads what the writer writes")
    func golden() throws {
        var reader = try BTSnoop.Reader(octets(header, reset, complete))
        #expect(try reader.next() == resetRecord)
        #expect(try reader.next() == completeRecord)
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test("keeps packets of every length", arguments: [0, 1, 255, 65_540])
    func lengths(count: Int) throws {
        let record = BTSnoop.Record(
            direction: .toHost, unixMicroseconds: -1, packet: [UInt8](repeating: 2, count: count))
        var writer = BTSnoop.Writer()
        writer.append(record)
        var reader = try BTSnoop.Reader(writer.nextOctets())
        #expect(try reader.next() == record)
        #expect(try reader.next() == nil)
    }

    @Test("tells the whole length of a cut packet")
    func cut() throws {
        var file = try octets(header, reset)
        file[16 + 3] = 9
        var reader = try BTSnoop.Reader(file)
        let record = try #require(try reader.next())
        #expect(record.packet == resetRecord.packet)
        #expect(record.originalLength == 9)
    }

    @Test("refuses a record that ends early, again and again", arguments: 1..<28)
    func truncated(count: Int) throws {
        let file = try octets(header, reset)
        var reader = try BTSnoop.Reader(Array(file.prefix(16 + count)))
        for _ in 0..<2 {
            do throws(BTSnoop.Failure) {
                _ = try reader.next()
                Issue.record("read a record of \(count) octets")
            } catch {
                guard case .badRecord(let cause) = error, case .truncated = cause.reason else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }

    @Test("keeps the records before a damaged one")
    func damaged() throws {
        var reader = try BTSnoop.Reader(octets(header, reset, complete).dropLast())
        #expect(try reader.next() == resetRecord)
        #expect(throws: BTSnoop.Failure.badRecord(DecodeError(.truncated(needed: 1), at: 68))) {
            try reader.next()
        }
    }

    @Test(
        "refuses lengths that no packet has",
        arguments: [
            "00 00 00 04 00 00 00 05", "00 01 00 05 00 00 00 04", "00 01 00 05 00 01 00 05",
            "ff ff ff ff ff ff ff ff",
        ])
    func absurd(lengths: String) throws {
        let file = try octets(header, lengths) + [UInt8](repeating: 0, count: 70_000)
        var reader = try BTSnoop.Reader(file)
        #expect(throws: BTSnoop.Failure.self) { try reader.next() }
    }

    @Test("refuses a file that is not a capture", arguments: 0..<16)
    func shortHeader(count: Int) throws {
        let file = try Array(octets(header).prefix(count))
        #expect(throws: BTSnoop.Failure.notACapture) { try BTSnoop.Reader(file) }
    }

    @Test("refuses other magic, versions and data links")
    func otherHeaders() throws {
        var file = try octets(header)
        file[15] = 0xE9
        #expect(throws: BTSnoop.Failure.unknownDataLink(1001)) { try BTSnoop.Reader(file) }
        file[11] = 2
        #expect(throws: BTSnoop.Failure.unknownVersion(2)) { try BTSnoop.Reader(file) }
        file[0] = 0x42
        #expect(throws: BTSnoop.Failure.notACapture) { try BTSnoop.Reader(file) }
    }
}

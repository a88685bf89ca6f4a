// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

/// One kind of read: how many octets it takes and what it makes of 01 02 03 … .
struct ReadCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let width: Int
    let expected: UInt64
    let read: @Sendable (inout ByteReader) throws(DecodeError) -> UInt64

    init(
        _ name: String, _ width: Int, _ expected: UInt64,
        _ read: @escaping @Sendable (inout ByteReader) throws(DecodeError) -> UInt64
    ) {
        testDescription = name
        self.width = width
        self.expected = expected
        self.read = read
    }

    static let all: [ReadCase] = [
        .init("UInt8", 1, 0x01) { (r: inout ByteReader) throws(DecodeError) in UInt64(try r.readUInt8()) },
        .init("Int8", 1, 0x01) { (r: inout ByteReader) throws(DecodeError) in UInt64(try r.readInt8()) },
        .init("UInt16", 2, 0x0201) { (r: inout ByteReader) throws(DecodeError) in UInt64(try r.readUInt16())
        },
        .init("UInt24", 3, 0x03_0201) { (r: inout ByteReader) throws(DecodeError) in
            UInt64(try r.readUInt24())
        },
        .init("UInt32", 4, 0x0403_0201) { (r: inout ByteReader) throws(DecodeError) in
            UInt64(try r.readUInt32())
        },
        .init("UInt64", 8, 0x0807_0605_0403_0201) { (r: inout ByteReader) throws(DecodeError) in
            try r.readUInt64()
        },
        .init("handle", 2, 0x0201) { (r: inout ByteReader) throws(DecodeError) in
            UInt64(try AttributeHandle(decoding: &r).rawValue)
        },
        .init("address", 6, 0x0605_0403_0201) { (r: inout ByteReader) throws(DecodeError) in
            try BluetoothAddress(decoding: &r, kind: .public).value
        },
        .init("octets", 5, 5) { (r: inout ByteReader) throws(DecodeError) in
            UInt64(try r.readOctets(5).count)
        },
        .init("span", 5, 5) { (r: inout ByteReader) throws(DecodeError) in
            UInt64(try r.readSpan(5).byteCount)
        },
        .init("skip", 5, 0) { (r: inout ByteReader) throws(DecodeError) in
            try r.skip(5)
            return 0
        },
    ]
}

@Suite struct ByteReaderTests {
    private static let octets: [UInt8] = (1...16).map { $0 }

    @Test(arguments: ReadCase.all) func `reads exactly what is there`(_ read: ReadCase) throws {
        let octets = Array(Self.octets.prefix(read.width))
        var reader = ByteReader(octets.span.bytes)
        let value = try read.read(&reader)
        let offset = reader.offset
        #expect(value == read.expected)
        #expect(offset == read.width)
        try reader.finish()
    }

    @Test(arguments: ReadCase.all) func `leaves the octets behind alone`(_ read: ReadCase) throws {
        var reader = ByteReader(Self.octets.span.bytes)
        _ = try read.read(&reader)
        let rest = reader.readRemaining()
        #expect(rest == Array(Self.octets.dropFirst(read.width)))
    }

    @Test(arguments: ReadCase.all) func `throws with every number of octets too few`(_ read: ReadCase) {
        for count in 0..<read.width {
            let octets = Array(Self.octets.prefix(count))
            var reader = ByteReader(octets.span.bytes)
            var caught: DecodeError?
            do throws(DecodeError) { _ = try read.read(&reader) } catch { caught = error }
            #expect(caught != nil)
            guard case .truncated(let needed)? = caught?.reason else {
                Issue.record("\(String(describing: caught))")
                continue
            }
            #expect((1...read.width).contains(needed))
        }
    }

    @Test func `says how much was missing and where`() {
        let octets: [UInt8] = [1, 2, 3]
        var reader = ByteReader(octets.span.bytes)
        var caught: DecodeError?
        do throws(DecodeError) {
            try reader.skip(1)
            _ = try reader.readUInt32()
        } catch { caught = error }
        #expect(caught == DecodeError(.truncated(needed: 2), at: 1))
        let offset = reader.offset
        #expect(offset == 1)
    }

    @Test(arguments: [-1, Int.min, 4, Int.max]) func `counts that cannot be are refused`(_ count: Int) {
        let octets: [UInt8] = [1, 2, 3]
        var reader = ByteReader(octets.span.bytes)
        var faults = 0
        do throws(DecodeError) { _ = try reader.readOctets(count) } catch { faults += 1 }
        do throws(DecodeError) { _ = try reader.readSpan(count) } catch { faults += 1 }
        do throws(DecodeError) { try reader.skip(count) } catch { faults += 1 }
        #expect(faults == 3)
        let offset = reader.offset
        #expect(offset == 0)
    }

    @Test func `a count of zero reads nothing, even at the end`() throws {
        let octets: [UInt8] = []
        var reader = ByteReader(octets.span.bytes)
        let none = try reader.readOctets(0)
        try reader.skip(0)
        let rest = reader.readRemaining()
        let isAtEnd = reader.isAtEnd
        #expect(none.isEmpty && rest.isEmpty && isAtEnd)
        try reader.finish()
    }

    @Test func `octets left over are an error`() {
        let octets: [UInt8] = [1, 2, 3]
        var reader = ByteReader(octets.span.bytes)
        var caught: DecodeError?
        do throws(DecodeError) {
            _ = try reader.readUInt8()
            try reader.finish()
        } catch { caught = error }
        #expect(caught == DecodeError(.trailing(count: 2), at: 1))
    }

    @Test(arguments: [(UInt8(0x00), 0), (0x7F, 127), (0x80, -128), (0xFF, -1)])
    func `signed octets are two's complement`(_ octet: UInt8, _ value: Int) throws {
        let octets = [octet]
        var reader = ByteReader(octets.span.bytes)
        let read = try reader.readInt8()
        #expect(Int(read) == value)
    }
}

@Suite struct ByteWriterTests {
    @Test func `writes in wire order`() {
        var writer = ByteWriter(capacity: 4)
        writer.write(UInt8(0x01))
        writer.write(Int8(-2))
        writer.write(UInt16(0x0403))
        writer.writeUInt24(0xFF07_0605)
        writer.write(UInt32(0x0B0A_0908))
        writer.write(UInt64(0x1312_1110_0F0E_0D0C))
        writer.write([0x14, 0x15])
        writer.write([0, 0x16, 0x17, 0][1...2])
        #expect(writer.octets == [0x01, 0xFE] + (0x03...0x17))
    }

    @Test(arguments: [UInt64.min, 1, 0x8000_0000_0000_0000, .max])
    func `what is written is read again`(_ value: UInt64) throws {
        var writer = ByteWriter()
        writer.write(value)
        writer.write(UInt32(truncatingIfNeeded: value))
        writer.writeUInt24(UInt32(truncatingIfNeeded: value))
        writer.write(UInt16(truncatingIfNeeded: value))
        var reader = ByteReader(writer.octets.span.bytes)
        let long = try reader.readUInt64()
        let word = try reader.readUInt32()
        let three = try reader.readUInt24()
        let half = try reader.readUInt16()
        try reader.finish()
        #expect(long == value)
        #expect(word == UInt32(truncatingIfNeeded: value))
        #expect(three == UInt32(truncatingIfNeeded: value) & 0xFF_FFFF)
        #expect(half == UInt16(truncatingIfNeeded: value))
    }

    @Test(arguments: [0, -1]) func `an odd capacity does no harm`(_ capacity: Int) {
        #expect(ByteWriter(capacity: capacity).octets.isEmpty)
    }
}

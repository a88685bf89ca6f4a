// SPDX-License-Identifier: Apache-2.0

import CZlib
import Companion
import Detections
import Testing

@testable import CompanionStore

/// Files as they are, and compressed with gzip.
@Suite struct FileUnpackingTests {
    /// The octets as a member of gzip.
    static func gzip(_ octets: [UInt8]) throws -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        try #require(
            deflateInit2_(
                stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                CInt(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { deflateEnd(stream) }
        var input = octets
        return input.withUnsafeMutableBufferPointer { input in
            let count = Int(deflateBound(stream, CUnsignedLong(input.count)))
            return [UInt8](unsafeUninitializedCapacity: count) { output, filled in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = CUnsignedInt(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = CUnsignedInt(count)
                _ = deflate(stream, Z_FINISH)
                filled = Int(stream.pointee.total_out)
            }
        }
    }

    /// What comes out, in pieces, and why no more does.
    private static func unpack(
        _ octets: [UInt8], atMost limit: Int = 1 << 24, pieces: Int = 1000
    ) -> (octets: [UInt8], longest: Int, failure: FileUnpacking.Failure?) {
        let unpacking = FileUnpacking(atMost: limit)
        var (all, longest, rest) = ([UInt8](), 0, octets[...])
        do throws(FileUnpacking.Failure) {
            while true {
                while let piece = try unpacking.next() {
                    all += piece
                    longest = max(longest, piece.count)
                }
                if rest.isEmpty { break }
                unpacking.receive(Array(rest.prefix(pieces)))
                rest = rest.dropFirst(pieces)
            }
            unpacking.finish()
            while let piece = try unpacking.next() { all += piece }
        } catch {
            return (all, longest, error)
        }
        return (all, longest, nil)
    }

    private static let text = Array((0..<5000).map { "\($0 * $0)," }.joined().utf8)

    @Test(arguments: [1, 7, 1000, Int.max]) func whatIsCompressedComesOutAsItWas(pieces: Int) throws {
        let packed = try Self.gzip(Self.text)
        #expect(packed.count < Self.text.count)
        for file in [packed, Self.text] {
            let found = Self.unpack(file, pieces: pieces)
            #expect(found.octets == Self.text && found.failure == nil)
        }
    }

    @Test(arguments: [[], [0x1F], [UInt8(ascii: "a")]] as [[UInt8]]) func shortFilesAreAsTheyAre(
        octets: [UInt8]
    ) {
        #expect(Self.unpack(octets, pieces: 1).octets == octets)
    }

    @Test func membersFollowEachOther() throws {
        let file = try Self.gzip(Array("a".utf8)) + Self.gzip([]) + Self.gzip(Array("b".utf8)) + [0, 0, 0]
        for pieces in [1, Int.max] {
            let found = Self.unpack(file, pieces: pieces)
            #expect(found.octets == Array("ab".utf8) && found.failure == nil)
        }
    }

    /// A small file may hold a thousand times as much.
    @Test func whatComesOutHasALimit() throws {
        let packed = try Self.gzip([UInt8](repeating: 0, count: 1_000_000))
        #expect(packed.count < 1500)
        let found = Self.unpack(packed, atMost: 900_000, pieces: .max)
        #expect(found.failure == .tooLarge && found.octets.count == 900_000 && found.longest <= 65_536)
        let fitting = Self.unpack(packed, atMost: 1_000_000, pieces: .max)
        #expect(fitting.failure == nil && fitting.octets.count == 1_000_000)
        let plain = Self.unpack(Self.text, atMost: 100)
        #expect(plain.failure == .tooLarge && plain.octets == Array(Self.text.prefix(100)))
    }

    /// A bomb of 400 MB would be read for minutes.
    @Test(arguments: [100, Int.max]) func whatIsMostlyEmptyIsRefusedEarly(pieces: Int) throws {
        let row = Array("device_type,rssi,confidence,timestamp\n".utf8)
        let blank = [UInt8](repeating: 0x0A, count: 4_000_000)
        let whole = try Self.gzip(row + blank)
        // The same in many members, behind one that is not empty.
        let member = try Self.gzip(Array(blank.prefix(100_000)))
        let first = try Self.gzip(Array(Self.text.prefix(1000)))
        let members = first + [[UInt8]](repeating: member, count: 40).flatMap { $0 }
        for packed in [whole, members] {
            let found = Self.unpack(packed, pieces: pieces)
            guard case .damaged(let fault)? = found.failure else {
                Issue.record("it is taken: \(found.octets.count) octets")
                continue
            }
            #expect(fault.reason.hasPrefix("it unpacks to far more than any file of detections"))
            #expect(found.octets.count <= FileUnpacking.unlooked)
        }
        #expect(throws: BadInput.self) { try FileUnpacking.whole(whole, atMost: 1 << 26) }
    }

    @Test func rowsThatAreAllAlikeAreTaken() throws {
        let row =
            "2026-11-21T12:00:00.000Z,Ring,A4:83:E7:36:3C:A5,a street with a long name,-60,0.9,52.520008,13.404954,"
            + "The pole behind the second house of the corner\n"
        let text = Array(String(repeating: row, count: 20_000).utf8)
        let packed = try Self.gzip(text)
        #expect(packed.count * 200 < text.count)
        let found = Self.unpack(packed)
        #expect(found.failure == nil && found.octets == text)
    }

    @Test func whatIsDamagedSaysSo() throws {
        let packed = try Self.gzip(Self.text)
        guard case .damaged(let early)? = Self.unpack(Array(packed.dropLast(9))).failure else {
            Issue.record("a part of a file is taken for all of it")
            return
        }
        #expect(early.reason == "its compressed data end too early; copy or download the file again")
        var changed = packed
        changed[packed.count / 2] ^= 0xFF
        guard case .damaged? = Self.unpack(changed).failure else {
            Issue.record("damaged data are taken")
            return
        }
        for index in packed.indices {
            var changed = packed
            changed[index] = ~changed[index]
            _ = Self.unpack(changed, atMost: 1_000_000)
        }
    }
}

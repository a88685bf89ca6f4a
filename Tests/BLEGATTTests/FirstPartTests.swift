// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

/// Long reads that do not come to their end.
@Suite struct FirstPartTests {
    private static func value(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 & 0xFF) } }

    /// Reads the first part of a value from a server that goes on with it.
    private static func beginReading(_ value: [UInt8], _ client: inout GATT.Client) {
        _ = client.start(.read(0x1234))
        for part in 0..<value.count / 22 {
            let seen = client.receive([part == 0 ? 0x0B : 0x0D] + value[(22 * part)...].prefix(22))
            #expect(seen.count == 1)
        }
    }

    /// The value may have ended there, or not.
    @Test(arguments: [0x01, 0x02, 0x05, 0x08, 0x0C, 0x0E, 0x0F, 0x12, 0x80, 0xFF] as [UInt8])
    func `what was read before a refusal is kept, with the refusal`(_ code: UInt8) {
        for parts in [1, 2] {
            var client = GATT.Client()
            let value = Self.value(22 * parts)
            Self.beginReading(value, &client)
            let refusal = GATTRequestError.refused(ATT.ErrorCode(rawValue: code))
            let seen = client.receive([0x01, 0x0C, 0x34, 0x12, code])
            #expect(seen.first == .completed(1, .success(.firstPart(value, refusal))))
            // Database Out Of Sync is about all else, too.
            #expect(seen.dropFirst() == (code == 0x12 ? [.servicesChanged(1, 0xFFFF)] : []))
            #expect(client.start(.read(3)) == [.send("0a0300")])
        }
    }

    @Test(arguments: [1, 2]) func `what was read before the bearer ended is kept, with the reason`(
        _ parts: Int
    ) {
        let value = Self.value(22 * parts)
        var client = GATT.Client()
        Self.beginReading(value, &client)
        _ = client.start(.read(3))
        client.deadlineReached(at: moment(30))
        #expect(
            client.drain() == [
                .completed(1, .success(.firstPart(value, .timeout))), .close,
                .completed(2, .failure(.disconnected)),
            ])
        var other = GATT.Client()
        Self.beginReading(value, &other)
        other.closed()
        #expect(other.drain() == [.completed(1, .success(.firstPart(value, .disconnected)))])
    }

    @Test func `what was read before an answer that makes no sense is kept`() {
        for parts in [1, 2] {
            var client = GATT.Client()
            let value = Self.value(22 * parts)
            Self.beginReading(value, &client)
            #expect(
                client.receive([0x0D] + Self.value(23))
                    == [.completed(1, .success(.firstPart(value, .badResponse)))])
            #expect(client.start(.read(3)) == [.send("0a0300")])
        }
    }

    /// mynewt-core#75: each part is the first one.
    @Test func `a server that does not mind the offset gives its first part`() {
        let value = Self.value(22)
        var client = GATT.Client()
        Self.beginReading(value, &client)
        var seen = client.receive([0x0D] + value)
        for _ in 3...24 { seen = client.receive([0x0D] + value) }
        #expect(seen == [.completed(1, .success(.firstPart(value, .badResponse)))])
    }

    /// A caller that takes no first part gets it where the value may have ended there.
    @Test(
        arguments: [
            (.value([1]), .success([1])), (.firstPart([1], .refused(.unlikelyError)), .success([1])),
            (.firstPart([1], .refused(.insufficientEncryption)), .failure(.refused(.insufficientEncryption))),
            (.firstPart([1], .timeout), .failure(.timeout)),
            (.firstPart([1], .disconnected), .failure(.disconnected)), (.done, nil), (.mtu(23), nil),
        ] as [(GATT.Answer, Result<[UInt8], GATTRequestError>?)])
    func `a first part is a value, a failure, or none`(
        _ answer: GATT.Answer, _ value: Result<[UInt8], GATTRequestError>?
    ) {
        #expect(answer.readValue == value)
    }
}

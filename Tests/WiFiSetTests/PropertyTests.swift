// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing
import WiFiSet

extension SystemRandom {
    fileprivate mutating func octet() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    fileprivate mutating func octets(_ range: ClosedRange<Int>) -> [UInt8] {
        let count = range.lowerBound + Int(next() % UInt64(range.count))
        return (0..<count).map { _ in octet() }
    }

    /// Any message, of a kind that a number says.
    fileprivate mutating func message(_ kind: Int) throws -> WiFiMessage {
        let body: WiFiMessage.Body
        switch kind % 8 {
        case 0: body = .listStart
        case 1:
            body = .networkEntry(
                WiFiNetwork(
                    ssid: WireText(octets(0...32)), rssi: Int8(bitPattern: octet()),
                    security: WiFiSecurity(rawValue: octet()), channel: octet()))
        case 2: body = .listEnd(count: octet())
        case 3:
            body = .credentialWrite(
                try WiFiCredentials(ssid: WireText(octets(1...32)), password: octets(0...63)))
        case 4: body = .acknowledgment(WiFiAcknowledgment(rawValue: octet()))
        case 5: body = .statusRequest
        case 6:
            body = .statusResponse(
                WiFiStatus(
                    WiFiState(rawValue: octet()), rssi: Int8(bitPattern: octet()),
                    address: UInt32(truncatingIfNeeded: next()), ssid: WireText(octets(0...32))))
        default:
            body = .error(WiFiErrorReport(WiFiErrorCode(rawValue: octet()), WireText(octets(0...255))))
        }
        return WiFiMessage(sequence: octet(), body)
    }
}

/// All messages that a stream makes of pieces of a size, and the fault that ends it.
private func messages(
    of octets: [UInt8], inPiecesOf size: Int
) -> (whole: [[UInt8]], fault: WiFiMessageError?) {
    var stream = WiFiMessageStream()
    var whole: [[UInt8]] = []
    for start in stride(from: 0, to: octets.count, by: size) {
        stream.receive(Array(octets[start..<min(start + size, octets.count)]), at: .zero)
        do throws(WiFiMessageError) {
            while let message = try stream.next() { whole.append(message) }
        } catch {
            return (whole, error)
        }
    }
    return (whole, nil)
}

@Suite("Properties of the codec")
struct PropertyTests {
    @Test("Every message decodes as what was encoded", arguments: 0..<8)
    func roundTrip(kind: Int) throws {
        var random = SystemRandom(seed: UInt64(kind) + 1)
        for _ in 0..<2000 {
            let message = try random.message(kind)
            let octets = message.encoded()
            #expect(octets.count <= WiFiSetLimit.header + WiFiSetLimit.payload)
            #expect(try WiFiMessage(decoding: octets) == message)
        }
    }

    @Test("Messages are the same however they are cut", arguments: [1, 2, 3, 5, 20, 182, 512])
    func cut(size: Int) throws {
        var random = SystemRandom(seed: UInt64(size))
        for _ in 0..<100 {
            let sent = try (0..<6).map { _ in try random.message(Int(random.next() % 8)).encoded() }
            let heard = messages(of: sent.flatMap { $0 }, inPiecesOf: size)
            #expect(heard.whole == sent && heard.fault == nil)
        }
    }

    @Test("Any octets give a message that encodes to the same octets, or an error", arguments: 1...5)
    func anyOctets(seed: Int) {
        var random = SystemRandom(seed: UInt64(seed))
        var decoded = 0
        for _ in 0..<20_000 {
            var octets = random.octets(0...60)
            // Half of them have a header that fits, or nothing but errors of the length would be seen.
            if octets.count >= 5, random.next() % 2 == 0 {
                let kinds: [UInt8] = [0x01, 0x02, 0x03, 0x10, 0x11, 0x20, 0x21, 0xFF]
                octets[0] = kinds[Int(random.next() % 8)]
                octets[2] = UInt8(octets.count - 4)
                octets[3] = 0
                octets[4] %= 48
            }
            guard let message = try? WiFiMessage(decoding: octets) else { continue }
            decoded += 1
            #expect(message.encoded() == octets)
        }
        #expect(decoded > 50, "the decoder was reached")
    }

    @Test("A stream neither keeps nor makes up octets, whatever comes", arguments: 1...3)
    func anyPieces(seed: Int) {
        var random = SystemRandom(seed: UInt64(seed) + 100)
        var stream = WiFiMessageStream()
        var now = HostInstant.zero
        var received = 0
        var given = 0
        for _ in 0..<20_000 {
            let piece = random.octets(0...20)
            stream.receive(piece, at: now)
            received += piece.count
            do throws(WiFiMessageError) {
                while let message = try stream.next() { given += message.count }
            } catch {
                #expect(stream.nextDeadline == nil)
            }
            if random.next() % 4 == 0, let deadline = stream.nextDeadline {
                now = deadline
                #expect(throws: WiFiMessageError.self) { try stream.deadlineReached(at: now) }
                #expect(stream.nextDeadline == nil)
            }
        }
        #expect(given <= received)
    }

    @Test("Every prefix of a golden message is refused", arguments: GoldenMessageTests.cases.indices)
    func prefixes(index: Int) {
        let octets = hex(GoldenMessageTests.cases[index].0)
        for count in octets.indices {
            #expect(throws: WiFiMessageError.self) { try WiFiMessage(decoding: Array(octets[..<count])) }
            #expect(messages(of: Array(octets[..<count]), inPiecesOf: 512).whole.isEmpty)
        }
    }

    @Test(
        "Every change of one octet of a golden message gives another message or an error",
        arguments: GoldenMessageTests.cases.indices)
    func changes(index: Int) {
        let octets = hex(GoldenMessageTests.cases[index].0)
        for position in octets.indices {
            for flip in UInt8(1)...255 {
                var changed = octets
                changed[position] ^= flip
                guard let message = try? WiFiMessage(decoding: changed) else { continue }
                #expect(message != GoldenMessageTests.cases[index].1)
                #expect(message.encoded() == changed)
            }
        }
    }
}

@Suite("Pieces of messages")
struct MessageStreamTests {
    @Test("A header that announces more than 257 octets is refused at once")
    func tooLong() throws {
        var stream = WiFiMessageStream()
        stream.receive(hex("FF 00 02 01"), at: .zero)
        #expect(throws: WiFiMessageError.tooLong(announced: 258)) { try stream.next() }
        stream.receive(hex("20 00 00 00"), at: .zero)
        #expect(try stream.next() == hex("20 00 00 00"))
    }

    @Test("What is announced and does not come is given up after 5 s, with both numbers")
    func incomplete() throws {
        var stream = WiFiMessageStream()
        stream.receive(
            hex("02 05 28 00 0C 4D 79 4E 65 74 77 6F 72 6B 32 2E 34 C8 02 06"), at: .zero)
        #expect(try stream.next() == nil)
        let until = HostInstant.zero.advanced(bySeconds: 5)
        #expect(stream.nextDeadline == until)
        let error = #expect(throws: WiFiMessageError.incomplete(held: 16, announced: 40)) {
            try stream.deadlineReached(at: until)
        }
        #expect(error?.description.contains("16 of 40 octets") == true)
        stream.receive(hex("03 00"), at: until)
        #expect(throws: WiFiMessageError.noHeader(2)) {
            try stream.deadlineReached(at: until.advanced(bySeconds: 5))
        }
        #expect(stream.nextDeadline == nil)
    }

    @Test("Each piece gives the rest another 5 s, and a whole message ends the waiting")
    func deadline() throws {
        var stream = WiFiMessageStream()
        stream.receive([0x03], at: .zero)
        stream.receive([0x00, 0x01], at: HostInstant.zero.advanced(bySeconds: 4))
        try stream.deadlineReached(at: HostInstant.zero.advanced(bySeconds: 8))
        stream.receive([0x00, 0x09], at: HostInstant.zero.advanced(bySeconds: 8))
        #expect(try stream.next() == hex("03 00 01 00 09"))
        #expect(stream.nextDeadline == nil)
        #expect(try stream.next() == nil)
    }
}

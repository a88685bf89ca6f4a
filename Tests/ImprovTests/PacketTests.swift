// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import Improv
import Testing

/// The octets of Improv, laid out by hand from the standard, and what is wrong with their malformed siblings.
@Suite struct PacketTests {
    /// The standard's own example: SSID MyWirelessAP, password mysecurepassword.
    static let example: [UInt8] =
        [0x01, 0x1E, 0x0C] + Array("MyWirelessAP".utf8) + [0x10] + Array("mysecurepassword".utf8) + [0xC0]

    @Test func commandsHaveTheOctetsOfTheStandard() throws {
        let settings = try ImprovSettings(ssid: "MyWirelessAP", password: Array("mysecurepassword".utf8))
        let golden: [(ImprovCommand, [UInt8])] = [
            (.wifiSettings(settings), Self.example),
            (.identify, [0x02, 0x00, 0x02]),
            (.deviceInfo, [0x03, 0x00, 0x03]),
            (.scan, [0x04, 0x00, 0x04]),
        ]
        for (command, octets) in golden {
            #expect(command.encoded() == octets)
            #expect(try ImprovCommand(decoding: octets) == command)
        }
    }

    @Test func resultsHaveTheOctetsOfTheStandard() throws {
        let info = ImprovResult(.deviceInfo, ["A", "", "BC"])
        #expect(info.encoded() == [0x03, 0x06, 0x01, 0x41, 0x00, 0x02, 0x42, 0x43, 0xD2])
        #expect(try ImprovResult(decoding: info.encoded()) == info)
        #expect(ImprovResult(.scan, []).encoded() == [0x04, 0x00, 0x04])
    }

    @Test func aResultHoldsAsManyStringsAsFit() throws {
        let long = WireText([UInt8](repeating: 0x61, count: 300))
        let result = try ImprovResult(decoding: ImprovResult(.deviceInfo, [long, "b"]).encoded())
        #expect(result.strings.map(\.octets.count) == [254])
    }

    @Test(
        arguments: [
            ([], .tooShort(0)),
            ([0x02, 0x00], .tooShort(2)),
            ([0x02, 0x01, 0x03], .lengthMismatch(announced: 1, following: 0)),
            ([0x02, 0x00, 0x02, 0x00], .lengthMismatch(announced: 0, following: 1)),
            ([0x02, 0x00, 0x03], .checksum(expected: 2, received: 3)),
            ([0x02, 0x01, 0x00, 0x03], .lengthMismatch(announced: 0, following: 1)),
            ([0x05, 0x00, 0x05], .unknownCommand(5)),
            ([0x01, 0x00, 0x01], .badList(0)),
            ([0x01, 0x02, 0x01, 0x41, 0x45], .badList(1)),
            ([0x01, 0x02, 0x02, 0x41, 0x46], .badString(announced: 2, following: 1)),
            ([0x01, 0x02, 0x00, 0x00, 0x03], .badSettings(.ssidLength(0))),
            ([0x01, 0x04, 0x01, 0x41, 0x00, 0x00, 0x47], .badList(3)),
        ] as [([UInt8], ImprovPacketError)])
    func commandsThatMakeNoSense(octets: [UInt8], error: ImprovPacketError) {
        #expect(throws: error) { try ImprovCommand(decoding: octets) }
    }

    @Test func everyPrefixAndEveryChangedOctetIsRefused() {
        for count in 0..<Self.example.count {
            #expect(throws: ImprovPacketError.self) {
                try ImprovCommand(decoding: Array(Self.example[..<count]))
            }
        }
        for index in Self.example.indices {
            var octets = Self.example
            octets[index] ^= 0x20
            #expect(throws: ImprovPacketError.self) { try ImprovCommand(decoding: octets) }
        }
    }

    @Test func namesAndPasswordsHaveTheirLengths() throws {
        #expect(throws: ImprovSettings.Failure.ssidLength(0)) { try ImprovSettings(ssid: "", password: []) }
        let long = WireText([UInt8](repeating: 0x61, count: 33))
        #expect(throws: ImprovSettings.Failure.ssidLength(33)) {
            try ImprovSettings(ssid: long, password: [])
        }
        #expect(throws: ImprovSettings.Failure.passwordLength(65)) {
            try ImprovSettings(ssid: "a", password: [UInt8](repeating: 0x61, count: 65))
        }
        // 64 digits are a WPA key.
        let key = [UInt8](repeating: 0x61, count: 64)
        let settings = try ImprovSettings(ssid: "a", password: key)
        #expect(
            try ImprovCommand(decoding: ImprovCommand.wifiSettings(settings).encoded())
                == .wifiSettings(settings))
    }

    @Test func noDescriptionShowsThePassword() throws {
        let settings = try ImprovSettings(ssid: "Home", password: Array("correct horse".utf8))
        var dumped = ""
        dump(ImprovCommand.wifiSettings(settings), to: &dumped)
        for text in ["\(settings)", String(reflecting: settings), dumped] {
            #expect(text.contains("Home") && !text.contains("horse") && !text.contains("99"))
        }
    }

    @Test func theAdvertisementIsExactly31Octets() throws {
        let (data, response) = ImprovAdvertisement(.authorized, [.identify, .scan]).encoded(name: "Lamp")
        let uuid: [UInt8] = [
            0x00, 0x80, 0x26, 0x78, 0x74, 0x27, 0x63, 0x46, 0x72, 0x22, 0x28, 0x62, 0x68, 0x77, 0x46, 0x00,
        ]
        #expect(
            data == [2, 1, 6, 17, 7] + uuid + [9, 0x16, 0x77, 0x46, 0x02, 0x05, 0, 0, 0, 0]
                && data.count == 31)
        #expect(response == [5, 9] + Array("Lamp".utf8))
        #expect(throws: DecodeError.self) { try ImprovAdvertisement(decoding: [2, 5, 0, 0, 0]) }
        #expect(
            try ImprovAdvertisement(decoding: [4, 0xFF, 9, 9, 9, 9, 1])
                == ImprovAdvertisement(.provisioned, ImprovCapabilities(rawValue: 0xFF)))
    }

    @Test func piecesAreJoinedWhereverTheyEnd() throws {
        let octets = Self.example + [0x02, 0x00, 0x02]
        for size in [1, 2, 3, 20, 31, 33, octets.count] {
            var stream = ImprovPacketStream()
            var packets: [[UInt8]] = []
            for start in stride(from: 0, to: octets.count, by: size) {
                stream.receive(Array(octets[start..<min(start + size, octets.count)]), at: .zero)
                while let packet = stream.next() { packets.append(packet) }
            }
            #expect(packets == [Self.example, [0x02, 0x00, 0x02]] && stream.nextDeadline == nil)
        }
    }

    @Test func whatDoesNotEndIsGivenUp() {
        var stream = ImprovPacketStream()
        stream.receive([0x01, 0x1E, 0x0C], at: .zero)
        let end = HostInstant.zero.advanced(bySeconds: ImprovLimit.assemblySeconds)
        #expect(stream.nextDeadline == end)
        #expect(throws: ImprovPacketError.incomplete(held: 3, announced: 33)) {
            try stream.deadlineReached(at: end)
        }
        #expect(stream.nextDeadline == nil && stream.next() == nil)
    }

    /// What comes over the air may be anything; nothing traps, and what is understood says the same again.
    @Test func anythingMayCome() {
        var random = SplitMix64(seed: 46)
        for _ in 0..<20_000 {
            var octets = (0..<Int(random.next() % 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if octets.count > 2, random.next() % 2 == 0 {
                octets[0] = UInt8(random.next() % 6)
                octets[1] = UInt8(octets.count - 3)
                octets[octets.count - 1] = octets.dropLast().reduce(0, &+)
            }
            if let command = try? ImprovCommand(decoding: octets) { #expect(command.encoded() == octets) }
            if let result = try? ImprovResult(decoding: octets) { #expect(result.encoded() == octets) }
        }
    }
}

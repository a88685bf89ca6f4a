// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing
import WiFiSet

/// Octets written as hex, spaces ignored.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }
    var octets: [UInt8] = []
    var rest = Substring(digits)
    while rest.count >= 2 {
        octets.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
    }
    return octets
}

private let name: WireText = "MyNetwork2.4"
private let nameHex = "4D794E6574776F726B322E34"

private func credentials() throws -> WiFiCredentials {
    try WiFiCredentials(ssid: name, password: Array("mypassword123".utf8))
}

@Suite("Golden octets of the messages")
struct GoldenMessageTests {
    static let cases: [(String, WiFiMessage)] = {
        var cases: [(String, WiFiMessage)] = [
            ("01 04 00 00", WiFiMessage(sequence: 4, .listStart)),
            (
                "02 05 10 00 0C \(nameHex) C8 02 06",
                WiFiMessage(
                    sequence: 5,
                    .networkEntry(WiFiNetwork(ssid: name, rssi: -56, security: .wpa2, channel: 6)))
            ),
            ("03 06 01 00 01", WiFiMessage(sequence: 6, .listEnd(count: 1))),
            ("11 07 01 00 00", WiFiMessage(sequence: 7, .acknowledgment(.stored))),
            ("20 02 00 00", WiFiMessage(sequence: 2, .statusRequest)),
            (
                "21 0A 13 00 03 C8 C0A80164 0C \(nameHex)",
                WiFiMessage(
                    sequence: 10,
                    .statusResponse(WiFiStatus(.connected, rssi: -56, address: 0xC0A8_0164, ssid: name)))
            ),
            (
                "FF 0B 09 00 05 07 74696D656F7574",
                WiFiMessage(sequence: 11, .error(WiFiErrorReport(.connectionTimeout, "timeout")))
            ),
        ]
        if let credentials = try? credentials() {
            cases.append(
                (
                    "10 01 1B 00 0C \(nameHex) 0D 6D7970617373776F7264313233",
                    WiFiMessage(sequence: 1, .credentialWrite(credentials))
                ))
        }
        return cases
    }()

    @Test("All eight messages are here")
    func allKinds() {
        #expect(Set(Self.cases.map(\.1.body.kind)).count == 8)
    }

    @Test("Encoding gives the octets of the reference", arguments: cases.indices)
    func encodes(index: Int) {
        #expect(Self.cases[index].1.encoded() == hex(Self.cases[index].0))
    }

    @Test("Decoding gives the message back", arguments: cases.indices)
    func decodes(index: Int) throws {
        #expect(try WiFiMessage(decoding: hex(Self.cases[index].0)) == Self.cases[index].1)
    }

    @Test("One octet less or more is refused, and both lengths are named", arguments: cases.indices)
    func refusesOtherLengths(index: Int) {
        let octets = hex(Self.cases[index].0)
        let announced = Int(octets[2]) | Int(octets[3]) << 8
        #expect(throws: WiFiMessageError.lengthMismatch(announced: announced, following: announced + 1)) {
            try WiFiMessage(decoding: octets + [0])
        }
        let short = Array(octets.dropLast())
        if announced == 0 {
            #expect(throws: WiFiMessageError.noHeader(3)) { try WiFiMessage(decoding: short) }
        } else {
            #expect(throws: WiFiMessageError.lengthMismatch(announced: announced, following: announced - 1)) {
                try WiFiMessage(decoding: short)
            }
        }
    }

    @Test(
        "A payload that is one octet too short or too long for its kind is refused", arguments: cases.indices)
    func refusesOtherPayloads(index: Int) {
        let octets = hex(Self.cases[index].0)
        for payload in [Array(octets.dropFirst(4)) + [0], Array(octets.dropFirst(4).dropLast())] {
            if payload.count + 4 == octets.count { continue }
            let message = [octets[0], octets[1], UInt8(payload.count), 0] + payload
            #expect(throws: WiFiMessageError.self) { try WiFiMessage(decoding: message) }
        }
    }
}

@Suite("Malformed messages")
struct MalformedMessageTests {
    @Test(
        "The specification's three faulty examples are refused with both lengths",
        arguments: [
            ("02 05 28 00 0C 4D 79 4E 65 74 77 6F 72 6B 32 2E 34 C8 02 06", 40, 16),
            (
                "10 01 20 00 0C 4D 79 4E 65 74 77 6F 72 6B 32 2E 34 0C 6D 79 70 61 73 73 77 6F 72 64 31 32 33",
                32, 27
            ),
            ("21 0A 16 00 03 C8 C0 A8 01 64 0C 4D 79 4E 65 74 77 6F 72 6B 32 2E 34", 22, 19),
        ])
    func documentExamples(text: String, announced: Int, following: Int) {
        #expect(throws: WiFiMessageError.lengthMismatch(announced: announced, following: following)) {
            try WiFiMessage(decoding: hex(text))
        }
        let error = WiFiMessageError.lengthMismatch(announced: announced, following: following)
        #expect(error.description.contains("\(announced)"))
        #expect(error.description.contains("\(following)"))
    }

    @Test(arguments: [
        ("", WiFiMessageError.noHeader(0)),
        ("01", .noHeader(1)),
        ("01 00 00", .noHeader(3)),
        ("00 00 00 00", .unknownKind(0x00)),
        ("7F 00 01 00 AA", .unknownKind(0x7F)),
        ("01 00 FF FF", .lengthMismatch(announced: 65535, following: 0)),
        ("10 00 02 00 00 00", .badSSIDLength(0)),
        ("10 00 01 00 21", .badSSIDLength(33)),
        ("10 00 03 00 01 41 40", .badPasswordLength(64)),
        ("10 00 03 00 01 41 FF", .badPasswordLength(255)),
        ("02 00 01 00 21", .badSSIDLength(33)),
        ("21 00 07 00 00 00 00000000 21", .badSSIDLength(33)),
    ])
    func refused(text: String, error: WiFiMessageError) {
        #expect(throws: error) { try WiFiMessage(decoding: hex(text)) }
    }
}

/// A seeded generator.
struct SystemRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 8
    }
}

@Suite("Credentials")
struct CredentialTests {
    @Test(arguments: [
        (0, 8, WiFiCredentials.Failure.emptySSID), (33, 8, .ssidTooLong(33)), (1, 64, .passwordTooLong(64)),
        (1, 255, .passwordTooLong(255)),
    ])
    func lengths(ssid: Int, password: Int, fault: WiFiCredentials.Failure) {
        #expect(throws: fault) {
            try WiFiCredentials(
                ssid: WireText([UInt8](repeating: 0x41, count: ssid)),
                password: [UInt8](repeating: 0x78, count: password))
        }
    }

    @Test("64 hexadecimal digits are a key, not a password")
    func key() {
        #expect(throws: WiFiCredentials.Failure.keyInsteadOfPassword) {
            try WiFiCredentials(ssid: "a", password: [UInt8](repeating: 0x61, count: 64))
        }
    }

    @Test("No description shows the password, and wiping forgets it")
    func secrecy() throws {
        var secret = try credentials()
        #expect(!"\(secret)".contains("mypass"))
        #expect(!String(reflecting: secret).contains("109"))
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("109"))
        secret.wipe()
        #expect(secret.password.isEmpty)
    }
}

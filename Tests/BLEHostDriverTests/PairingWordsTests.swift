// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Testing

/// What a person reads when pairing fails, and what goes another way.
@Suite struct PairingWordsTests {
    /// What a person can do.
    private static let remedies = [
        "try again", "pair again", "connect again", "wait", "remove the bond", "remove its bond",
        "firmware",
        "use another radio",
        "button", "pair with it first", "six digits, or give", "where it is opened",
    ]

    private func expectRemedy(_ failure: SMP.Failure) {
        let sentence = failure.sentence
        #expect(Self.remedies.contains { sentence.contains($0) }, "\(sentence)")
        #expect(sentence.hasSuffix(".") && !sentence.contains(".."))
    }

    @Test(arguments: UInt8(1)...0x10) func `each reason of the other side or ours says what to do`(
        _ code: UInt8
    ) {
        for failure in [SMP.Failure.refusedByPeer(.init(rawValue: code)), .refused(.init(rawValue: code))] {
            expectRemedy(failure)
            // A number helps nobody where the specification has a meaning for it.
            #expect(failure.sentence.contains("0x") == (code > 0x0F))
        }
    }

    @Test func `each status of a controller says what to do`() {
        for status in UInt8(1)...0x45 { expectRemedy(.encryption(status: status)) }
        for known: UInt8 in [0x05, 0x06, 0x08, 0x0C, 0x13, 0x1A, 0x22, 0x25, 0x2F, 0x3D] {
            #expect(!SMP.Failure.encryption(status: known).sentence.contains("0x"))
        }
    }

    @Test(arguments: [
        SMP.Failure.timeout, .tooEarly(seconds: 8), .closed, .busy, .notBonded, .keyMissing, .bondKept,
        .disconnected, .noCryptography,
    ])
    func `everything else says what to do`(_ failure: SMP.Failure) { expectRemedy(failure) }

    @Test func `how long to wait is said`() {
        #expect(SMP.Failure.tooEarly(seconds: 8).sentence.contains("wait 8 s"))
    }

    @Test func `out-of-band data is advertising data, its least significant octet first`() throws {
        let confirm = UInt128(0x0102_0304_0506_0708) << 64 | 0x090A_0B0C_0D0E_0F10
        let data = OutOfBandData(
            secureConnections: .init(random: SMP.Secret(UInt128(0xAB)), confirm: confirm),
            temporaryKey: SMP.Secret(UInt128(0xCD)))
        let octets = data.octets
        #expect(octets.count == 54)
        #expect(octets.prefix(4) == [17, 0x10, 0xCD, 0] && octets[18..<22] == [17, 0x22, 0x10, 0x0F])
        #expect(octets[34..<39] == [2, 1, 17, 0x23, 0xAB])
        // A name and an address, as a tag has them, do no harm.
        let read = try OutOfBandData(decoding: [3, 9, 0x4C, 0x31] + octets + [8, 0x1B, 1, 2, 3, 4, 5, 6, 0])
        #expect(read.secureConnections?.confirm == confirm)
        #expect(read.secureConnections?.random.value128 == 0xAB && read.temporaryKey?.value128 == 0xCD)
    }

    @Test func `what is no out-of-band data is told`() {
        let good = OutOfBandData(
            secureConnections: .init(random: SMP.Secret(UInt128(1)), confirm: 2), temporaryKey: nil
        ).octets
        let bad: [[UInt8]] = [
            [], [2, 1, 6], Array(good.dropLast()), Array(good.prefix(18)), [3, 0x10, 1, 2],
        ]
        for octets in bad {
            #expect(throws: OutOfBandData.Invalid.self) { try OutOfBandData(decoding: octets) }
        }
    }

    @Test func `data with a TK alone pairs the legacy way`() {
        var configuration = SMP.Configuration()
        configuration.use(OutOfBandData(temporaryKey: SMP.Secret(UInt128(1))))
        #expect(configuration.secureConnections == .off && configuration.outOfBand.received == nil)
        configuration = SMP.Configuration()
        configuration.use(
            OutOfBandData(secureConnections: .init(random: SMP.Secret(UInt128(1)), confirm: 2)))
        #expect(
            configuration.secureConnections == .preferred && configuration.outOfBand.received?.confirm == 2)
    }
}

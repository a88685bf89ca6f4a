// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire
import Testing

@testable import BLEGATT

@Suite struct AES128Tests {
    /// FIPS 197, C.1; RFC 4493, 4 (the subkey's source); NIST SP 800-38A, F.1.1.
    @Test(arguments: [
        (
            "000102030405060708090A0B0C0D0E0F", "00112233445566778899AABBCCDDEEFF",
            "69C4E0D86A7B0430D8CDB78070B4C55A"
        ),
        (
            "2B7E151628AED2A6ABF7158809CF4F3C", "00000000000000000000000000000000",
            "7DF76B0C1AB899B33E42F047B91B546F"
        ),
        (
            "2B7E151628AED2A6ABF7158809CF4F3C", "6BC1BEE22E409F96E93D7E117393172A",
            "3AD77BB40D7A3660A89ECAF32466EF97"
        ),
    ]) func `blocks are encrypted as the standard's examples are`(
        _ key: String, _ block: String, _ result: String
    ) {
        #expect(AES128(key: octets(key)).encrypt(octets(block)) == octets(result))
    }

    /// RFC 4493, 4.
    @Test(arguments: [
        (0, "BB1D6929E95937287FA37D129B756746"), (16, "070A16B46B4D4144F79BDD9DD04A287C"),
        (40, "DFA66747DE9AE63030CA32611497C827"), (64, "51F0BEBF7E3B9D92FC49741779363CFE"),
    ]) func `codes are those of the standard's examples`(_ count: Int, _ code: String) {
        let message = octets(
            "6BC1BEE22E409F96E93D7E117393172AAE2D8A571E03AC9C9EB76FAC45AF8E51"
                + "30C81C46A35CE411E5FBC1191A0A52EFF69F2445DF4F9B17AD2B417BE66C3710")
        let cipher = AES128(key: octets("2B7E151628AED2A6ABF7158809CF4F3C"))
        #expect(cipher.cmac(Array(message.prefix(count))) == octets(code))
    }
}

/// The database of the specification's example.
///
/// Spec: Core v5.4, Vol 3, Part G, Appendix B.
private let example: [GATT.ServiceDefinition] = [
    .init(
        BluetoothUUID(0x1800),
        characteristics: [
            .init(BluetoothUUID(0x2A00), [.read, .write], value: .stored([])),
            .init(BluetoothUUID(0x2A01), .read, value: .stored([])),
        ]),
    .genericAttribute,
    .init(
        BluetoothUUID(0x1808), includes: [BluetoothUUID(0x180F)],
        characteristics: [
            .init(
                BluetoothUUID(0x2A18), [.read, .indicate, .extendedProperties], value: .stored([]))
        ]),
    .init(
        BluetoothUUID(0x180F), isPrimary: false,
        characteristics: [.init(BluetoothUUID(0x2A19), .read, value: .stored([]))]),
]

@Suite struct DatabaseHashTests {
    private static let exampleHash = Array(octets("F1CA2D48ECF58BAC8A8830BBB9FBA990").reversed())

    @Test func `the specification's example has its hash`() {
        #expect(GATT.Database(example).hash == Self.exampleHash)
    }

    @Test func `a client reads it by its kind, whole`() {
        var bench = ServerBench(example)
        #expect(bench.receive("08 0100 FFFF 2A2B") == [.send("09120d00" + Self.exampleHash.hexadecimal)])
        #expect(bench.receive("0A 0D00") == [.send("0b" + Self.exampleHash.hexadecimal)])
        #expect(bench.receive("12 0D00 01") == [.send("01120d0003")])
    }

    @Test func `it covers what discovery finds and nothing else`() {
        func hash(_ change: (inout [GATT.ServiceDefinition]) -> Void) -> [UInt8] {
            var services = example
            change(&services)
            return GATT.Database(services).hash
        }
        let others: [[UInt8]] = [
            hash { $0[3].uuid = BluetoothUUID(0x180A) }, hash { $0[3].isPrimary = true },
            hash { $0[2].includes = [] }, hash { $0[0].characteristics[0].properties = .read },
            hash { $0[2].characteristics[0].extendedProperties = .reliableWrite },
            hash { $0[3].handle = 0x0100 },
            hash { $0[3].characteristics[0].descriptors = [.userDescription("level")] },
        ]
        for other in others { #expect(other != Self.exampleHash) }
        #expect(Set(others).count == others.count)
        let same: [[UInt8]] = [
            hash { $0[0].characteristics[0].value = .stored([1, 2, 3]) },
            hash { $0[0].characteristics[0].access = GATT.Access(read: .encrypted) },
        ]
        for other in same { #expect(other == Self.exampleHash) }
    }

    @Test func `of descriptors that the specification names only the presence counts`() {
        let descriptors: [[GATT.DescriptorDefinition]] = [
            [.userDescription("a")], [.userDescription("b")], [.serverConfiguration],
            [.presentationFormat(4, unit: 0x27AD)], [.presentationFormat(6, unit: 0x2700)],
            [.aggregateFormat([1])], [],
        ]
        let hashes = descriptors.map { descriptors in
            GATT.Database([
                .init(
                    BluetoothUUID(0xFF00),
                    characteristics: [
                        .init(BluetoothUUID(0xFF01), .read, value: .stored([]), descriptors: descriptors)
                    ])
            ]).hash
        }
        #expect(hashes[0] == hashes[1] && hashes[3] == hashes[4])
        #expect(Set(hashes).count == 5)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLESMP
import BLEWire
import Testing

/// The octets of one PDU, laid out by hand from the specification, and its value.
struct PDUCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let golden: [UInt8]
    let value: SMP.PDU
    let encoded: [UInt8]

    init<P: SMPPDU>(_ hex: String, _ wrap: (P) -> SMP.PDU, _ pdu: P) {
        testDescription = "\(P.self)"
        golden = [UInt8](hexadecimal: hex) ?? []
        value = wrap(pdu)
        encoded = pdu.octets
    }

    private static let counting: UInt128 = 0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100
    private static let countingHex = "000102030405060708090A0B0C0D0E0F"

    static let all: [PDUCase] = [
        // KeyboardDisplay, OOB data, bonding + MITM + SC, 16, LTK + IRK, IRK
        PDUCase(
            "01 04 01 0D 10 03 02", SMP.PDU.pairingRequest,
            .init(
                features: .init(
                    ioCapability: .keyboardDisplay, outOfBandFlag: 1,
                    requirements: [.bonding, .mitm, .secureConnections], maximumKeySize: 16,
                    initiatorKeys: [.encryption, .identity], responderKeys: .identity))),
        // NoInputNoOutput, no OOB data, nothing, 7, none, CSRK + link key
        PDUCase(
            "02 03 00 00 07 00 0C", SMP.PDU.pairingResponse,
            .init(
                features: .init(
                    ioCapability: .noInputNoOutput, requirements: [], maximumKeySize: 7, initiatorKeys: [],
                    responderKeys: [.signing, .link]))),
        PDUCase("03 \(countingHex)", SMP.PDU.pairingConfirm, .init(value: counting)),
        PDUCase("04 \(countingHex)", SMP.PDU.pairingRandom, .init(value: counting)),
        PDUCase("05 0B", SMP.PDU.pairingFailed, .init(reason: .dhKeyCheckFailed)),
        PDUCase("05 77", SMP.PDU.pairingFailed, .init(reason: .init(rawValue: 0x77))),
        PDUCase("06 \(countingHex)", SMP.PDU.encryptionInformation, .init(value: counting)),
        // EDIV, Rand
        PDUCase(
            "07 3412 0102030405060708", SMP.PDU.centralIdentification,
            .init(ediv: 0x1234, rand: 0x0807_0605_0403_0201)),
        PDUCase("08 \(countingHex)", SMP.PDU.identityInformation, .init(value: counting)),
        // random, C0:11:22:33:44:55
        PDUCase(
            "09 01 5544332211C0", SMP.PDU.identityAddressInformation,
            .init(address: BluetoothAddress(0xC011_2233_4455, kind: .random))),
        PDUCase("0A \(countingHex)", SMP.PDU.signingInformation, .init(value: counting)),
        PDUCase(
            "0B 2D", SMP.PDU.securityRequest,
            .init(requirements: [.bonding, .mitm, .secureConnections, .ct2])),
        // x: 1 in its lowest octet, 2 in its highest; y: 3 and 4
        PDUCase(
            "0C 01\(String(repeating: "00", count: 30))02 03\(String(repeating: "00", count: 30))04",
            SMP.PDU.pairingPublicKey,
            .init(
                key: .init(
                    x: .init(0x0200_0000_0000_0000_0000_0000_0000_0000, 1),
                    y: .init(0x0400_0000_0000_0000_0000_0000_0000_0000, 3)))),
        PDUCase("0D \(countingHex)", SMP.PDU.pairingDHKeyCheck, .init(value: counting)),
        PDUCase("0E 03", SMP.PDU.keypressNotification, .init(keypress: .cleared)),
    ]
}

private func decode(_ octets: [UInt8]) -> Result<SMP.PDU, DecodeError> {
    do throws(DecodeError) {
        return .success(try SMP.PDU(decoding: octets.span.bytes))
    } catch {
        return .failure(error)
    }
}

@Suite struct SMPPDUTests {
    @Test(arguments: PDUCase.all) func `is encoded as specified`(_ pdu: PDUCase) {
        #expect(!pdu.golden.isEmpty)
        #expect(pdu.encoded == pdu.golden)
    }

    @Test(arguments: PDUCase.all) func `is decoded as specified`(_ pdu: PDUCase) {
        #expect(decode(pdu.golden) == .success(pdu.value))
    }

    @Test(arguments: PDUCase.all) func `one octet less or more is refused`(_ pdu: PDUCase) {
        for count in 0..<pdu.golden.count {
            #expect(throws: DecodeError.self) { try decode(Array(pdu.golden.prefix(count))).get() }
        }
        #expect(decode(pdu.golden + [0]) == .failure(DecodeError(.trailing(count: 1), at: pdu.golden.count)))
    }

    @Test func `every code is known or told`() {
        for code in UInt8.min ... .max where !(0x01...0x0E).contains(code) {
            for rest in [[], [1], [UInt8](repeating: 7, count: 64)] {
                #expect(decode([code] + rest) == .success(.unknown(SMP.Code(rawValue: code))))
            }
        }
        #expect(decode([]) == .failure(DecodeError(.truncated(needed: 1), at: 0)))
    }

    @Test(arguments: [UInt8(2), 3, 0x7F, 0xFF]) func `an identity is public or random`(_ type: UInt8) {
        #expect(
            decode([0x09, type, 1, 2, 3, 4, 5, 6]) == .failure(DecodeError(.outOfRange(UInt64(type)), at: 1)))
    }

    @Test func `features say what is out of range`() {
        let features = SMP.PairingFeatures(
            ioCapability: .displayOnly, requirements: [], initiatorKeys: [], responderKeys: [])
        #expect(features.isValid)
        let faults: [(inout SMP.PairingFeatures) -> Void] = [
            { $0.ioCapability = .init(rawValue: 5) }, { $0.ioCapability = .init(rawValue: 0xFF) },
            { $0.outOfBandFlag = 2 }, { $0.maximumKeySize = 6 }, { $0.maximumKeySize = 17 },
            { $0.maximumKeySize = 0 }, { $0.maximumKeySize = 0xFF },
        ]
        for fault in faults {
            var wrong = features
            fault(&wrong)
            #expect(!wrong.isValid)
        }
    }

    @Test func `only one of four bonding values means bonding`() {
        let values = (UInt8(0)...3).map { SMP.AuthenticationRequirements(rawValue: $0 | 0x0C).bonds }
        #expect(values == [false, true, false, false])
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

@Suite struct EncryptionCommandTests {
    private let key = [UInt8](0xA0..<0xB0)

    @Test func aLinkIsEncryptedWithAKeyThatIsNotShown() throws {
        let command = try #require(
            HCI.LEEnableEncryption(
                handle: link, random: 0x1122_3344_5566_7788, diversifier: 0x2474, key: key))
        #expect(
            HCI.Packet(command).octets == octets("01 1920 1C 4200 8877665544332211 7424") + key)
        #expect(try HCI.LEEnableEncryption(octets: command.octets) == command)
        #expect("\(command)" == "LE Enable Encryption, link 66")
        #expect(HCI.LEEnableEncryption.completesWithStatus)
    }

    @Test func aKeyIsGivenOrRefused() throws {
        let reply = try #require(HCI.LELongTermKeyRequestReply(handle: link, key: key))
        #expect(HCI.Packet(reply).octets == octets("01 1A20 12 4200") + key)
        #expect(try HCI.LELongTermKeyRequestReply(octets: reply.octets) == reply)
        #expect("\(reply)" == "LE Long Term Key Request Reply, link 66")
        let refusal = HCI.LELongTermKeyRequestNegativeReply(handle: link)
        #expect(HCI.Packet(refusal).octets == octets("01 1B20 02 4200"))
        #expect(try HCI.LELongTermKeyRequestNegativeReply(octets: refusal.octets) == refusal)
        #expect(try HCI.LELongTermKeyRequestReply.decodeReturn(octets("00 4200")) == .init(handle: link))
        #expect(
            HCI.LELongTermKeyRequestNegativeReply.encodeReturn(.init(handle: link)) == octets("00 4200"))
        for malformed in ["00 42", "00 4200 00", ""] {
            #expect(throws: HCI.ReplyError.self) {
                _ = try HCI.LELongTermKeyRequestReply.decodeReturn(octets(malformed))
            }
        }
    }

    @Test func aDeviceIsResolvedWithKeysThatAreNotShown() throws {
        let local = [UInt8](0xB0..<0xC0)
        let command = try #require(
            HCI.LEAddDeviceToResolvingList(identity: randomPeer, peerKey: key, localKey: local))
        #expect(HCI.Packet(command).octets == octets("01 2720 27 01 C6C5C4C3C2C1") + key + local)
        #expect(try HCI.LEAddDeviceToResolvingList(octets: command.octets) == command)
        #expect("\(command)" == "LE Add Device To Resolving List")
        #expect(throws: DecodeError.self) {
            _ = try HCI.LEAddDeviceToResolvingList(octets: command.octets.dropLast())
        }
        // Two modes are known.
        #expect(throws: DecodeError.self) {
            _ = try HCI.LESetPrivacyMode(octets: octets("01 C6C5C4C3C2C1 02"))
        }
    }

    @Test func keysHave16Octets() {
        for count in [0, 1, 15, 17, 255] {
            let other = [UInt8](repeating: 0, count: count)
            #expect(HCI.LEEnableEncryption(handle: link, random: 0, diversifier: 0, key: other) == nil)
            #expect(HCI.LELongTermKeyRequestReply(handle: link, key: other) == nil)
            #expect(
                HCI.LEAddDeviceToResolvingList(identity: randomPeer, peerKey: other, localKey: key) == nil)
            #expect(
                HCI.LEAddDeviceToResolvingList(identity: randomPeer, peerKey: key, localKey: other) == nil)
            #expect(throws: DecodeError.self) {
                _ = try HCI.LELongTermKeyRequestReply(octets: octets("4200") + other)
            }
            #expect(throws: DecodeError.self) {
                _ = try HCI.LEEnableEncryption(octets: [UInt8](repeating: 0, count: 12) + other)
            }
        }
        for malformed in ["", "42", "4200 00"] {
            #expect(throws: DecodeError.self) {
                _ = try HCI.LELongTermKeyRequestNegativeReply(octets: octets(malformed))
            }
        }
    }
}

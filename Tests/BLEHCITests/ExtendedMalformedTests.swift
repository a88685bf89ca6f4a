// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

@Suite struct ExtendedMalformedTests {
    @Test(arguments: [0, 1, 250, 251])
    func aSetsDataTravelsAsLongAsItIs(count: Int) throws {
        let data = [UInt8](repeating: 7, count: count)
        let command = try #require(
            HCI.LESetExtendedAdvertisingData(
                advertisingHandle: advertisingSet, operation: .complete, keepsTogether: true, data: data))
        #expect(command.octets == [7, 3, 1, UInt8(count)] + data)
        #expect(try HCI.LESetExtendedAdvertisingData(octets: command.octets) == command)
        #expect(HCI.Packet(command).octets.prefix(4) == [0x01, 0x37, 0x20, UInt8(count + 4)])
        let response = try #require(
            HCI.LESetExtendedScanResponseData(
                advertisingHandle: advertisingSet, operation: .first, data: data))
        #expect(response.octets == [7, 1, 0, UInt8(count)] + data)
        #expect(try HCI.LESetExtendedScanResponseData(octets: response.octets) == response)
        #expect(HCI.Packet(response).octets.prefix(4) == [0x01, 0x38, 0x20, UInt8(count + 4)])
    }

    @Test(arguments: [252, 255, 256, 1650])
    func oneCommandCarriesAtMost251Octets(count: Int) {
        let data = [UInt8](repeating: 7, count: count)
        #expect(
            HCI.LESetExtendedAdvertisingData(
                advertisingHandle: advertisingSet, operation: .complete, data: data) == nil)
        #expect(
            HCI.LESetExtendedScanResponseData(
                advertisingHandle: advertisingSet, operation: .complete, data: data) == nil)
        let length = UInt8(truncatingIfNeeded: min(count, 255))
        #expect(throws: DecodeError(.badLength(Int(length)), at: 3)) {
            _ = try HCI.LESetExtendedAdvertisingData(octets: [7, 3, 0, length] + data)
        }
        #expect(throws: DecodeError(.badLength(Int(length)), at: 3)) {
            _ = try HCI.LESetExtendedScanResponseData(octets: [7, 3, 0, length] + data)
        }
    }

    @Test(arguments: ["", "07", "0703", "070300", "07030002AA", "07030001AABB", "07050000", "07030200"])
    func aSetsDataThatDoesNotAddUpIsAnError(hex: String) {
        #expect(throws: DecodeError.self) {
            _ = try HCI.LESetExtendedAdvertisingData(octets: octets(hex))
        }
        #expect(throws: DecodeError.self) {
            _ = try HCI.LESetExtendedScanResponseData(octets: octets(hex))
        }
    }

    @Test(arguments: [(0, 4), (2, 4), (64, 256), (255, 4)])
    func enablingNamesAsManySetsAsItCounts(count: UInt8, octets: Int) {
        #expect(throws: DecodeError(.badLength(Int(count)), at: 1)) {
            _ = try HCI.LESetExtendedAdvertisingEnable(
                octets: [1, count] + [UInt8](repeating: 0, count: octets))
        }
    }

    @Test func enablingNamesAtMost63Sets() throws {
        let command = try HCI.LESetExtendedAdvertisingEnable(
            octets: [1, 63] + [UInt8](repeating: 0, count: 252))
        #expect(command.sets.count == 63)
        #expect(HCI.Packet(command).octets.count == 4 + 254)
    }

    @Test(arguments: [0x02, 0x08, 0x80, 0xFF] as [UInt8])
    func scanningOnAnUnknownPHYIsAnError(phys: UInt8) {
        #expect(throws: DecodeError(.outOfRange(UInt64(phys)), at: 2)) {
            _ = try HCI.LESetExtendedScanParameters(octets: [0, 0, phys] + [UInt8](repeating: 0, count: 10))
        }
    }

    @Test(arguments: [0x08, 0x80, 0xFF] as [UInt8])
    func connectingOnAnUnknownPHYIsAnError(phys: UInt8) {
        let command = [UInt8](repeating: 0, count: 9) + [phys] + [UInt8](repeating: 0, count: 48)
        #expect(throws: DecodeError(.outOfRange(UInt64(phys)), at: 9)) {
            _ = try HCI.LEExtendedCreateConnection(octets: command)
        }
    }

    @Test func noPHYAtAllIsReadSoThatTheControllerCanRefuseIt() throws {
        let scan = try HCI.LESetExtendedScanParameters(octets: [0, 0, 0])
        #expect(scan.le1M == nil && scan.leCoded == nil)
        let connect = try HCI.LEExtendedCreateConnection(octets: [UInt8](repeating: 0, count: 10))
        #expect(connect.le1M == nil && connect.le2M == nil && connect.leCoded == nil)
    }

    @Test(arguments: [3, 4, 0xFF] as [UInt8])
    func aDuplicateFilterThatDoesNotExistIsAnError(filter: UInt8) {
        #expect(throws: DecodeError(.outOfRange(UInt64(filter)), at: 1)) {
            _ = try HCI.LESetExtendedScanEnable(octets: [1, filter, 0, 0, 0, 0])
        }
    }

    @Test func aChannelMapHas37Channels() throws {
        #expect(HCI.ChannelMap.all.octets == [0xFF, 0xFF, 0xFF, 0xFF, 0x1F])
        #expect(HCI.ChannelMap.all.count == 37)
        #expect(try HCI.ChannelMap(octets: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == .all)
        #expect(HCI.ChannelMap.channel(36).octets == [0, 0, 0, 0, 0x10])
        for index in [-1, 37, 64, Int.max, Int.min] { #expect(HCI.ChannelMap.channel(index).isEmpty) }
    }

    @Test func aPHYThatTheHostIsIndifferentToIsNotLookedAt() throws {
        #expect(try HCI.LESetDefaultPHY(octets: [3, 0xFF, 0xFF]) == .init(tx: nil, rx: nil))
        #expect(
            try HCI.LESetPHY(octets: [0x42, 0, 2, 1, 7, 0, 0]) == .init(handle: link, tx: .le1M, rx: nil))
    }

    @Test func blocksToEncryptHave16Octets() throws {
        let key = [UInt8](0..<16)
        let block = [UInt8](16..<32)
        let command = try #require(HCI.LEEncrypt(key: key, plaintext: block))
        #expect(HCI.Packet(command).octets == [0x01, 0x17, 0x20, 0x20] + key + block)
        #expect(try HCI.LEEncrypt(octets: command.octets) == command)
        #expect("\(command)" == "LE Encrypt")
        let reply = try #require(HCI.LEEncrypt.ReturnParameters(encrypted: block))
        #expect(try HCI.LEEncrypt.decodeReturn([0] + block) == reply)
        #expect(HCI.LEEncrypt.encodeReturn(reply) == [0] + block)
        for count in [0, 15, 17] {
            let short = [UInt8](repeating: 0, count: count)
            #expect(HCI.LEEncrypt(key: short, plaintext: block) == nil)
            #expect(HCI.LEEncrypt(key: key, plaintext: short) == nil)
            #expect(HCI.LEEncrypt.ReturnParameters(encrypted: short) == nil)
            #expect(throws: DecodeError.self) { _ = try HCI.LEEncrypt(octets: key + short) }
            #expect(throws: HCI.ReplyError.self) { _ = try HCI.LEEncrypt.decodeReturn([0] + short) }
        }
    }
}

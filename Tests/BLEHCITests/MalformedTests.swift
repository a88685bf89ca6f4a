// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

@Suite struct MalformedTests {
    @Test func flagsAreZeroOrOne() {
        #expect(throws: DecodeError(.outOfRange(2), at: 0)) {
            _ = try HCI.LESetAdvertisingEnable(octets: [2])
        }
        #expect(throws: DecodeError(.outOfRange(0xFF), at: 1)) {
            _ = try HCI.LESetScanEnable(octets: [1, 0xFF])
        }
    }

    @Test(arguments: [(4, 5), (5, 4), (6, 4), (14, 4)])
    func anAdvertisingChoiceThatDoesNotExistIsAnError(offset: Int, value: UInt8) {
        var parameters = octets("A000 F000 01 01 00 F5F4F3F2F1F0 07 03")
        parameters[offset] = value
        #expect(throws: DecodeError(.outOfRange(UInt64(value)), at: offset)) {
            _ = try HCI.LESetAdvertisingParameters(octets: parameters)
        }
    }

    @Test func advertisingDataIsPaddedTo31Octets() throws {
        let command = try #require(HCI.LESetAdvertisingData(data: [2, 1, 6]))
        #expect(command.octets == [3, 2, 1, 6] + [UInt8](repeating: 0, count: 28))
        #expect(try HCI.LESetAdvertisingData(octets: command.octets) == command)
        #expect(HCI.Packet(command).octets.prefix(4) == [0x01, 0x08, 0x20, 0x20])
        let response = try #require(HCI.LESetScanResponseData(data: []))
        #expect(response.octets == [UInt8](repeating: 0, count: 32))
        #expect(HCI.Packet(response).octets.prefix(4) == [0x01, 0x09, 0x20, 0x20])
        #expect(try HCI.LESetScanResponseData(octets: response.octets) == response)
    }

    @Test func advertisingDataHoldsAtMost31Octets() {
        let full = [UInt8](repeating: 7, count: 31)
        #expect(HCI.LESetAdvertisingData(data: full)?.octets == [31] + full)
        #expect(HCI.LESetAdvertisingData(data: full + [0]) == nil)
        #expect(HCI.LESetScanResponseData(data: full + [0]) == nil)
        #expect(throws: DecodeError(.badLength(32), at: 0)) {
            _ = try HCI.LESetAdvertisingData(octets: [32] + full)
        }
        #expect(throws: DecodeError(.badLength(255), at: 0)) {
            _ = try HCI.LESetScanResponseData(octets: [255] + full)
        }
        #expect(throws: DecodeError.self) { _ = try HCI.LESetAdvertisingData(octets: [3] + full.dropLast()) }
    }

    @Test(arguments: [0x00, 0x1A, 0xFF] as [UInt8])
    func anAdvertisingReportHoldsOneTo25Reports(count: UInt8) {
        let reports = [UInt8](repeating: 0, count: 250)
        #expect(throws: DecodeError(.badLength(Int(count)), at: 1)) {
            _ = try HCI.Event(code: .leMeta, parameters: [0x02, count] + reports)
        }
    }

    @Test func twentyFiveReportsFillAnEvent() throws {
        let parameters: [UInt8] = [0x02, 25] + [UInt8](repeating: 0, count: 250)
        guard case .advertisingReport(let event) = try HCI.Event(code: .leMeta, parameters: parameters) else {
            Issue.record("not a report")
            return
        }
        #expect(event.reports.count == 25)
    }

    @Test(arguments: [(1, 3), (1, 0xFF), (2, 0), (2, 4)] as [(UInt8, UInt8)])
    func aReportsLengthsMustAddUp(reports: UInt8, length: UInt8) {
        // One report with two octets of data, in which count or length lies.
        var parameters = octets("02 01 00 01 C6C5C4C3C2C1 02 AABB C4")
        parameters[1] = reports
        parameters[10] = length
        #expect(throws: DecodeError.self) { _ = try HCI.Event(code: .leMeta, parameters: parameters) }
    }

    @Test func anAddressOfAnUnknownKindIsAnError() {
        #expect(throws: DecodeError(.outOfRange(4), at: 3)) {
            _ = try HCI.Event(code: .leMeta, parameters: octets("02 01 00 04 C6C5C4C3C2C1 00 C4"))
        }
    }

    @Test(arguments: [1, 2, 64, 255] as [UInt8])
    func completedPacketsMustBeAsManyAsCounted(count: UInt8) {
        #expect(throws: DecodeError(.badLength(Int(count)), at: 0)) {
            _ = try HCI.Event(code: .numberOfCompletedPackets, parameters: [count, 0x42, 0x00, 0x01])
        }
    }

    @Test(arguments: [0, 2, 64, 255] as [UInt8])
    func packetsThatTheHostHasCompletedMustBeAsManyAsCounted(count: UInt8) {
        #expect(throws: DecodeError.self) {
            _ = try HCI.HostNumberOfCompletedPackets(octets: [count, 0x42, 0x00, 0x01, 0x00])
        }
    }

    @Test(arguments: [4, 0x80, 0xFF] as [UInt8]) func flowControlThatDoesNotExistIsAnError(octet: UInt8) {
        #expect(throws: DecodeError(.outOfRange(UInt64(octet)), at: 0)) {
            _ = try HCI.SetControllerToHostFlowControl(octets: [octet])
        }
    }

    @Test func anUnknownRoleIsAnErrorOnlyWhenThereIsALink() throws {
        var parameters = octets("01 00 4200 07 01 C6C5C4C3C2C1 1800 0400 2A00 05")
        #expect(throws: DecodeError(.outOfRange(7), at: 4)) {
            _ = try HCI.Event(code: .leMeta, parameters: parameters)
        }
        parameters[1] = 0x02
        guard case .connectionComplete(let event) = try HCI.Event(code: .leMeta, parameters: parameters)
        else {
            Issue.record("not a connection")
            return
        }
        #expect(event.status == .unknownConnectionIdentifier)
    }

    @Test func anLEEventWithoutACodeIsAnError() {
        #expect(throws: DecodeError.self) { _ = try HCI.Event(code: .leMeta, parameters: []) }
    }

    @Test func aRefusalIsReadThoughNothingFollowsIt() {
        for octets in [[0x0C], [0x0C, 0x42, 0x00], [0x0C, 1, 2, 3, 4, 5, 6]] as [[UInt8]] {
            #expect(throws: HCI.ReplyError.refused(.commandDisallowed)) {
                _ = try HCI.ReadBDADDR.decodeReturn(octets)
            }
        }
        #expect(throws: HCI.ReplyError.malformed(DecodeError(.truncated(needed: 1), at: 0))) {
            _ = try HCI.Reset.decodeReturn([])
        }
    }

    @Test func onlySomeReasonsMayEndALink() {
        let allowed = (UInt8.min ... .max).filter { HCI.Status(rawValue: $0).isDisconnectReason }
        #expect(allowed == [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B])
    }

    @Test func opcodesAreGroupAndNumber() {
        #expect(HCI.Opcode.leCreateConnection.rawValue == 0x200D)
        #expect(HCI.Opcode(rawValue: 0xFC01).group == 0x3F)
        #expect(HCI.Opcode(rawValue: 0xFC01).command == 1)
        #expect(HCI.Opcode(group: 0xFF, command: 0xFFFF).rawValue == 0xFFFF)
    }

    @Test func aSupportedCommandIsOnlyTheOneInserted() {
        let known: [HCI.Opcode] = [.disconnect, .reset, .leRand, .leReadMaximumDataLength, .readRSSI]
        for opcode in known {
            let set = commands([opcode])
            #expect(known.filter { set.contains($0) } == [opcode])
            #expect(set.bits.count == 64)
        }
        #expect(commands([HCI.Opcode(rawValue: 0xFC00)]) == HCI.SupportedCommands())
    }

    @Test func anACLPacketCarriesItsFlags() throws {
        let hex = "02 42A0 0300 010203"
        let packet = HCI.Packet.acl(
            .init(handle: link, boundary: .firstFlushable, broadcast: 2, payload: [1, 2, 3]))
        #expect(packet.octets == octets(hex))
        for count in 0..<8 {
            #expect(throws: DecodeError.self) { _ = try packetFrom(Array(octets(hex).prefix(count))) }
        }
        #expect(throws: DecodeError(.badLength(3), at: 3)) { _ = try packetFrom(octets(hex) + [4]) }
        #expect(try packetFrom(octets(hex)) == packet)
        #expect(try packetFrom([0x02, 0xFF, 0xFF, 0, 0]).octets == [0x02, 0xFF, 0xFF, 0, 0])
    }

    @Test(arguments: [0x00, 0x06, 0x42, 0xFF] as [UInt8])
    func anUnknownIndicatorIsAnError(indicator: UInt8) {
        #expect(throws: DecodeError(.unknownCode(UInt64(indicator)), at: 0)) {
            _ = try packetFrom([indicator, 0, 0, 0, 0])
        }
    }

    private func packetFrom(_ octets: [UInt8]) throws(DecodeError) -> HCI.Packet {
        var reader = ByteReader(octets.span.bytes)
        return try HCI.Packet(decoding: &reader)
    }
}

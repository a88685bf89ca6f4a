// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// The first octet says how the others are cut.
func fuzzH4(_ input: [UInt8]) throws(Broken) {
    var script = Script(input)
    let step = Int(script.byte())
    let octets = script.rest()
    let whole = framed(octets, by: max(octets.count, 1))
    let single = framed(octets, by: 1)
    let cut = framed(octets, by: step + 2)
    try check(
        whole.packets == single.packets && whole.failure == single.failure, "one by one as in one piece")
    try check(whole.packets == cut.packets && whole.failure == cut.failure, "in pieces as in one piece")
    for step in [1, step + 2, max(octets.count, 1)] {
        let inPlace = try readInPlace(octets, by: step)
        try check(
            whole.packets == inPlace.packets && whole.failure == inPlace.failure, "where they lie as copied")
    }

    var length = 0
    for packet in whole.packets {
        let encoded = packet.octets
        length += encoded.count
        var reader = ByteReader(encoded.span.bytes)
        try check((try? HCI.Packet(decoding: &reader)) == packet, "a packet is what its octets say")
        switch packet {
        case .event(let code, let parameters): try fuzzEvent(code, parameters)
        case .command(let opcode, let parameters): try fuzzCommand(opcode, parameters)
        case .acl, .synchronous, .isochronous: break
        }
    }
    try check(length <= octets.count, "no packet out of nothing")
    try check(
        whole.failure != nil || octets.starts(with: whole.packets.flatMap(\.octets)), "packets are the octets"
    )
}

private func framed(_ octets: [UInt8], by step: Int) -> (packets: [HCI.Packet], failure: HCI.FramingError?) {
    var framer = HCI.H4Framer()
    var packets: [HCI.Packet] = []
    var start = 0
    do throws(HCI.FramingError) {
        while start < octets.count {
            framer.receive(Array(octets[start..<min(start + step, octets.count)]))
            start += step
            while let packet = try framer.nextPacket() { packets.append(packet) }
        }
    } catch {
        return (packets, error)
    }
    return (packets, nil)
}

/// Packets read where they lie if they are whole, as a host reads them.
private func readInPlace(
    _ octets: [UInt8], by step: Int
) throws(Broken) -> (packets: [HCI.Packet], failure: HCI.FramingError?) {
    var framer = HCI.H4Framer()
    var packets: [HCI.Packet] = []
    let all = octets.span.bytes
    var (position, end) = (0, 0)
    while position < all.byteCount {
        if position == end { end = min(end + step, all.byteCount) }
        let rest = all.extracting(position..<end)
        if let length = framer.wholePacket(rest) {
            try check(length <= rest.byteCount, "a whole packet lies in the octets")
            var reader = ByteReader(rest.extracting(0..<length))
            guard let packet = try? HCI.Packet(decoding: &reader) else {
                throw Broken(promise: "a whole packet is one")
            }
            packets.append(packet)
            position += length
            continue
        }
        let used = framer.receivePiece(rest)
        try check(used > 0 && used <= rest.byteCount, "a piece is some of the octets")
        position += used
        do throws(HCI.FramingError) {
            while let packet = try framer.nextPacket() { packets.append(packet) }
        } catch {
            return (packets, error)
        }
    }
    return (packets, nil)
}

private func fuzzEvent(_ code: HCI.EventCode, _ parameters: [UInt8]) throws(Broken) {
    guard let event = try? HCI.Event(code: code, parameters: parameters) else { return }
    let again = event.parameters
    try check(
        (try? HCI.Event(code: event.code, parameters: again)) == event, "an event is what its octets say")
    switch event {
    case .commandComplete(let event):
        for command in commands where command.opcode == event.opcode {
            try fuzzReturn(command, event.returnParameters)
        }
    case .advertisingReport(let event):
        let only = HCI.LEAdvertisingReport.onlyReport(code, parameters.span.bytes)
        try check(
            only == (event.reports.count == 1 ? event.reports[0] : nil), "one report is that of its event")
        for report in event.reports { try fuzzAdvertisingData(report.data) }
    default: break
    }
}

private func fuzzCommand(_ opcode: HCI.Opcode, _ parameters: [UInt8]) throws(Broken) {
    for command in commands where command.opcode == opcode { try fuzzCommand(command, parameters) }
}

private func fuzzCommand<C: HCI.Command & Equatable>(_ type: C.Type, _ octets: [UInt8]) throws(Broken) {
    var reader = ByteReader(octets.span.bytes)
    guard let command = try? C(decoding: &reader), reader.isAtEnd else { return }
    let encoded = command.octets
    var again = ByteReader(encoded.span.bytes)
    try check((try? C(decoding: &again)) == command && again.isAtEnd, "a command is what its octets say")
}

private func fuzzReturn<C: HCI.Command>(_ type: C.Type, _ octets: [UInt8]) throws(Broken) {
    guard let value = try? C.decodeReturn(octets) else { return }
    let encoded = C.encodeReturn(value)
    try check((try? C.decodeReturn(encoded)) != nil, "an answer is what its octets say")
}

private let commands: [any (HCI.Command & Equatable).Type] = [
    HCI.Disconnect.self, HCI.ReadRemoteVersionInformation.self, HCI.SetEventMask.self, HCI.Reset.self,
    HCI.ReadLocalVersionInformation.self, HCI.ReadLocalSupportedCommands.self,
    HCI.ReadLocalSupportedFeatures.self, HCI.ReadBufferSize.self, HCI.ReadBDADDR.self, HCI.ReadRSSI.self,
    HCI.LESetEventMask.self, HCI.LEReadBufferSize.self, HCI.LEReadLocalSupportedFeatures.self,
    HCI.LESetRandomAddress.self, HCI.LERand.self, HCI.LESetAdvertisingParameters.self,
    HCI.LEReadAdvertisingPhysicalChannelTxPower.self, HCI.LESetAdvertisingData.self,
    HCI.LESetScanResponseData.self, HCI.LESetAdvertisingEnable.self, HCI.LESetScanParameters.self,
    HCI.LESetScanEnable.self, HCI.LECreateConnection.self, HCI.LECreateConnectionCancel.self,
    HCI.LEReadFilterAcceptListSize.self, HCI.LEClearFilterAcceptList.self,
    HCI.LEAddDeviceToFilterAcceptList.self, HCI.LERemoveDeviceFromFilterAcceptList.self,
    HCI.LEConnectionUpdate.self, HCI.LEReadRemoteFeatures.self,
    HCI.LERemoteConnectionParameterRequestReply.self,
    HCI.LERemoteConnectionParameterRequestNegativeReply.self, HCI.LESetDataLength.self,
    HCI.LEReadSuggestedDefaultDataLength.self, HCI.LEWriteSuggestedDefaultDataLength.self,
    HCI.LEReadMaximumDataLength.self,
    HCI.LEAddDeviceToResolvingList.self,
    HCI.LERemoveDeviceFromResolvingList.self,
    HCI.LEClearResolvingList.self,
    HCI.LEReadResolvingListSize.self,
    HCI.LEReadPeerResolvableAddress.self,
    HCI.LEReadLocalResolvableAddress.self,
    HCI.LESetAddressResolutionEnable.self,
    HCI.LESetResolvablePrivateAddressTimeout.self,
    HCI.LESetPrivacyMode.self,
    HCI.LEClearAdvertisingSets.self, HCI.LEEncrypt.self, HCI.LEEnableEncryption.self,
    HCI.LELongTermKeyRequestReply.self, HCI.LELongTermKeyRequestNegativeReply.self,
    HCI.LEExtendedCreateConnection.self,
    HCI.LEReadChannelMap.self, HCI.LEReadMaximumAdvertisingDataLength.self,
    HCI.LEReadNumberOfSupportedAdvertisingSets.self, HCI.LEReadPHY.self, HCI.LEReadSupportedStates.self,
    HCI.LEReadTransmitPower.self, HCI.LERemoveAdvertisingSet.self,
    HCI.LESetAdvertisingSetRandomAddress.self, HCI.LESetDefaultPHY.self,
    HCI.LESetExtendedAdvertisingData.self, HCI.LESetExtendedAdvertisingEnable.self,
    HCI.LESetExtendedAdvertisingParameters.self, HCI.LESetExtendedScanEnable.self,
    HCI.LESetExtendedScanParameters.self, HCI.LESetExtendedScanResponseData.self,
    HCI.LESetHostChannelClassification.self, HCI.LESetPHY.self, HCI.ReadLEHostSupport.self,
    HCI.ReadTransmitPowerLevel.self, HCI.WriteLEHostSupport.self,
]

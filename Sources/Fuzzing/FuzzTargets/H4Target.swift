// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Companion
import Fuzzing

/// The first octet says how the others are cut.
func fuzzH4(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
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
        trace.add(encoded)
        var reader = ByteReader(encoded.octetSpan.bytes)
        try check((try? HCI.Packet(decoding: &reader)) == packet, "a packet is what its octets say")
        switch packet {
        case .event(let code, let parameters): try fuzzEvent(code, parameters, trace)
        case .command(let opcode, let parameters): try fuzzCommand(opcode, parameters, trace)
        case .acl, .synchronous, .isochronous: break
        }
    }
    try check(length <= octets.count, "no packet out of nothing")
    try check(
        whole.failure != nil || octets.starts(with: whole.packets.flatMap { $0.octets }),
        "packets are the octets"
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
    let all = octets.octetSpan.bytes
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

private func fuzzEvent(
    _ code: HCI.EventCode, _ parameters: [UInt8], _ trace: FuzzTrace
) throws(Broken) {
    guard let event = try? HCI.Event(code: code, parameters: parameters) else { return }
    let again = event.parameters
    trace.add(again)
    try check(
        (try? HCI.Event(code: event.code, parameters: again)) == event, "an event is what its octets say")
    switch event {
    case .commandComplete(let event):
        for command in commands where command.opcode == event.opcode {
            try command.tryReturn(event.returnParameters, trace)
        }
    case .advertisingReport(let event):
        let only = HCI.LEAdvertisingReport.onlyReport(code, parameters.octetSpan.bytes)
        try check(
            only == (event.reports.count == 1 ? event.reports[0] : nil), "one report is that of its event")
        for report in event.reports { try fuzzAdvertisingData(report.data, trace) }
    default: break
    }
}

private func fuzzCommand(
    _ opcode: HCI.Opcode, _ parameters: [UInt8], _ trace: FuzzTrace
) throws(Broken) {
    for command in commands where command.opcode == opcode { try command.tryCommand(parameters, trace) }
}

/// What is tried with a kind of command.
private struct CommandKind: Sendable {
    let opcode: HCI.Opcode
    let tryCommand: @Sendable ([UInt8], FuzzTrace) throws(Broken) -> Void
    let tryReturn: @Sendable ([UInt8], FuzzTrace) throws(Broken) -> Void

    init<C: HCI.Command & Equatable>(_ type: C.Type) {
        opcode = C.opcode
        tryCommand = { octets, trace throws(Broken) in
            var reader = ByteReader(octets.octetSpan.bytes)
            guard let command = try? C(decoding: &reader), reader.isAtEnd else { return }
            let encoded = command.octets
            trace.add(encoded)
            var again = ByteReader(encoded.octetSpan.bytes)
            try check(
                (try? C(decoding: &again)) == command && again.isAtEnd, "a command is what its octets say")
        }
        tryReturn = { octets, trace throws(Broken) in
            guard let value = try? C.decodeReturn(octets) else { return }
            let encoded = C.encodeReturn(value)
            trace.add(encoded)
            try check((try? C.decodeReturn(encoded)) != nil, "an answer is what its octets say")
        }
    }
}

private let commands: [CommandKind] = [
    CommandKind(HCI.Disconnect.self), CommandKind(HCI.ReadRemoteVersionInformation.self),
    CommandKind(HCI.SetEventMask.self), CommandKind(HCI.Reset.self),
    CommandKind(HCI.ReadLocalVersionInformation.self), CommandKind(HCI.ReadLocalSupportedCommands.self),
    CommandKind(HCI.ReadLocalSupportedFeatures.self), CommandKind(HCI.ReadBufferSize.self),
    CommandKind(HCI.ReadBDADDR.self), CommandKind(HCI.ReadRSSI.self), CommandKind(HCI.LESetEventMask.self),
    CommandKind(HCI.LEReadBufferSize.self), CommandKind(HCI.LEReadLocalSupportedFeatures.self),
    CommandKind(HCI.LESetRandomAddress.self), CommandKind(HCI.LERand.self),
    CommandKind(HCI.LESetAdvertisingParameters.self),
    CommandKind(HCI.LEReadAdvertisingPhysicalChannelTxPower.self), CommandKind(HCI.LESetAdvertisingData.self),
    CommandKind(HCI.LESetScanResponseData.self), CommandKind(HCI.LESetAdvertisingEnable.self),
    CommandKind(HCI.LESetScanParameters.self), CommandKind(HCI.LESetScanEnable.self),
    CommandKind(HCI.LECreateConnection.self), CommandKind(HCI.LECreateConnectionCancel.self),
    CommandKind(HCI.LEReadFilterAcceptListSize.self), CommandKind(HCI.LEClearFilterAcceptList.self),
    CommandKind(HCI.LEAddDeviceToFilterAcceptList.self),
    CommandKind(HCI.LERemoveDeviceFromFilterAcceptList.self), CommandKind(HCI.LEConnectionUpdate.self),
    CommandKind(HCI.LEReadRemoteFeatures.self), CommandKind(HCI.LERemoteConnectionParameterRequestReply.self),
    CommandKind(HCI.LERemoteConnectionParameterRequestNegativeReply.self),
    CommandKind(HCI.LESetDataLength.self), CommandKind(HCI.LEReadSuggestedDefaultDataLength.self),
    CommandKind(HCI.LEWriteSuggestedDefaultDataLength.self), CommandKind(HCI.LEReadMaximumDataLength.self),
    CommandKind(HCI.LEAddDeviceToResolvingList.self), CommandKind(HCI.LERemoveDeviceFromResolvingList.self),
    CommandKind(HCI.LEClearResolvingList.self), CommandKind(HCI.LEReadResolvingListSize.self),
    CommandKind(HCI.LEReadPeerResolvableAddress.self), CommandKind(HCI.LEReadLocalResolvableAddress.self),
    CommandKind(HCI.LESetAddressResolutionEnable.self),
    CommandKind(HCI.LESetResolvablePrivateAddressTimeout.self), CommandKind(HCI.LESetPrivacyMode.self),
    CommandKind(HCI.LEClearAdvertisingSets.self), CommandKind(HCI.LEEncrypt.self),
    CommandKind(HCI.LEEnableEncryption.self), CommandKind(HCI.LELongTermKeyRequestReply.self),
    CommandKind(HCI.LELongTermKeyRequestNegativeReply.self), CommandKind(HCI.LEExtendedCreateConnection.self),
    CommandKind(HCI.LEReadChannelMap.self), CommandKind(HCI.LEReadMaximumAdvertisingDataLength.self),
    CommandKind(HCI.LEReadNumberOfSupportedAdvertisingSets.self), CommandKind(HCI.LEReadPHY.self),
    CommandKind(HCI.LEReadSupportedStates.self), CommandKind(HCI.LEReadTransmitPower.self),
    CommandKind(HCI.LERemoveAdvertisingSet.self), CommandKind(HCI.LESetAdvertisingSetRandomAddress.self),
    CommandKind(HCI.LESetDefaultPHY.self), CommandKind(HCI.LESetExtendedAdvertisingData.self),
    CommandKind(HCI.LESetExtendedAdvertisingEnable.self),
    CommandKind(HCI.LESetExtendedAdvertisingParameters.self), CommandKind(HCI.LESetExtendedScanEnable.self),
    CommandKind(HCI.LESetExtendedScanParameters.self), CommandKind(HCI.LESetExtendedScanResponseData.self),
    CommandKind(HCI.LESetHostChannelClassification.self), CommandKind(HCI.LESetPHY.self),
    CommandKind(HCI.ReadLEHostSupport.self), CommandKind(HCI.ReadTransmitPowerLevel.self),
    CommandKind(HCI.WriteLEHostSupport.self),
]

// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import Fuzzing
import OverflowArea
import ProductRegistry

extension OverflowAreaProduct: FuzzedProduct {
    var fuzzTarget: FuzzTarget { FuzzTarget("overflow", fuzzOverflow) }
}

/// Advertisements of some senders, one after the other, with time that passes between them.
///
/// Each begins with an octet that says who sends it, and whether time passes before, then one with its length.
private func fuzzOverflow(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    let limit = 4
    var receiver = OverflowReceiver(
        OverflowReceiver.Options(
            reading: script.byte() & 1 == 0 ? .bank : .pattern, silenceSeconds: 10, maximumSenders: limit))
    var now = HostInstant.zero
    while !script.isAtEnd {
        let choice = script.byte()
        if choice & 0x80 != 0 {
            now = now.advanced(bySeconds: UInt64(choice & 0x0F))
            if let deadline = receiver.nextDeadline, deadline <= now { receiver.deadlineReached(at: now) }
        }
        let data = script.counted()
        try fuzzOverflowAdvertisement(data, trace)
        receiver.receive(
            data, from: BluetoothAddress(UInt64(choice & 7), kind: .random), rssi: Int8(bitPattern: choice),
            at: now
        )
        var outputs = 0
        while let output = receiver.nextOutput() {
            outputs += 1
            try check(outputs <= 8, "the outputs come to an end")
            if case .payload(let message) = output.event {
                trace.add(message.payload.value)
                try check(message.correctedBits <= 1, "at most one bit is corrected")
                try check(message.codec == .v1 || message.position == .second, "v2 has one place")
            }
        }
        trace.add(receiver.nextDeadline)
        try check(receiver.senderCount <= limit, "senders are bounded")
        try check(receiver.nextDeadline.map { $0 > now } ?? true, "no deadline lies in the past")
    }
}

private func fuzzOverflowAdvertisement(_ data: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    let advertisement = OverflowAdvertisement(advertisingData: data)
    _ = OverflowAdvertisement(appleData: data)
    if let fault = advertisement.fault { try check(fault.offset <= data.count, "a fault lies in the octets") }
    guard let map = advertisement.map else { return }
    try check(data.count >= 21, "a map takes 21 octets")
    try check(OverflowMap(octets: map.octets) == map, "octets make the same map")
    try check(OverflowMap(services: map.tableUUIDs) == map, "UUIDs make the same map")
    try check(
        OverflowAdvertisement(advertisingData: map.advertisingData)
            == OverflowAdvertisement(advertisingData: map.structure), "flags change nothing")
    trace.add(map.structure)
    let candidates = OverflowCatalogue.candidates(for: map)
    try check(candidates.map { $0.bit } == Array(map), "each bit has its candidates")
    if let message = OverflowBanks.message(in: map) {
        trace.add(message.payload.value)
        let own = OverflowBanks.map(of: message.payload, at: message.position)
        try check(own.subtracting(map).isEmpty, "a message of v1 is in the map")
        try check(OverflowBanks.message(in: own) == message, "it can be sent again")
    }
    if let message = OverflowHamming.message(in: map) {
        trace.add(message.payload.value)
        let own = OverflowHamming.map(of: message.payload)
        // Of the code's places only those that were corrected differ; place 47 is index 110, bit 105.
        var missing = OverflowMap(high: own.subtracting(map).high)
        if let flag = OverflowBit(tableIndex: 110) { missing.remove(flag) }
        try check(missing.count <= message.correctedBits, "a message of v2 is in the map but for one bit")
        try check(OverflowHamming.message(in: own)?.payload == message.payload, "it can be sent again")
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import Fuzzing

/// Pieces of frames in any order, then a whole frame, which must come through; and signalling packets.
func fuzzL2CAP(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    let maximum = 23 + Int(script.word()) % 2048
    var reassembler = L2CAP.Reassembler(maximumPayload: maximum)
    while !script.isAtEnd {
        let choice = script.byte()
        let piece = choice & 2 == 0 ? script.counted() : script.long()
        let inPlace = reassembler.wholeFrame(piece.octetSpan.bytes, isFirst: choice & 1 == 0)
        let outcome = reassembler.receive(piece, isFirst: choice & 1 == 0)
        if let inPlace {
            try check(outcome == .frame(inPlace, piece), "a frame is whole where it lies as copied")
        }
        if case .frame(let channel, let octets) = outcome {
            trace.add(octets)
            try check(octets.count >= 4 && octets.count - 4 <= maximum, "a frame keeps to the bound")
            try check(
                octets == L2CAP.frame(Array(octets[4...]), on: channel), "a frame is as long as it says")
            if channel == .signalling { try fuzzSignalling(Array(octets[4...]), trace) }
        }
        if choice & 0xF0 == 0xF0 {
            try whole(&reassembler, Array(piece.prefix(maximum)), by: Int(choice & 12))
        }
    }
    try whole(&reassembler, Array(input.prefix(maximum)), by: 0)
    try fuzzSignalling(input, trace)
    try fuzzChannels(input, trace)
}

/// A good frame comes through whatever came before.
private func whole(_ reassembler: inout L2CAP.Reassembler, _ payload: [UInt8], by step: Int) throws(Broken) {
    let frame = L2CAP.frame(payload, on: .att)
    let step = step == 0 ? frame.count : step + 4
    var start = 0
    var outcome = L2CAP.Reassembler.Outcome.incomplete
    while start < frame.count {
        let end = min(start + step, frame.count)
        outcome = reassembler.receive(Array(frame[start..<end]), isFirst: start == 0)
        start = end
    }
    try check(outcome == .frame(.att, frame), "a good frame comes through")
}

private func fuzzSignalling(_ octets: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var reader = ByteReader(octets.octetSpan.bytes)
    guard let packet = try? L2CAP.SignallingPacket(decoding: &reader) else { return }
    trace.add(packet.octets)
    try check(packet.octets == octets, "a signalling packet is what its octets say")
    var data = ByteReader(packet.data.octetSpan.bytes)
    if let request = try? L2CAP.ParameterUpdateRequest(decoding: &data), request.isValid {
        try check(request.intervalMin.rawValue >= 6, "timing that a controller could keep to")
    }
    if let rejection = packet.rejection() {
        trace.add(rejection.octets)
        try check(
            rejection.code == .commandReject && rejection.rejection() == nil, "no rejection of a rejection")
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Fuzzing
import ProductRegistry

extension FlockFinderProduct: FuzzedProduct {
    var fuzzTarget: FuzzTarget { FuzzTarget("detection_json", fuzzDetections) }
}

/// The first two octets say how the others are cut and when the link is lost.
private func fuzzDetections(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    let choice = script.byte()
    let step = Int(script.byte()) + 1
    let octets = script.rest()

    try fuzzDetection(octets, trace)
    _ = try? DetectionScript(jsonLines: octets)

    try fuzzFiles(octets, by: step, trace)
    let whole = try pieces(octets, by: max(octets.count, 1), endingEarly: false)
    let cut = try pieces(octets, by: step, endingEarly: choice & 1 != 0)
    for piece in whole + cut {
        trace.add(piece.octets)
        if case .object(let object) = piece { try fuzzDetection(object, trace) }
    }
    // Objects one after the other are the same however they are cut; after a fault it may be otherwise.
    if choice & 1 == 0, octets.count <= JSONObjectStream.maximumLength,
        !(whole + cut).contains(where: { $0.isFault })
    {
        try check(whole == cut, "objects are the same however they are cut")
    }
}

extension JSONObjectStream.Piece {
    fileprivate var isFault: Bool {
        if case .fault = self { return true }
        return false
    }

    fileprivate var octets: [UInt8] {
        switch self {
        case .object(let octets), .fault(_, let octets): octets
        }
    }
}

private func pieces(
    _ octets: [UInt8], by step: Int, endingEarly: Bool
) throws(Broken) -> [JSONObjectStream.Piece] {
    var stream = JSONObjectStream()
    var pieces: [JSONObjectStream.Piece] = []
    var now = HostInstant.zero
    var start = 0
    func drain() throws(Broken) {
        let before = pieces.count
        while let piece = stream.next() {
            pieces.append(piece)
            try check(pieces.count - before <= octets.count + 1, "the pieces come to an end")
            if case .object(let object) = piece {
                try check(object.count <= JSONObjectStream.maximumLength, "an object keeps to the limit")
            }
        }
    }
    while start < octets.count {
        let end = min(start + step, octets.count)
        stream.receive(Array(octets[start..<end]), at: now)
        start = end
        try drain()
        if endingEarly, start.isMultiple(of: 3), let deadline = stream.nextDeadline {
            now = deadline
            stream.deadlineReached(at: now)
            try drain()
        }
    }
    stream.linkClosed()
    try drain()
    try check(stream.nextDeadline == nil, "nothing is kept after the end")
    try check(pieces.reduce(0) { $0 + $1.octets.count } <= octets.count, "no octets out of nothing")
    return pieces
}

private func fuzzDetection(_ octets: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    guard let detection = try? Detection(decoding: octets) else { return }
    try check((-127...20).contains(detection.rssi), "an RSSI that can be")
    try check((0...1).contains(detection.confidence), "a confidence from 0 to 1")
    // What we write of it is read as the same, but for what only its maker knows.
    let encoded = detection.encoded()
    trace.add(encoded)
    let event = DetectionEvent(
        unstored: Sighting(detection, received: Timestamp(milliseconds: 1_795_269_812_123)))
    trace.add(event.json)
    guard encoded.count <= JSONObjectStream.maximumLength else { return }
    guard let again = try? Detection(decoding: encoded) else {
        throw Broken(promise: "what is written can be read")
    }
    try check(
        again.label == detection.label && again.mac == detection.mac && again.ssid == detection.ssid
            && again.rssi == detection.rssi && again.ts == detection.ts, "what is written is what was read")
}

/// Whatever a file holds, it is read or refused, and cutting it changes nothing.
private func fuzzFiles(_ octets: [UInt8], by step: Int, _ trace: FuzzTrace) throws(Broken) {
    let files = [octets.count + 1, step].map { step in
        var (file, known) = (DetectionFile(), KnownCameraFile())
        var rows: [DetectionFile.Row] = []
        for start in stride(from: 0, to: octets.count, by: step) {
            let part = Array(octets[start..<min(start + step, octets.count)])
            file.receive(part)
            known.receive(part)
            while let row = file.next() { rows.append(row) }
        }
        file.finish()
        known.finish()
        while let row = file.next() { rows.append(row) }
        return (rows, known.cameras, known.passed, known.faults, known.broken)
    }
    trace.add(files[0].0.count)
    trace.add(files[0].1.count)
    trace.add(files[0].2)
    try check(
        files[0] == files[1], "what a file of detections or cameras holds is the same however it is cut")
}

// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections

extension ExportFormat {
    /// The whole file.
    func file(_ sightings: [Sighting]) -> (octets: [UInt8], summary: ExportSummary) {
        let heading = ExportHeading(date: Timestamp(milliseconds: 1_732_197_812_123), appVersion: "0.1 <&\">")
        var encoder = DetectionEncoder(self, heading: heading)
        for (index, sighting) in sightings.enumerated() {
            encoder.append(DetectionRecord(id: Int64(index + 1), sighting: sighting))
        }
        encoder.finish()
        return (encoder.removeAll(), encoder.summary)
    }
}

/// The rows of a file that comes in pieces.
func rows(_ octets: some Sequence<UInt8>, pieces: Int = .max) -> [DetectionFile.Row] {
    var file = DetectionFile()
    var rows: [DetectionFile.Row] = []
    var rest = Array(octets)[...]
    while !rest.isEmpty {
        file.receive(Array(rest.prefix(pieces)))
        rest = rest.dropFirst(pieces)
        while let row = file.next() { rows.append(row) }
    }
    file.finish()
    while let row = file.next() { rows.append(row) }
    return rows
}

/// The detections of a file.
///
/// - Throws: The first fault.
func readBack(_ octets: some Sequence<UInt8>, pieces: Int = .max) throws -> [Sighting] {
    try rows(octets, pieces: pieces).map { row in
        switch row {
        case .detection(let row): return row.sighting
        case .bad(let fault), .broken(let fault): throw fault
        case .drive, .passed, .noted: throw BadInput("this is no detection")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Companion

/// Records out of an array.
final class ArrayRecords: RecordSequence {
    private let records: [DetectionRecord]
    private var index = 0

    init(_ sightings: [Sighting]) {
        records = sightings.enumerated().map {
            DetectionRecord(id: Int64($0.offset + 1), sighting: $0.element)
        }
    }

    func count() throws -> Int { records.count }

    func next() throws -> DetectionRecord? {
        guard index < records.count else { return nil }
        index += 1
        return records[index - 1]
    }
}

extension ExportFormat {
    /// The whole file.
    func file(_ sightings: [Sighting]) throws -> (octets: [UInt8], summary: ExportSummary) {
        var octets: [UInt8] = []
        let heading = ExportHeading(date: Timestamp(milliseconds: 1_732_197_812_123), appVersion: "0.1 <&\">")
        let summary = try write(ArrayRecords(sightings), heading: heading) { octets += $0 }
        return (octets, summary)
    }
}

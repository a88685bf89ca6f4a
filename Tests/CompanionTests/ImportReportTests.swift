// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinderCompanion
import Testing

/// What is said of a file that was imported, wherever it was.
@Suite struct ImportReportTests {
    @Test func aKindIsToldOnceWithItsFirstLine() {
        var faults = ImportFaults()
        for line in 2...4 {
            faults.add(ImportError(line, "the rssi \(line * 100) is not between -127 and 20"))
        }
        faults.add(ImportError(5, column: 7, "\"a 1\" is no address"))
        faults.add(ImportError(6, "\"another\" is no address"))
        #expect(faults.kinds.map(\.fault.line) == [2, 5] && faults.kinds.map(\.rows) == [3, 2])
        #expect(faults.kinds[0].fault.reason == "the rssi 200 is not between -127 and 20")
        #expect(faults.kinds[1].fault.column == 7 && faults.rows == 5)
    }

    @Test func thereAreNoMoreThanSoManyKinds() {
        var faults = ImportFaults()
        let kinds = (0..<30).map { String(repeating: "x", count: $0 + 1) }
        for (line, kind) in (kinds + kinds).enumerated() { faults.add(ImportError(line + 1, kind)) }
        #expect(faults.kinds.count == ImportFaults.mostKinds && faults.rows == 60)
        #expect(faults.kinds.allSatisfy { $0.rows == 2 })
    }

    /// Of files that were put together each may have the same to say.
    @Test func aNoteIsToldOnce() {
        var report = ImportReport()
        for line in [1, 9, 20] { report.add(ImportError(line, "no column says where it was")) }
        report.add(ImportError(21, "this row has no time"))
        #expect(report.notes.map(\.line) == [1, 21] && report.counts == ImportSummary())
    }

    @Test func whatEndsAFileFirstCounts() {
        var report = ImportReport()
        for line in [7, 8] { report.end(ImportError(line, "it ends")) }
        #expect(report.broken == ImportError(7, "it ends"))
    }

    @Test func itIsWrittenAsOneObject() {
        var report = ImportReport()
        report.addDetections(new: 2, known: 1)
        report.addDetections(new: 1, known: 0)
        for isNew in [true, false, true] { report.addDrive(isNew: isNew) }
        report.pass()
        for line in [4, 5] { report.refuse(ImportError(line, "it has no time")) }
        report.add(ImportError(1, column: 3, "it is old"))
        var json = JSONWriter()
        json.object { report.writeValues(isTrial: true, into: &$0) }
        report.end(ImportError(6, "it ends"))
        #expect(
            json.text
                == #"{"imported":3,"known":1,"refused":2,"passed":1,"drives":2,"known_drives":1,"dry_run":true,"#
                + #""faults":[{"line":4,"column":null,"reason":"it has no time","rows":2}],"#
                + #""notes":[{"line":1,"column":3,"reason":"it is old"}],"broken":null}"#)
        var broken = JSONWriter()
        broken.object { report.writeValues(isTrial: false, into: &$0) }
        #expect(broken.text.hasSuffix(#""broken":{"line":6,"column":null,"reason":"it ends"}}"#))
        #expect(broken.text.contains(#""dry_run":false"#))
    }
}

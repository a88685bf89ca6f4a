// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Testing

@Suite("Sources that drives have met, in one pass")
struct DriveSourcesTests {
    private func drive(_ id: Int64, _ span: ClosedRange<Int64>) -> Drive {
        Drive(
            id: id, begin: Timestamp(milliseconds: span.lowerBound),
            end: Timestamp(milliseconds: span.upperBound), metres: 1, source: nil)
    }

    @Test func drivesThatOverlapCountEachForItself() {
        let spans: [(Int64, ClosedRange<Int64>)] = [
            (3, 200...300), (1, 0...100), (2, 50...150), (4, 400...500),
        ]
        var sweep = DriveSources(spans.map { drive($0.0, $0.1) })
        let met: [(source: Int64, received: Int64, first: Int64)] = [
            (1, 10, 10), (2, 60, 5), (1, 120, 10), (3, 250, 250), (2, 300, 5),
        ]
        for one in met { sweep.take(one.source, at: one.received, firstSeen: one.first) }
        let counted = sweep.finish()
        #expect(counted.map(\.id) == [3, 1, 2, 4])
        #expect(counted.map(\.newSources) == [1, 2, 0, 0])
        #expect(counted.map(\.knownSources) == [1, 0, 2, 0])
        #expect(sweep.finish() == counted)
    }

    @Test func firstAndLastMomentAreOfADrive() {
        var sweep = DriveSources([drive(1, 100...200), drive(2, 200...200)])
        for (source, moment) in [(1, 99), (2, 100), (3, 200), (4, 201)] as [(Int64, Int64)] {
            sweep.take(source, at: moment, firstSeen: moment)
        }
        #expect(sweep.finish().map(\.newSources) == [2, 1])
    }

    @Test func noDriveHasMetNothing() {
        var sweep = DriveSources([])
        sweep.take(1, at: 5, firstSeen: 5)
        #expect(sweep.finish().isEmpty)
    }
}

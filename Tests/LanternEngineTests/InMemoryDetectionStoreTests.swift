// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Testing

@testable import LanternEngine

@Suite("What a page keeps of detections")
struct InMemoryDetectionStoreTests {
    private func sighting(_ seconds: Int64) -> Sighting {
        Sighting(
            type: .ring, label: "Ring", rssi: -60, confidence: 1,
            received: Timestamp(milliseconds: seconds * 1000))
    }

    @Test func theOldestGoWhenThereIsNoRoom() {
        var memory = InMemoryDetectionStore(limit: 20)
        for second in 1...100 {
            #expect(memory.add(sighting(Int64(second))) != nil)
            #expect(memory.rows.count <= 20 && memory.count == memory.rows.count)
        }
        #expect(memory.record(100) != nil && memory.record(1) == nil)
    }

    @Test func whereTheOldestStayNothingNewIsTaken() {
        var memory = InMemoryDetectionStore(limit: 20, dropsOldest: false)
        for second in 1...20 { #expect(memory.add(sighting(Int64(second))) != nil) }
        #expect(memory.isFull && memory.add(sighting(21)) == nil)
        #expect(memory.count == 20 && memory.record(1) != nil)
    }

    /// They are found by their numbers, which rise.
    @Test func whatIsOutOfOrderIsNotTaken() {
        var memory = InMemoryDetectionStore()
        #expect(memory.add(sighting(1), id: 5) != nil)
        for number in [5, 4, 1] as [Int64] { #expect(memory.add(sighting(2), id: number) == nil) }
        #expect(memory.add(sighting(3), id: 9) != nil)
        #expect(memory.add(sighting(4))?.id == 10)
        for number in [5, 9, 10] as [Int64] { #expect(memory.record(number)?.id == number) }
    }

    @Test func theOldestDrivesGoWhenThereIsNoRoom() throws {
        var memory = InMemoryDriveStore(limit: 30)
        for number in 0..<10 as Range<Int64> {
            let fixes = (0..<10 as Range<Int64>).map { second in
                Fix(
                    time: (number * 100 + second) * 1000, latitude: 52 + Double(second) / 1000, longitude: 13,
                    source: .track)
            }
            let drive = try #require(ImportedDrive(line: 1, fixes: fixes))
            #expect(memory.take(drive) != nil)
            #expect(memory.drives.reduce(0) { $0 + $1.points.count } <= 30)
        }
        #expect(memory.drives.map(\.drive.begin.milliseconds) == [700_000, 800_000, 900_000])
    }

    /// As in a database: the first moment is of a time, the last one is not.
    @Test func aTimeEndsBeforeItsEnd() {
        var memory = InMemoryDetectionStore()
        for second in 1...5 { _ = memory.add(sighting(Int64(second))) }
        let filter = DetectionFilter(
            since: Timestamp(milliseconds: 2000), until: Timestamp(milliseconds: 4000))
        #expect(memory.records(matching: filter).map(\.id) == [3, 2])
    }

    /// Whatever the order in which the detections came.
    @Test func drivesHaveMetTogetherWhatEachHasAlone() {
        var memory = InMemoryDetectionStore()
        var random = SplitMix64(seed: 7)
        for _ in 0..<400 {
            var one = sighting(Int64.random(in: 0..<1000, using: &random))
            one.ssid = "n\(Int.random(in: 0..<60, using: &random))"
            #expect(memory.add(one) != nil)
        }
        _ = memory.discard([3, 50, 200])
        let drives = (1...60 as ClosedRange<Int64>).map { number in
            let begin = Int64.random(in: 0..<1000, using: &random) * 1000
            let end = begin + Int64.random(in: 0..<300, using: &random) * 1000
            return Drive(
                id: number, begin: Timestamp(milliseconds: begin), end: Timestamp(milliseconds: end),
                metres: 1, source: nil)
        }
        let counted = memory.counted(drives)
        #expect(counted.map(\.id) == drives.map(\.id))
        #expect(counted.contains { $0.newSources > 0 && $0.knownSources > 0 })
        for drive in counted {
            let met = memory.rows.filter { row in
                row.deletion == nil && row.sighting.received >= drive.begin
                    && row.sighting.received <= drive.end
            }
            let sources = Set(met.map(\.source)).compactMap { memory.source($0)?.source }
            let new = sources.count { $0.firstSeen >= drive.begin }
            #expect((drive.newSources, drive.knownSources) == (new, sources.count - new))
            #expect(memory.counted([drive]) == [drive])
        }
        #expect(memory.counted([]).isEmpty)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import Detections
import FlockFinder
import Testing

@Suite("What becomes known by fixes and is stored")
struct PlaceRecordingTests {
    /// A recording, a store that a test answers for, and a clock that it moves.
    private struct Bench {
        var recording = PlaceRecording()
        private(set) var now = HostInstant.zero
        private(set) var fills: [[LatePlace]] = []
        private(set) var pieces: [DrivePiece] = []
        private(set) var placed: [Int64] = []
        private(set) var told: [String] = []
        private(set) var lastDrive: Int64 = 0
        private var fixes: Int64 = 0
        /// Whether the store answers at once, and with what.
        var answers = true
        var failure: StoreError?

        var moment: Moment { .at(now) }
        var points: Int { pieces.reduce(0) { $0 + $1.points.count } }

        /// Lets time go by, and every deadline be met.
        mutating func pass(seconds: UInt64) {
            let end = now.advanced(bySeconds: seconds)
            while let due = recording.nextDeadline, due <= end {
                now = max(now, due)
                recording.deadlineReached(at: moment)
                drain()
                // What waits for an answer does not become due by that.
                if recording.nextDeadline.map({ $0 <= now }) ?? false { break }
            }
            now = end
        }

        mutating func detect(_ id: Int64, ago seconds: Int64 = 0, at position: Position? = nil) {
            let received = Timestamp(milliseconds: moment.time.milliseconds - seconds * 1000)
            let sighting = Sighting(
                type: .ring, label: "Ring", rssi: -60, confidence: 0.9, received: received,
                position: position)
            recording.receive([DetectionRecord(id: id, sighting: sighting)], at: moment)
            drain()
        }

        /// A fix each second, twelve metres north of the one before.
        mutating func drive(seconds: Int) {
            for _ in 0..<seconds {
                pass(seconds: 1)
                fixes += 1
                let fix = Fix(
                    time: moment.time.milliseconds, latitude: Double(fixes) * 0.000108, longitude: 13,
                    accuracy: 3, source: .receiver)
                recording.receive(UsedFix(fix, motion: Sighting.Motion(speed: 12)), at: moment)
                drain()
            }
        }

        mutating func end() {
            recording.endDrive()
            drain()
        }

        mutating func drain() {
            while let output = recording.nextOutput() {
                switch output {
                case .fill(let places):
                    fills.append(places)
                    if answers { answerFill() }
                case .save(let piece):
                    pieces.append(piece)
                    if answers { answerSave() }
                case .placed(let event): placed.append(event.place.id)
                case .drive(let event): told.append("\(event.change.rawValue) \(event.drive.id)")
                }
            }
        }

        /// Answers what the store was asked last to fill in.
        mutating func answerFill() {
            let places = fills.last ?? []
            if let failure { return recording.filled(.failure(failure), at: moment) }
            recording.filled(.success(places.map { DetectionPlaced($0, source: 5) }), at: moment)
        }

        /// Answers what it was asked last to keep.
        mutating func answerSave() {
            guard let piece = pieces.last else { return }
            if let failure {
                pieces.removeLast()
                return recording.saved(.failure(failure), at: moment)
            }
            if piece.drive == nil { lastDrive += 1 }
            recording.saved(.success(kept(piece, as: piece.drive ?? lastDrive)), at: moment)
        }

        /// A piece as the drive that the store makes of it.
        func kept(_ piece: DrivePiece, as id: Int64) -> Drive {
            Drive(
                id: id, begin: Timestamp(milliseconds: 0), end: Timestamp(milliseconds: 1),
                metres: piece.metres, source: piece.source)
        }
    }

    private let full = StoreError.full(path: "x")
    private let refused = StoreError.refused(reason: "x")

    // MARK: Late places

    @Test func aPlaceIsFilledInOnce() {
        var bench = Bench()
        bench.detect(1)
        bench.detect(2, at: Position(latitude: 1, longitude: 2))
        bench.pass(seconds: 11)
        bench.drive(seconds: 2)
        #expect(bench.fills.map { $0.map { $0.id } } == [[1]] && bench.placed == [1])
        #expect(bench.fills[0][0].fix.age == -12_000)
    }

    @Test func aDetectionThatWaitedForTheDiskIsAsOldAsItIs() {
        var bench = Bench()
        bench.pass(seconds: 100)
        bench.detect(1, ago: 29)
        bench.detect(2, ago: 30)
        bench.drive(seconds: 1)
        #expect(bench.placed == [1])
        bench.detect(3)
        bench.pass(seconds: 30)
        bench.drive(seconds: 1)
        #expect(bench.placed == [1])
    }

    @Test func manyPlacesAreFilledInPieceByPiece() {
        var bench = Bench()
        for id in 1...2500 as ClosedRange<Int64> { bench.detect(id) }
        bench.drive(seconds: 1)
        #expect(bench.fills.map { $0.count } == [1000, 1000, 500] && bench.placed.count == 2500)
    }

    @Test func placesThatCannotBeFilledInAreTriedAgain() {
        var bench = Bench()
        bench.failure = full
        bench.detect(1)
        bench.drive(seconds: 1)
        #expect(bench.fills.count == 1)
        bench.detect(2)
        bench.drive(seconds: 1)
        bench.failure = nil
        bench.pass(seconds: 1)
        #expect(bench.placed == [1, 2] && bench.fills.last?.count == 2)
        // What will never be stored is not tried again.
        bench.failure = refused
        bench.detect(3)
        bench.drive(seconds: 1)
        bench.failure = nil
        let count = bench.fills.count
        bench.pass(seconds: 5)
        #expect(bench.fills.count == count && bench.placed == [1, 2])
    }

    // MARK: Drives

    @Test func aDriveIsStoredEveryFiveSecondsAndAtItsEnd() {
        var bench = Bench()
        #expect(bench.recording.nextDeadline == nil)
        bench.drive(seconds: 30)
        #expect(bench.told == ["begun 1"] + Array(repeating: "extended 1", count: 4))
        #expect(bench.recording.openDrive == 1)
        bench.end()
        #expect(bench.told.last == "ended 1" && bench.told.count == 6 && bench.points == 30)
        #expect(bench.pieces.map { $0.drive } == [nil, 1, 1, 1, 1, 1])
        #expect(bench.recording.openDrive == nil && bench.recording.nextDeadline == nil)
        // The next fix is a place of rest.
        bench.drive(seconds: 3)
        #expect(bench.told.count == 6)
        bench.drive(seconds: 10)
        #expect(bench.told[6] == "begun 2")
    }

    @Test func withoutFixesADriveEndsAfterFiveMinutes() {
        var bench = Bench()
        bench.drive(seconds: 8)
        #expect(bench.told == ["begun 1"])
        bench.pass(seconds: 299)
        #expect(bench.told == ["begun 1", "extended 1"] && bench.points == 8)
        bench.pass(seconds: 1)
        #expect(bench.told == ["begun 1", "extended 1", "ended 1"])
        bench.pass(seconds: 1000)
        #expect(bench.told.count == 3)
    }

    @Test func aDriveThatEndsBeforeItIsStoredIsToldWhole() {
        var bench = Bench()
        bench.answers = false
        bench.drive(seconds: 20)
        bench.end()
        #expect(bench.pieces.count == 1 && bench.told.isEmpty)
        bench.answers = true
        bench.answerSave()
        bench.drain()
        #expect(bench.told == ["begun 1", "ended 1"] && bench.points == 20)
    }

    @Test func theStoreIsAskedForOneThingAtATime() {
        var bench = Bench()
        bench.answers = false
        bench.detect(1)
        bench.drive(seconds: 20)
        #expect(bench.fills.count == 1 && bench.pieces.isEmpty)
        // What it was not asked changes nothing.
        bench.recording.saved(
            .success(
                Drive(
                    id: 9, begin: Timestamp(milliseconds: 0), end: Timestamp(milliseconds: 1), metres: 1,
                    source: nil)), at: bench.moment)
        bench.drain()
        #expect(bench.pieces.isEmpty && bench.recording.openDrive == nil)
        bench.answerFill()
        bench.drain()
        #expect(bench.placed == [1] && bench.pieces.count == 1)
        bench.answerSave()
        bench.drain()
        #expect(bench.told == ["begun 1"] && bench.points == 20)
    }

    @Test func whatCannotBeStoredIsTriedAgainWithWhatHasCome() {
        var bench = Bench()
        bench.failure = full
        bench.drive(seconds: 20)
        #expect(bench.told.isEmpty && bench.pieces.isEmpty)
        bench.failure = nil
        bench.pass(seconds: 1)
        #expect(bench.told == ["begun 1"] && bench.points == 20)
        bench.failure = full
        bench.drive(seconds: 10)
        bench.end()
        bench.failure = nil
        bench.pass(seconds: 1)
        #expect(bench.told == ["begun 1", "ended 1"] && bench.points == 30)
    }

    @Test func whatWillNeverBeStoredIsLost() {
        var bench = Bench()
        bench.failure = refused
        bench.drive(seconds: 6)
        bench.failure = nil
        // What comes behind it is a drive of its own.
        bench.drive(seconds: 20)
        #expect(bench.told.first == "begun 1" && bench.points < 26)
        bench.failure = refused
        bench.end()
        bench.failure = nil
        bench.pass(seconds: 1)
        // Its last piece is lost, but it has ended.
        #expect(bench.told.last == "ended 1" && bench.recording.openDrive == nil)
    }

    // MARK: What counts no more

    @Test func aDriveThatIsDeletedWhileItGoesOnBeginsAnew() {
        var bench = Bench()
        bench.drive(seconds: 20)
        bench.recording.forget(drives: [7])
        #expect(bench.recording.openDrive == 1)
        bench.recording.forget(drives: [7, 1])
        #expect(bench.recording.openDrive == nil)
        let told = bench.told.count
        bench.drive(seconds: 20)
        #expect(bench.told[told] == "begun 2" && !bench.told.contains("ended 1"))
        // It is as long as what was driven since.
        #expect(bench.pieces.last?.metres ?? 1000 < 240)
    }

    @Test func aDriveThatIsDeletedWhileItIsStoredIsForgotten() {
        for isEnded in [false, true] {
            var bench = Bench()
            bench.drive(seconds: 8)
            bench.answers = false
            if isEnded { bench.end() } else { bench.drive(seconds: 10) }
            let asked = bench.pieces.count
            bench.recording.forget(drives: [1])
            bench.drain()
            #expect(bench.pieces.count == asked)
            bench.answers = true
            bench.answerSave()
            bench.drain()
            #expect(!bench.told.contains("ended 1") && bench.recording.openDrive == nil)
            bench.drive(seconds: 20)
            #expect(bench.told.contains("begun 2"))
        }
    }

    @Test func aDriveThatWasDeletedByOthersHasAnotherNumber() {
        var bench = Bench()
        bench.drive(seconds: 8)
        bench.answers = false
        bench.drive(seconds: 10)
        let drive = bench.kept(bench.pieces[bench.pieces.count - 1], as: 4)
        bench.recording.saved(.success(drive), at: bench.moment)
        bench.drain()
        #expect(bench.told.last == "begun 4" && bench.recording.openDrive == 4)
    }

    @Test func anotherStoreForgetsEverything() {
        var bench = Bench()
        bench.drive(seconds: 20)
        bench.detect(1)
        bench.recording.forget()
        let (told, pieces) = (bench.told.count, bench.pieces.count)
        bench.end()
        bench.drive(seconds: 1)
        #expect(bench.told.count == told && bench.pieces.count == pieces && bench.fills.isEmpty)
        bench.drive(seconds: 20)
        #expect(bench.told[told] == "begun 2")
    }

    @Test func anAnswerOfAnotherStoreCountsNoMore() {
        var bench = Bench()
        bench.answers = false
        bench.detect(1)
        bench.drive(seconds: 1)
        bench.recording.forget()
        bench.detect(2)
        bench.drive(seconds: 1)
        #expect(bench.fills.count == 1)
        bench.answers = true
        bench.answerFill()
        bench.drain()
        #expect(bench.placed == [2])
    }
}

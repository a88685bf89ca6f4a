// SPDX-License-Identifier: Apache-2.0

import Detections
import Testing

/// Somebody who moves, with a fix each second.
private struct Journey {
    static let start: Int64 = 1_795_000_000_000
    /// Metres in a degree of latitude.
    static let degree = 111_195.08

    var recorder = DriveRecorder()
    /// How many seconds of the fixes' time pass in one of ours.
    var pace: Int64 = 1
    private(set) var second: Int64 = 0
    private(set) var north = 0.0
    private(set) var east = 0.0
    /// The drives, each with its points; the last may go on.
    private(set) var drives: [[DrivePoint]] = []
    private(set) var metres: [Double] = []
    private(set) var ended = 0

    /// Goes on for some seconds at a speed in metres a second, and a course.
    mutating func go(
        _ speed: Double, course: Double = 0, for seconds: Int, accuracy: Double = 3, stated: Double? = nil
    ) {
        for _ in 0..<seconds {
            // Only north, east, south and west are needed.
            north += course == 0 ? speed : course == 180 ? -speed : 0
            east += course == 90 ? speed : course == 270 ? -speed : 0
            fix(accuracy: accuracy, speed: stated ?? speed)
        }
    }

    /// Goes some metres in a second.
    mutating func step(north: Double, east: Double) {
        self.north += north
        self.east += east
        fix(speed: north)
    }

    mutating func fix(accuracy: Double = 3, speed: Double? = nil, off: Double = 0) {
        second += 1
        let fix = Fix(
            time: Self.start + second * 1000 * pace, latitude: (north + off) / Self.degree,
            longitude: 13 + east / Self.degree, accuracy: accuracy, source: .receiver)
        take(
            recorder.receive(fix, speed: speed, at: UInt64(second) * 1000, time: Self.start + second * 1000))
    }

    /// Lets seconds pass without a fix.
    mutating func pass(_ seconds: Int64) {
        second += seconds
        take(recorder.deadlineReached(at: UInt64(second) * 1000))
    }

    mutating func take(_ outputs: [DriveRecorder.Output]) {
        for output in outputs {
            switch output {
            case .begins(let points, let length):
                drives.append(points)
                metres.append(length)
            case .goesOn(let point, let length):
                drives[drives.count - 1].append(point)
                metres[metres.count - 1] = length
            case .ends: ended += 1
            }
        }
    }
}

@Suite("What is a drive")
struct DriveRecorderTests {
    @Test func aDriveHasTheWayFromWhereOneHasRested() throws {
        var journey = Journey()
        journey.go(0, for: 60)
        journey.go(12, for: 3)
        #expect(journey.drives.isEmpty)
        journey.go(12, for: 97)
        #expect(journey.drives.count == 1 && journey.ended == 0)
        // From the last moment at rest on.
        let points = try #require(journey.drives.first)
        #expect(points.count == 101)
        #expect(points[0].time == Journey.start + 60_000 && points[0].latitude == 0)
        #expect(abs(journey.metres[0] - 1200) < 2)
        // Its last metres belong to the place of rest.
        journey.go(0, for: 297)
        #expect(journey.ended == 0)
        journey.go(0, for: 3)
        #expect(journey.ended == 1 && journey.drives[0].count == 101)
        // And another one from there.
        journey.go(12, for: 10)
        #expect(journey.drives.count == 2)
        #expect(abs(journey.metres[1] - 120) < 2)
    }

    @Test func aReceiverThatWandersDrivesNowhere() {
        var journey = Journey()
        for second in 0..<3600 {
            let wander = Double((second * 7919) % 61) - 30
            journey.fix(accuracy: 15, speed: second.isMultiple(of: 5) ? nil : 0.2, off: wander / 2)
        }
        #expect(journey.drives.isEmpty)
    }

    @Test func aWayToTheNorthIsStraightOnBothSidesOfNorth() {
        var journey = Journey()
        journey.go(0, for: 10)
        journey.go(12, for: 10)
        let points = journey.drives[0].count
        // Six metres a second, a hair to the east and to the west in turn: 1 and 359 degrees are no turn.
        for second in 0..<100 { journey.step(north: 6, east: second.isMultiple(of: 2) ? 0.1 : -0.1) }
        // Ten metres lie between two points, which takes two seconds.
        #expect(journey.drives[0].count == points + 50)
    }

    @Test func poorFixesNeedALongerWay() {
        var journey = Journey()
        journey.go(0, for: 10, accuracy: 100)
        journey.go(10, for: 19, accuracy: 100)
        #expect(journey.drives.isEmpty)
        journey.go(10, for: 2, accuracy: 100)
        #expect(journey.drives.count == 1)
        // What is known better is where one has rested.
        var better = Journey()
        better.fix(accuracy: 100, off: 45)
        better.go(0, for: 5)
        #expect(better.drives.isEmpty)
        better.go(10, for: 6)
        #expect(better.drives.first?.first?.latitude == 0)
    }

    @Test func pointsAreKeptByWayAndByTurn() throws {
        var journey = Journey()
        journey.go(2, for: 100)
        // Each ten metres, after the place of rest.
        var points = try #require(journey.drives.first)
        for (one, next) in zip(points, points.dropFirst()) {
            #expect(abs(one.way(to: next).metres - 10) < 0.1)
        }
        let count = points.count
        journey.go(2, course: 90, for: 3)
        points = journey.drives[0]
        // Eight metres north and four east are a turn, and not ten metres.
        #expect(points.count == count + 1)
        #expect(abs(points[points.count - 2].way(to: points[points.count - 1]).metres - 8.94) < 0.1)
    }

    @Test func whileOneWaitsAtATrafficLightNoPointsAreKept() {
        var journey = Journey()
        journey.go(12, for: 100)
        let count = journey.drives[0].count
        for second in 0..<120 { journey.fix(speed: 0.1, off: second.isMultiple(of: 2) ? 11 : -11) }
        #expect(journey.drives[0].count == count)
        journey.go(12, for: 10)
        #expect(journey.drives.count == 1 && journey.drives[0].count == count + 10)
    }

    @Test func withoutFixesADriveEndsAfterFiveMinutes() {
        var journey = Journey()
        journey.go(12, for: 100)
        journey.pass(270)
        #expect(journey.ended == 0 && journey.recorder.isDriving)
        journey.go(12, for: 10)
        #expect(journey.drives.count == 1)
        journey.pass(300)
        #expect(journey.ended == 1 && !journey.recorder.isDriving)
        // A tunnel is no drive.
        journey.pass(300)
        journey.go(12, for: 3)
        #expect(journey.ended == 1 && journey.drives.count == 1)
    }

    @Test func aTrackThatIsPlayedFasterIsTheSameDrives() {
        var journey = Journey()
        journey.pace = 10
        journey.go(100, for: 20)
        // Five minutes of its time.
        journey.go(0, for: 31)
        #expect(journey.drives.count == 1 && journey.ended == 1)
    }

    @Test func aClockThatIsSetBackNeitherEndsADriveNorMixesItsPoints() {
        var recorder = DriveRecorder()
        var points: [DrivePoint] = []
        for second in 0..<100 as Range<Int64> {
            let fix = Fix(
                time: Journey.start + second * 1000, latitude: Double(second) * 0.0001, longitude: 13,
                source: .receiver)
            // The hub's own clock is set back by an hour.
            let time = Journey.start + second * 1000 - (second > 50 ? 3_600_000 : 0)
            for output in recorder.receive(fix, speed: 11, at: UInt64(second) * 1000, time: time) {
                switch output {
                case .begins(let first, _): points = first
                case .goesOn(let point, _): points.append(point)
                case .ends: Issue.record("it has ended")
                }
            }
        }
        #expect(points.count == 100)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    @Test func aVeryLongDriveIsGoneOnWithInAnother() {
        var journey = Journey()
        for lap in 0..<501 { journey.go(20, course: lap.isMultiple(of: 2) ? 0 : 180, for: 100) }
        #expect(journey.drives.count == 2 && journey.ended == 1)
        #expect(journey.drives[0].count == 50_000)
        #expect(journey.drives[1].first == journey.drives[0].last)
        #expect(journey.metres[1] < 25_000)
    }
}

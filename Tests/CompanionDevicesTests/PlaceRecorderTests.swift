// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import Locating
import Synchronization
import Testing

@Suite("What becomes known by fixes")
struct PlaceRecorderTests {
    @Test func aPlaceIsFilledInOnce() async throws {
        let bench = Bench()
        bench.detect(1)
        bench.detect(2, hasPlace: true)
        #expect(try await bench.recorder.store().isEmpty)
        bench.pass(12)
        bench.fix(0)
        let reports = try await bench.recorder.store()
        guard case .placed(let event)? = reports.first else {
            Issue.record("nothing was filled in")
            return
        }
        #expect(reports.count == 1 && event.place.id == 1 && event.place.fix.age == -12_000)
        #expect(try await bench.recorder.store().isEmpty)
    }

    @Test func theEndLosesNothingThatIsKnown() async throws {
        let bench = Bench()
        bench.detect(1)
        bench.fix(0)
        #expect(try await bench.recorder.store(isEnding: true).count == 1)
        // And what nobody knows stays without a place.
        bench.detect(2)
        #expect(try await bench.recorder.store(isEnding: true).isEmpty)
    }

    @Test func aDetectionThatWaitedForTheDiskIsAsOldAsItIs() async throws {
        let bench = Bench()
        let received = bench.now
        bench.pass(29)
        bench.recorder.receive([bench.record(1, received: received)])
        bench.pass(2)
        bench.fix(0)
        #expect(try await bench.recorder.store().isEmpty)
    }

    /// Its clock is the test's: it is awake when the test has let time pass.
    @Test func whatComesIsStoredAtOnceAndWhatIsDueWhenItIs() async throws {
        let bench = Bench()
        let (slept, sleeps) = AsyncStream<Duration>.makeStream()
        let (stored, stores) = AsyncStream<[DriveChanged.Change]>.makeStream()
        let following = Task {
            await bench.recorder.follow(sleep: { length in
                let end = bench.elapsed + length
                sleeps.yield(length)
                while bench.elapsed < end {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }) {
                stores.yield((try? await bench.changes()) ?? [])
            }
        }
        var lengths = slept.makeAsyncIterator()
        var changes = stored.makeAsyncIterator()
        for second in 0..<60 {
            bench.fix(second)
            if await changes.next()?.contains(.begun) ?? false { break }
            bench.pass(1)
        }
        // It is stored again five seconds after that.
        bench.pass(2)
        bench.fix(60)
        #expect(await changes.next() == [])
        while await lengths.next() != .seconds(3) { continue }
        bench.pass(3)
        #expect(await changes.next() == [.extended])
        following.cancel()
        await following.value
    }

    @Test func aDriveIsStoredEveryFiveSeconds() async throws {
        let bench = Bench()
        var changes: [DriveChanged.Change] = []
        for second in 0..<30 {
            bench.fix(second)
            changes += try await bench.changes()
            bench.pass(1)
        }
        #expect(changes == [.begun, .extended, .extended, .extended, .extended])
        #expect(bench.points > 25)
        changes = try await bench.changes(isEnding: true)
        #expect(changes == [.extended, .ended] || changes == [.ended])
        #expect(bench.points == 30 && bench.drives == [1])
        #expect(try await bench.recorder.store(isEnding: true).isEmpty)
    }

    @Test func whatCannotBeStoredIsTriedAgain() async throws {
        let bench = Bench()
        bench.detect(1)
        for second in 0..<20 { bench.fix(second) }
        bench.disk.fail(.full(path: "x"))
        await #expect(throws: StoreError.self) { try await bench.recorder.store() }
        await #expect(throws: StoreError.self) { try await bench.recorder.store() }
        bench.disk.fail(nil)
        #expect(try await bench.recorder.store().count == 2)
        #expect(bench.points == 20)
    }

    @Test func anotherSourceEndsADriveAndAnotherStoreForgetsIt() async throws {
        let bench = Bench()
        for second in 0..<20 { bench.fix(second) }
        bench.recorder.changeSource()
        #expect(try await bench.changes() == [.begun, .ended])
        for second in 20..<40 { bench.fix(second) }
        #expect(try await bench.changes() == [.begun])
        bench.detect(7)
        bench.recorder.forget()
        bench.fix(40)
        #expect(try await bench.recorder.store(isEnding: true).isEmpty)
        #expect(bench.drives == [1, 2])
    }

    @Test func twoWhoStoreAtOnceMakeOneDrive() async throws {
        let bench = Bench()
        for second in 0..<20 { bench.fix(second) }
        async let one = bench.changes()
        async let other = bench.changes(isEnding: true)
        #expect(try await one + other == [.begun, .ended])
        #expect(bench.drives == [1])
    }
}

/// Time that a test lets pass.
private final class Clock: Sendable {
    private let seconds = Mutex<Int64>(0)

    var elapsed: Duration { .seconds(seconds.withLock { $0 }) }
    var now: Timestamp { Timestamp(milliseconds: 1_795_000_000_000 + seconds.withLock { $0 } * 1000) }

    func pass(_ count: Int64) { seconds.withLock { $0 += count } }
}

/// A store that counts, and fails when it is to.
private final class Disk: Sendable {
    private struct State {
        var failure: StoreError?
        var points = 0
        var drives: [Int64] = []
    }

    private let state = Mutex(State())

    var points: Int { state.withLock { $0.points } }
    var drives: [Int64] { state.withLock { $0.drives } }

    func fail(_ failure: StoreError?) { state.withLock { $0.failure = failure } }

    func check() throws(StoreError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    func save(_ piece: DrivePiece) -> Drive {
        state.withLock { state in
            let id = piece.drive ?? Int64(state.drives.count + 1)
            if piece.drive == nil { state.drives.append(id) }
            state.points += piece.points.count
            return Drive(
                id: id, begin: Timestamp(milliseconds: 0), end: Timestamp(milliseconds: 1),
                metres: piece.metres, source: piece.source)
        }
    }
}

/// A recorder with a clock and a store of the test's own.
private final class Bench: Sendable {
    let recorder: PlaceRecorder
    let disk: Disk
    private let clock: Clock

    init() {
        let (disk, clock) = (Disk(), Clock())
        (self.disk, self.clock) = (disk, clock)
        recorder = PlaceRecorder(
            into: PlaceRecorder.Store(
                fill: { places async throws(StoreError) in
                    try disk.check()
                    return places.map { DetectionPlaced($0, source: 5) }
                },
                save: { piece async throws(StoreError) in
                    try disk.check()
                    return disk.save(piece)
                }), now: { clock.now }, elapsed: { clock.elapsed })
    }

    var now: Timestamp { clock.now }
    var elapsed: Duration { clock.elapsed }
    var points: Int { disk.points }
    var drives: [Int64] { disk.drives }

    func pass(_ seconds: Int64) { clock.pass(seconds) }

    /// A fix twelve metres north of the one before.
    func fix(_ number: Int) {
        recorder.receive(
            UsedFix(
                Fix(
                    time: 1_795_000_000_000 + Int64(number) * 1000, latitude: Double(number) * 0.000108,
                    longitude: 13, accuracy: 3, source: .receiver), motion: Sighting.Motion(speed: 12)))
    }

    func detect(_ id: Int64, hasPlace: Bool = false) {
        recorder.receive([record(id, received: now, hasPlace: hasPlace)])
    }

    func record(_ id: Int64, received: Timestamp, hasPlace: Bool = false) -> DetectionRecord {
        DetectionRecord(
            id: id,
            sighting: Sighting(
                type: .ring, label: "Ring", rssi: -60, confidence: 0.9, received: received,
                position: hasPlace ? Position(latitude: 1, longitude: 2) : nil))
    }

    func changes(isEnding: Bool = false) async throws -> [DriveChanged.Change] {
        try await recorder.store(isEnding: isEnding).compactMap {
            if case .drive(let event) = $0 { event.change } else { nil }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Synchronization
import Testing

@testable import BLETransport

#if canImport(Darwin)
import Darwin
private let descriptorLimit = RLIMIT_NOFILE
#elseif canImport(Musl)
import Musl
private let descriptorLimit = RLIMIT_NOFILE
#else
import Glibc
private let descriptorLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#endif

/// An actor on a loop, as a radio is.
private actor Resident {
    nonisolated let loop: TransportLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    var count = 0

    init(_ loop: TransportLoop) { self.loop = loop }

    func add() -> Int {
        count += 1
        return count
    }

    nonisolated func addFromBody() { assumeIsolated { $0.count += 1 } }

    var isOnLoop: Bool { loop.isCurrent }
}

/// Throws once it has run on the loop.
private struct Failure: Error {}

private final class Flag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// Isolated to nobody.
private func nothing() async {}

@Suite("A loop", .timeLimit(.minutes(5)))
struct LoopTests {
    @Test func anActorRunsOnItAndItsBodiesAreIsolated() async throws {
        let resident = try Resident(TransportLoop())
        #expect(await resident.isOnLoop)
        #expect(!resident.loop.isCurrent)
        for count in 1...1000 { #expect(await resident.add() == count) }
        await withCheckedContinuation { waiter in
            resident.loop.execute {
                resident.addFromBody()
                waiter.resume()
            }
        }
        #expect(await resident.count == 1001)
    }

    @Test func aTaskThatPrefersItStaysOnIt() async throws {
        let resident = try Resident(TransportLoop())
        let stayed = await Task(executorPreference: resident.loop) {
            var stayed = resident.loop.isCurrent
            for _ in 0..<100 {
                _ = await resident.add()
                await Task.yield()
                stayed = stayed && resident.loop.isCurrent
            }
            return stayed
        }.value
        #expect(stayed)
        #expect(await resident.count == 100)
    }

    @Test func bodiesOfOneThreadRunInOrder() async throws {
        let loop = try TransportLoop()
        let numbers = Mutex<[Int]>([])
        for number in 0..<5000 { loop.execute { numbers.withLock { $0.append(number) } } }
        await withCheckedContinuation { waiter in loop.execute { waiter.resume() } }
        #expect(numbers.withLock { $0 } == Array(0..<5000))
    }

    @Test func whatAJobThrowsOrCancelsHurtsNobodyElse() async throws {
        let loop = try TransportLoop()
        for _ in 0..<50 {
            let failing = Task(executorPreference: loop) { throw Failure() }
            let sleeping = Task(executorPreference: loop) {
                try await loop.sleep(until: HostInstant(microseconds: .max))
            }
            sleeping.cancel()
            await #expect(throws: Failure.self) { try await failing.value }
            await #expect(throws: CancellationError.self) { try await sleeping.value }
        }
        #expect(await Task(executorPreference: loop) { loop.isCurrent }.value)
    }

    @Test func aSleepEndsAtItsDeadlineAndAPastOneAtOnce() async throws {
        let loop = try TransportLoop()
        let deadline = loop.now.advanced(byMilliseconds: 5)
        try await loop.sleep(until: deadline)
        #expect(loop.now >= deadline)
        try await loop.sleep(until: .zero)
    }

    @Test func aSleepThatIsOverLeavesNothing() async throws {
        weak var core: LoopCore?
        do {
            let manual = ManualLoop()
            core = manual.loop.core
            let sleeping = Task(executorPreference: manual.loop) {
                try await manual.loop.sleep(until: HostInstant(microseconds: 10))
            }
            manual.advance(to: HostInstant(microseconds: 20))
            try await sleeping.value
        }
        #expect(core == nil)
    }

    @Test func jobsWithoutEndDoNotStarveTimersNorOtherJobs() async throws {
        let loop = try TransportLoop()
        let done = Flag()
        let spinner = Task(executorPreference: loop) {
            var turns = 0
            while !done.isSet {
                await Task.yield()
                turns += 1
            }
            return turns
        }
        try await loop.sleep(until: loop.now.advanced(byMilliseconds: 2))
        await Task(executorPreference: loop) { done.set() }.value
        #expect(await spinner.value > 0)
    }

    @Test func itsThreadEndsWithItsOwner() async throws {
        weak var core: LoopCore?
        weak var handle: TransportLoop?
        do {
            let resident = try Resident(TransportLoop())
            (core, handle) = (resident.loop.core, resident.loop)
            _ = await resident.add()
            _ = await Task(executorPreference: resident.loop) { resident.loop.now }.value
        }
        while core != nil || handle != nil { await Task.yield() }
    }

    @Test func lettingItGoOnItsOwnThreadEndsItToo() async throws {
        weak var core: LoopCore?
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        do {
            let loop = try TransportLoop()
            core = loop.core
            // The task is the last that holds it.
            Task(executorPreference: loop) {
                for await _ in held {}
                _ = loop.now
            }
        }
        hold.finish()
        while core != nil { await Task.yield() }
    }

    @Test func whatWasHandedInBeforeItsOwnerWentIsRun() async throws {
        for _ in 0..<200 {
            let (stream, ran) = AsyncStream.makeStream(of: Int.self)
            do {
                let loop = try TransportLoop()
                for number in 0..<3 { loop.execute { ran.yield(number) } }
                loop.execute { ran.finish() }
            }
            var numbers: [Int] = []
            for await number in stream { numbers.append(number) }
            #expect(numbers == [0, 1, 2])
        }
    }
}

@Suite("A loop that the system refuses", .timeLimit(.minutes(5)))
struct RefusedLoopTests {
    /// In a process of its own, as nothing in it can be opened any more.
    @Test func withoutDescriptorsThereIsNone() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            try #require(getrlimit(descriptorLimit, &limit) == 0)
            limit.rlim_cur = 0
            try #require(setrlimit(descriptorLimit, &limit) == 0)
            #expect(throws: TransportError.cannotOpen("no pipe can be made for it: Too many open files")) {
                _ = try TransportLoop()
            }
        }
    }

    @Test func withoutAThreadThereIsNoneAndItsPipeIsClosed() throws {
        var limit = rlimit()
        try #require(getrlimit(descriptorLimit, &limit) == 0)
        // Twice as many descriptors as the process may have.
        for _ in 0...min(limit.rlim_cur, 1 << 16) {
            do throws(TransportError) {
                // More than there are addresses.
                _ = try TransportLoop(stackSize: 1 << 60)
                Issue.record("it was started")
            } catch {
                guard case .cannotOpen(let why) = error, why.hasPrefix("no thread can be started for it: ")
                else { throw error }
            }
        }
        _ = try TransportLoop()
    }
}

@Suite("A loop that is moved by hand")
struct ManualLoopTests {
    @Test func nothingRunsUnlessItIsLet() {
        let manual = ManualLoop()
        let log = Log<String>()
        manual.loop.execute { log.add("body") }
        Task(executorPreference: manual.loop) { log.add("task") }
        #expect(log.all.isEmpty)
        #expect(manual.runUntilIdle())
        #expect(log.all == ["body", "task"])
        #expect(!manual.loop.isCurrent)
    }

    @Test func callsThatAreIsolatedToNobodyCostATaskNoTurn() {
        let manual = ManualLoop()
        let flag = Flag()
        Task(executorPreference: manual.loop) {
            for _ in 0..<1000 { await nothing() }
            flag.set()
        }
        #expect(manual.runUntilIdle(steps: 2))
        #expect(flag.isSet)
    }

    @Test func timersComeInTheOrderOfTheirDeadlinesAndThenOfTheirSetting() {
        let manual = ManualLoop()
        let log = Log<String>()
        let loop = manual.loop
        let timers = (0..<4).map { number in
            loop.makeTimer { log.add("\(number) at \(loop.now.microseconds)") }
        }
        loop.execute {
            timers[0].set(HostInstant(microseconds: 30))
            timers[1].set(HostInstant(microseconds: 20))
            timers[2].set(HostInstant(microseconds: 20))
            timers[3].set(HostInstant(microseconds: 10))
            timers[3].set(nil)
        }
        manual.runUntilIdle()
        #expect(manual.nextDeadline == HostInstant(microseconds: 20))
        manual.advance(to: HostInstant(microseconds: 20))
        #expect(log.all == ["1 at 20", "2 at 20"])
        loop.execute { timers[1].set(HostInstant(microseconds: 25)) }
        manual.advance(to: HostInstant(microseconds: 100))
        #expect(log.all == ["1 at 20", "2 at 20", "1 at 25", "0 at 30"])
        #expect(loop.now == HostInstant(microseconds: 100) && manual.nextDeadline == nil)
        // Compiled with -O they would be let go, and not ring, once they are not named any more.
        withExtendedLifetime(timers) {}
    }

    @Test func manyTimersThatMoveKeepTheirOrder() {
        let manual = ManualLoop()
        let loop = manual.loop
        let fired = Mutex<[UInt64]>([])
        let timers = (0..<100).map { _ in
            loop.makeTimer { fired.withLock { $0.append(loop.now.microseconds) } }
        }
        var random: UInt64 = 7
        for round in 0..<1000 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let (index, deadline) = (Int(random >> 33) % 100, random >> 50)
            loop.execute {
                timers[index].set(round % 10 == 9 ? nil : HostInstant(microseconds: deadline))
            }
            manual.runUntilIdle()
            if round % 100 == 0 { manual.advance(to: loop.now.advanced(byMicroseconds: 50)) }
        }
        manual.advance(to: HostInstant(microseconds: 1 << 20))
        let moments = fired.withLock { $0 }
        #expect(moments == moments.sorted() && moments.count > 50)
        #expect(manual.nextDeadline == nil)
        withExtendedLifetime(timers) {}
    }

    @Test func aTimerThatIsLetGoDoesNotRing() {
        let manual = ManualLoop()
        let log = Log<String>()
        do {
            let timer = manual.loop.makeTimer { log.add("rang") }
            manual.loop.execute { timer.set(HostInstant(microseconds: 5)) }
            manual.runUntilIdle()
        }
        manual.advance(to: HostInstant(microseconds: 10))
        #expect(log.all.isEmpty)
    }

    @Test func aDeadlineIsAskedForOnceATurn() {
        let manual = ManualLoop()
        let log = Log<String>()
        let timer = manual.loop.makeTimer(
            deadline: {
                log.add("asked")
                return HostInstant(microseconds: 5)
            }
        ) { log.add("rang") }
        for _ in 0..<3 { manual.loop.execute { timer.setAtTurnEnd() } }
        manual.loop.execute { log.add("turn") }
        manual.runUntilIdle()
        #expect(log.all == ["turn", "asked"])
        #expect(manual.nextDeadline == HostInstant(microseconds: 5))
        manual.advance(to: HostInstant(microseconds: 10))
        manual.loop.execute { timer.setAtTurnEnd() }
        manual.runUntilIdle()
        #expect(log.all == ["turn", "asked", "rang", "asked", "rang"])
    }

    @Test func aTimerThatIsLetGoInItsTurnDoesNotRing() {
        let manual = ManualLoop()
        let log = Log<String>()
        do {
            let timer = manual.loop.makeTimer(deadline: { HostInstant(microseconds: 5) }) { log.add("rang") }
            manual.loop.execute { timer.setAtTurnEnd() }
        }
        manual.runUntilIdle()
        #expect(manual.nextDeadline == nil)
        manual.advance(to: HostInstant(microseconds: 10))
        #expect(log.all.isEmpty)
    }

    @Test func sleepersWakeUpInOrderAndCancelledOnesAtOnce() {
        let manual = ManualLoop()
        let loop = manual.loop
        let log = Log<String>()
        for (name, moment) in [("late", 20), ("early", 10), ("cancelled", 30)] {
            let task = Task(executorPreference: loop) {
                do {
                    try await loop.sleep(until: HostInstant(microseconds: UInt64(moment)))
                    log.add("\(name) at \(loop.now.microseconds)")
                } catch {
                    log.add("\(name): \(error is CancellationError)")
                }
            }
            manual.runUntilIdle()
            if name == "cancelled" { task.cancel() }
        }
        manual.advance(to: HostInstant(microseconds: 50))
        #expect(log.all == ["cancelled: true", "early at 10", "late at 20"])
        #expect(manual.nextDeadline == nil)
    }

    @Test func whatGoesOnWithoutEndIsStopped() {
        let manual = ManualLoop()
        let over = Flag()
        Task(executorPreference: manual.loop) {
            while !over.isSet { await Task.yield() }
        }
        #expect(!manual.runUntilIdle(steps: 100))
        over.set()
        #expect(manual.runUntilIdle())
    }

    /// Puts something into its loop's queue when it ends, as a transport does that is let go.
    private final class Last: Sendable {
        let loop: TransportLoop
        let end: @Sendable () -> Void
        init(_ loop: TransportLoop, _ end: @escaping @Sendable () -> Void) {
            (self.loop, self.end) = (loop, end)
        }
        deinit { loop.execute(end) }
    }

    @Test func whatABodyHeldLastMayComeBackToTheLoopAsItEnds() {
        let manual = ManualLoop()
        let log = Log<Int>()
        for number in 0..<300 {
            let last = Last(manual.loop) { log.add(number) }
            manual.loop.execute { withExtendedLifetime(last) {} }
        }
        manual.runUntilIdle()
        #expect(log.all == Array(0..<300))
    }
}

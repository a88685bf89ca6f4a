// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionHub
import Synchronization
import Testing

@Suite("A job on a device for a page", .timeLimit(.minutes(5)))
struct HubJobTests {
    private let time = SteppedClock()
    private let work = ScriptedWork()

    private func made() -> HubJob {
        let device = HubDevice(id: 7, peer: Peer(BluetoothAddress(7, kind: .public)))
        return HubJob(
            DeviceJob(id: 1, .wifi, with: device, begun: time.clock.now(), lease: 30), work,
            clock: time.clock,
            patience: HubJob.Patience())
    }

    private func begin(_ job: HubJob) async {
        await job.begin(on: { Radio(ScriptedRadio(refusal: nil)) }, changed: { [work] in work.note($0) })
    }

    @Test func itEndsWhenItsPageIsGoneAndNotWhileItIsThere() async throws {
        let job = made()
        await begin(job)
        try await eventually { work.phases == [.open] }
        for _ in 0..<10 {
            try await time.advance(by: .seconds(20))
            #expect(await job.keep().phase == .open)
        }
        try await time.advance(by: .seconds(29))
        try await time.sleepers(1)
        #expect(await job.job.phase == .open)
        try await time.advance(by: .seconds(1))
        try await eventually { await job.job.phase == .ended }
        #expect(await job.job.reason == "Its page was closed or asleep, so Lantern has disconnected from it.")
        #expect(work.phases == [.open, .ended] && work.isClosed)
        // What has ended stays so, whatever is asked of it.
        #expect(await job.keep().phase == .ended)
        await job.end()
        #expect(await job.job.reason?.hasPrefix("Its page") == true)
    }

    @Test func whatIsUnderWayIsDoneFirst() async throws {
        let job = made()
        work.set(isUnderWay: true)
        await begin(job)
        try await eventually { work.phases == [.open] }
        try await time.advance(by: .seconds(30))
        for _ in 0..<20 { try await time.advance(by: .seconds(1)) }
        try await time.sleepers(1)
        #expect(await job.job.phase == .open)
        work.set(isUnderWay: false)
        try await time.advance(by: .seconds(1))
        try await eventually { await job.job.phase == .ended }
    }

    @Test func aPageThatComesBackInTimeKeepsIt() async throws {
        let job = made()
        work.set(isUnderWay: true)
        await begin(job)
        try await eventually { work.phases == [.open] }
        try await time.advance(by: .seconds(31))
        _ = await job.keep()
        work.set(isUnderWay: false)
        try await time.advance(by: .seconds(1))
        try await time.sleepers(1)
        #expect(await job.job.phase == .open)
        await job.end()
        #expect(await job.job.reason == nil && work.isClosed)
    }

    @Test func aPageThatIsForgottenOnADeskHoldsNoLinkForEver() async throws {
        let job = made()
        await begin(job)
        try await eventually { work.phases == [.open] }
        try await time.advance(by: .seconds(25))
        await job.use()
        for _ in 0..<35 {
            try await time.advance(by: .seconds(25))
            _ = await job.keep()
        }
        try await time.sleepers(1)
        #expect(await job.job.phase == .open)
        try await time.advance(by: .seconds(25))
        try await eventually { await job.job.phase == .ended }
        #expect(
            await job.job.reason
                == "Nobody has used the device for 15 minutes, so Lantern has disconnected from it.")
    }

    @Test(arguments: [
        (ConnectionFailure.notFound, "The device is not heard."),
        (.linkLost, "The link to the device has ended."),
        (.wrongDevice(missing: [], having: []), "The device lacks what this page needs."),
    ])
    func whyItFailsIsSaid(_ failure: ConnectionFailure, _ words: String) async throws {
        let job = made()
        await begin(job)
        try await eventually { work.phases == [.open] }
        work.end(failure)
        try await eventually { await job.job.phase == .ended }
        #expect(await job.job.reason?.hasPrefix(words) == true)
    }

    @Test func whoEndsItWaitsUntilTheLinkIsClosed() async throws {
        let job = made()
        await begin(job)
        try await eventually { work.phases == [.open] }
        await job.end()
        #expect(work.isClosed && work.phases == [.open, .ended])
        #expect(await job.job.reason == nil)
    }

    @Test func oneThatWaitsForARadioIsEnded() async throws {
        let job = made()
        await job.begin(
            on: {
                await Wait.untilCancelled()
                return nil
            }, changed: { [work] in work.note($0) })
        try await time.sleepers(1)
        await job.end("The hub was stopped.")
        #expect(work.phases == [.ended])
        #expect(await job.job.reason == "The hub was stopped.")
    }

    @Test func oneThatIsEndedBeforeItHasBegunEnds() async throws {
        let job = made()
        await job.end()
        await begin(job)
        try await eventually { work.phases.last == .ended }
        #expect(await job.job.phase == .ended)
    }
}

/// Work that goes on until a test ends it.
private final class ScriptedWork: JobWork {
    private struct State {
        var phases: [DeviceJob.Phase] = []
        var isUnderWay = false
        var isClosed = false
        var waiting: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    var phases: [DeviceJob.Phase] { state.withLock { $0.phases } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    var isUnderWay: Bool { state.withLock { $0.isUnderWay } }

    func note(_ job: DeviceJob) { state.withLock { $0.phases.append(job.phase) } }
    func set(isUnderWay: Bool) { state.withLock { $0.isUnderWay = isUnderWay } }
    func end(_ error: any Error) { state.withLock { $0.waiting.take() }?.resume(throwing: error) }

    func show(_ job: DeviceJob) {}

    func run(on radio: Radio, opened: @escaping @Sendable (String?) async -> Void) async throws {
        defer { state.withLock { $0.isClosed = true } }
        await opened(nil)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if !Task.isCancelled { state.waiting = continuation }
                    return Task.isCancelled
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume(throwing: CancellationError())
        }
    }
}

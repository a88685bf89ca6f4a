// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BluetoothLE
import Companion
import CompanionDevices
import Foundation
import Testing

@testable import CommandIO
@testable import LanternCommands

@Suite("How a command ends", .timeLimit(.minutes(5)))
struct LanternProcessTests {
    /// Waits until it is cancelled.
    @Sendable private static func untilCancelled() async {
        let (stream, keep) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        keep.finish()
    }

    /// The status and the words of work that fails once the person has ended it.
    private func ended(with error: any Error) async -> (status: Int32, words: String) {
        let (interrupts, person) = AsyncStream.makeStream(of: Int32.self)
        person.yield(SIGINT)
        let errors = Recorder()
        let status = await LanternProcess.status(
            of: {
                await Self.untilCancelled()
                throw error
            }, interrupts: interrupts, errors: errors.output)
        return (status, errors.text)
    }

    @Test func aCommitThatFailsAfterControlCIsAFailure() async {
        for error in [StoreError.full(path: "x"), .busy(path: "x")] {
            let (status, words) = await ended(with: error)
            #expect(status == 1)
            #expect(words == "lantern: \(error)\n")
        }
    }

    @Test func whateverElseGoesWrongAfterControlCIsAFailure() async {
        #expect(await ended(with: CommandError.failed("It is gone.")) == (1, "lantern: It is gone.\n"))
        #expect(await ended(with: OutputError.system(ENOSPC)).status == 1)
    }

    @Test(
        arguments: [
            CancellationError(), BluetoothError.disconnected(.closedByUs), StoreError.cancelled,
            CommandError.nothingFound("Nothing came."), OutputError.readerGone,
        ] as [any Error])
    func whatOnlySaysThatThePersonHasEndedItIsNone(error: any Error) async {
        #expect(await ended(with: error) == (0, ""))
    }

    @Test func workThatEndsWellAfterControlCIsDone() async {
        let (interrupts, person) = AsyncStream.makeStream(of: Int32.self)
        person.yield(SIGTERM)
        #expect(await LanternProcess.status(of: Self.untilCancelled, interrupts: interrupts) == 0)
    }

    @Test(arguments: [SIGHUP, SIGTERM])
    func aSignalThatTheSystemRepeatsDoesNotCutTheWorkOff(number: Int32) async {
        let (interrupts, system) = AsyncStream.makeStream(of: Int32.self)
        for _ in 0..<3 { system.yield(number) }
        let (never, keep) = AsyncStream.makeStream(of: Void.self)
        let errors = Recorder()
        let status = await LanternProcess.status(
            of: { await withoutCancellation { for await _ in never {} } }, interrupts: interrupts,
            grace: .milliseconds(1), errors: errors.output)
        keep.finish()
        #expect(status == 1)
        #expect(errors.text.hasPrefix("lantern: It did not end within"))
    }

    @Test(arguments: [SIGINT, SIGHUP, SIGTERM])
    func aControlCAfterASignalEndsItAtOnceAndAsAFailure(number: Int32) async {
        let (interrupts, person) = AsyncStream.makeStream(of: Int32.self)
        person.yield(number)
        person.yield(SIGINT)
        let (never, keep) = AsyncStream.makeStream(of: Void.self)
        let errors = Recorder()
        let status = await LanternProcess.status(
            of: { await withoutCancellation { for await _ in never {} } }, interrupts: interrupts,
            grace: .seconds(3600), errors: errors.output)
        keep.finish()
        #expect(status == 1)
        #expect(errors.text == "lantern: Ended at once: what was under way may be incomplete.\n")
    }

    @Test func whatDoesNotEndInTimeIsAFailure() async {
        let (interrupts, person) = AsyncStream.makeStream(of: Int32.self)
        person.yield(SIGTERM)
        let (never, keep) = AsyncStream.makeStream(of: Void.self)
        let errors = Recorder()
        let status = await LanternProcess.status(
            of: { await withoutCancellation { for await _ in never {} } }, interrupts: interrupts,
            grace: .zero,
            errors: errors.output)
        keep.finish()
        #expect(status == 1)
        #expect(errors.text.hasPrefix("lantern: It did not end within 0 s and was cut off: "))
    }

    @Test func noSignalIsLostOnceTheyAreWaitedFor() async {
        let interrupts = Interrupts.stream()
        kill(getpid(), SIGTERM)
        kill(getpid(), SIGINT)
        var seen: Set<Int32> = []
        for await number in interrupts {
            seen.insert(number)
            if seen == [SIGINT, SIGTERM] { break }
        }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import FlockFinder
import Foundation
import Synchronization
import Testing

@testable import CompanionHub
@testable import Detections
@testable import HubModel
@testable import LanternCommands

@Suite("The program that is run for alerts", .timeLimit(.minutes(5)))
struct AlertRunnerTests {
    private let folder = NSTemporaryDirectory() + "lantern-alert-\(UUID().uuidString)"
    private let program: String

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        program = folder + "/alert"
        try Data("#!/bin/sh\ncat >>\(folder)/out\n".utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    }

    private var lines: [String] {
        ((try? String(contentsOfFile: folder + "/out", encoding: .utf8)) ?? "").split(separator: "\n")
            .map(String.init)
    }

    private func event(_ id: Int64, source: Int64 = 1, at now: Timestamp) -> DetectionEvent {
        DetectionEvent(
            DetectionRecord(
                id: id,
                sighting: Sighting(type: .ring, label: "Ring", rssi: -50, confidence: 0.9, received: now),
                source: source))
    }

    private func alert(
        _ runner: AlertRunner, _ id: Int64, source: Int64 = 1, at now: Timestamp,
        failures: Failures = Failures()
    ) async {
        await runner.raise(
            RaisedAlert(event(id, source: source, at: now), interval: .seconds(30 * 60), at: now) {
                failures.add($0)
            })
    }

    @Test func theProgramGetsTheEventOfEachAlert() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let runner = AlertRunner(program: program)
        for id in 1...3 as ClosedRange<Int64> {
            await alert(runner, id, at: .now())
            try await eventually { lines.count == id }
        }
        #expect(lines.map { $0.contains(#""event":"detection""#) } == [true, true, true])
        #expect(zip(lines, 1...3).allSatisfy { $0.contains(#""id":\#($1),"#) })
    }

    @Test func whatComesWhileFourRunWaitsForOneToEnd() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(
            "#!/bin/sh\necho begun >>\(folder)/out\nuntil [ -e \(folder)/end ]; do sleep 0.05; done\n".utf8
        )
        .write(to: URL(fileURLWithPath: program))
        let runner = AlertRunner(program: program)
        for source in 1...9 as ClosedRange<Int64> { await alert(runner, 1, source: source, at: .now()) }
        try await eventually { lines.count == 4 }
        try Data().write(to: URL(fileURLWithPath: folder + "/end"))
        try await eventually { lines.count == 9 }
        try await eventually { await runner.isIdle }
    }

    @Test func aProgramThatHangsEndsWithTheHub() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("#!/bin/sh\necho begun >>\(folder)/out\nexec sleep 3600\n".utf8).write(
            to: URL(fileURLWithPath: program))
        let runner = AlertRunner(program: program)
        let now = Timestamp.now()
        for source in 1...9 {
            await alert(runner, 1, source: Int64(source), at: now)
        }
        // No more than four at once.
        try await eventually { lines.count == 4 }
        await runner.end()
        #expect(lines.count == 4)
    }

    @Test(arguments: ["", "trap '' TERM\n"])
    func aProgramAndWhatItHasStartedAreGoneWhenTheHubEnds(refusal: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(
            "#!/bin/sh\n\(refusal)sleep 3600 &\necho $! >>\(folder)/out\necho $$ >>\(folder)/out\nwait\nwait\n"
                .utf8
        )
        .write(to: URL(fileURLWithPath: program))
        let runner = AlertRunner(program: program)
        let now = Timestamp.now()
        await alert(runner, 1, at: now)
        try await eventually { lines.count == 2 }
        let identifiers = lines.compactMap { Int32($0) }
        #expect(identifiers.allSatisfy { kill($0, 0) == 0 })
        await runner.end()
        // Whoever takes in orphans may need a moment to bury them.
        try await eventually { identifiers.allSatisfy { isGone($0) } }
    }

    /// Failures that were told.
    private final class Failures: Sendable {
        private let all = Mutex<[AlertFailed]>([])

        var reasons: [String] { all.withLock { $0.map(\.reason) } }

        func add(_ failure: AlertFailed) { all.withLock { $0.append(failure) } }
    }

    @Test(arguments: [
        ("#!/bin/sh\ncat >/dev/null\nexit 3\n", "ended with status 3."),
        ("#!/bin/sh\nkill -9 $$\n", "ended by signal 9."),
        ("#!/bin/sh\nexec sleep 3600\n", "had not ended after 0.2 s and was ended."),
        ("#!/no/such/interpreter\n", "begins with #!"),
        (nil, "cannot be started: there is no such file."),
    ])
    func aProgramThatFailsIsToldOncePerInterval(text: String?, words: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if let text {
            try Data(text.utf8).write(to: URL(fileURLWithPath: program))
        } else {
            try FileManager.default.removeItem(atPath: program)
        }
        let failures = Failures()
        let runner = AlertRunner(program: program, patience: .milliseconds(200))
        let now = Timestamp.now()
        for source in 1...3 {
            await alert(runner, 1, source: Int64(source), at: now, failures: failures)
        }
        try await eventually { await runner.isIdle }
        #expect(failures.reasons.count == 1)
        #expect(failures.reasons.first?.hasPrefix("The alert program \(program) ") == true)
        #expect(failures.reasons.first?.contains(words) == true, "\(failures.reasons)")
        // When the next interval has begun, it is told again.
        let later = Timestamp(milliseconds: now.milliseconds + 31 * 60_000)
        await alert(runner, 2, at: later, failures: failures)
        try await eventually { failures.reasons.count == 2 }
        await runner.end()
    }

    @Test func aProgramThatReadsNothingDoesNoHarm() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("#!/bin/sh\nexec <&-\necho done >>\(folder)/out\n".utf8).write(
            to: URL(fileURLWithPath: program))
        let failures = Failures()
        let runner = AlertRunner(program: program)
        let now = Timestamp.now()
        for number in 1...20 {
            await alert(runner, 1, source: Int64(number), at: now, failures: failures)
            try await eventually { await runner.isIdle }
        }
        #expect(lines.count == 20 && failures.reasons.isEmpty)
    }

    @Test func whatIsEndedWithTheHubIsNoFailure() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("#!/bin/sh\necho begun >>\(folder)/out\nexec sleep 3600\n".utf8).write(
            to: URL(fileURLWithPath: program))
        let failures = Failures()
        let runner = AlertRunner(program: program)
        let now = Timestamp.now()
        await alert(runner, 1, at: now, failures: failures)
        try await eventually { lines.count == 1 }
        await runner.end()
        #expect(failures.reasons.isEmpty)
        // Nothing is begun any more.
        await alert(runner, 2, source: 2, at: now, failures: failures)
        #expect(await runner.isIdle)
    }

    @Test func whatCannotBeRunIsSaid() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(AlertProgram.fault(at: program) == nil)
        #expect(AlertProgram.fault(at: folder) == "it is a folder")
        #expect(AlertProgram.fault(at: folder + "/none") == "there is no such file")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: program)
        #expect(AlertProgram.fault(at: program)?.contains("chmod +x") == true)
    }

    private func isGone(_ identifier: Int32) -> Bool {
        if kill(identifier, 0) != 0 { return true }
        let status = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)) ?? ""
        return status.contains(") Z ")
    }
}

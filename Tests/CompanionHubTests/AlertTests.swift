// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder
import Foundation
import Testing

@testable import CompanionDevices
@testable import CompanionHub

@Suite("The program that is run for alerts", .timeLimit(.minutes(1)))
struct AlertTests {
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

    private func event(
        _ id: Int64, source: Int64 = 1, confidence: Double = 0.9, mark: SourceMark = .none, at now: Timestamp
    ) -> DetectionEvent {
        DetectionEvent(
            DetectionRecord(
                id: id,
                sighting: Sighting(
                    type: .ring, label: "Ring", rssi: -50, confidence: confidence, received: now),
                source: source, mark: mark))
    }

    @Test func onlyWhatCallsForAttentionRunsTheProgramOncePerInterval() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let runner = AlertRunner(program: program)
        let now = Timestamp.now()
        let later = Timestamp(milliseconds: now.milliseconds + 31 * 60_000)
        var settings = HubSettings()
        await runner.consider(event(1, at: now), settings: settings, at: now)
        try await eventually { lines.count == 1 }
        await runner.consider(event(2, at: now), settings: settings, at: now)
        await runner.consider(event(3, source: 2, confidence: 0.4, at: now), settings: settings, at: now)
        await runner.consider(event(4, source: 3, mark: .muted, at: now), settings: settings, at: now)
        // One that is imported.
        await runner.consider(event(5, source: 4, at: now), settings: settings, at: later)
        settings.alerts.quiet.isOn = true
        (settings.alerts.quiet.from, settings.alerts.quiet.to) = (0, 1440)
        await runner.consider(event(6, source: 5, at: now), settings: settings, at: now)
        settings.alerts.quiet.isOn = false
        await runner.consider(event(7, at: later), settings: settings, at: later)
        try await eventually { lines.count == 2 }
        #expect(lines.map { $0.contains(#""event":"detection""#) } == [true, true])
        #expect(lines[0].contains(#""id":1,"#) && lines[1].contains(#""id":7,"#))
    }

    @Test func aProgramThatHangsEndsWithTheHub() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("#!/bin/sh\necho begun >>\(folder)/out\nexec sleep 3600\n".utf8).write(
            to: URL(fileURLWithPath: program))
        let runner = AlertRunner(program: program)
        let now = Timestamp.now()
        for source in 1...9 {
            await runner.consider(event(1, source: Int64(source), at: now), settings: HubSettings(), at: now)
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
        await runner.consider(event(1, at: now), settings: HubSettings(), at: now)
        try await eventually { lines.count == 2 }
        let identifiers = lines.compactMap { Int32($0) }
        #expect(identifiers.allSatisfy { kill($0, 0) == 0 })
        await runner.end()
        // Whoever takes in orphans may need a moment to bury them.
        try await eventually { identifiers.allSatisfy { isGone($0) } }
    }

    private func isGone(_ identifier: Int32) -> Bool {
        if kill(identifier, 0) != 0 { return true }
        let status = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)) ?? ""
        return status.contains(") Z ")
    }
}

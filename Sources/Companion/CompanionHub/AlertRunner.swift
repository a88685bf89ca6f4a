// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import Foundation

/// Runs a person's program for detections that call for attention, with the event as JSON on its standard input.
actor AlertRunner {
    /// Programs that may run at once; what comes meanwhile raises no alert.
    private static let limit = 4
    /// How long one may run.
    private static let patience = Duration.seconds(30)
    /// Sources whose last alert is remembered.
    private static let remembered = 10_000
    /// How old a detection may be, in milliseconds: one that is imported raises no alert.
    private static let age: Int64 = 60_000

    private let program: String
    private var last: [Int64: Timestamp] = [:]
    private var running: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0

    init(program: String) { self.program = program }

    /// Runs the program if a detection calls for it.
    func consider(_ event: DetectionEvent, settings: HubSettings, at now: Timestamp) {
        guard let source = event.source, event.mark.alerts,
            event.sighting.confidence >= settings.alerts.minimumConfidence,
            abs(now.milliseconds - event.sighting.received.milliseconds) < Self.age,
            !settings.alerts.quiet.contains(Self.minute(of: now)), running.count < Self.limit
        else { return }
        let interval = Int64(settings.alerts.intervalMinutes) * 60_000
        if let before = last[source], abs(now.milliseconds - before.milliseconds) < interval { return }
        if last.count >= Self.remembered { last = [:] }
        last[source] = now
        lastNumber += 1
        let number = lastNumber
        let line = event.json + [UInt8(ascii: "\n")]
        running[number] = Task { [program] in
            await Self.run(program, line)
            self.ended(number)
        }
    }

    /// Ends the programs that run.
    func end() async {
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
    }

    private func ended(_ number: Int) { running.removeValue(forKey: number) }

    /// The minute of the day on this machine's clock.
    private static func minute(of now: Timestamp) -> Int {
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
        return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    }

    private static func run(_ program: String, _ line: [UInt8]) async {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        let input = Pipe()
        process.standardInput = input
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in ended.finish() }
        do { try process.runWithSignals() } catch { return }
        // One line fits into a pipe, so this does not wait; a program that does not read it does no harm.
        try? input.fileHandleForWriting.write(contentsOf: line)
        try? input.fileHandleForWriting.close()
        // Cancelling it ends the program at once.
        let limit = Task {
            do { try await Task.sleep(for: patience) } catch {}
            await process.end()
        }
        await withTaskCancellationHandler {
            // Not ours to cancel: a program is waited for until it has ended.
            await Task { for await _ in ends {} }.value
        } onCancel: {
            limit.cancel()
        }
        limit.cancel()
    }
}

// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import Detections
import Foundation

/// Runs a person's program for detections that call for attention, with the event as JSON on its standard input.
actor AlertRunner: AlertSink {
    /// Programs that may run at once.
    private static let limit = 4
    /// Alerts that wait until one of them has ended; for what comes meanwhile no program is run.
    private static let room = 32

    private let program: String
    private var waiting: [RaisedAlert] = []
    private var running: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0
    /// When a failure was reported last.
    private var lastFailure: Timestamp?
    private var isOver = false
    private let patience: Duration

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - patience: How long it may run.
    init(program: String, patience: Duration = .seconds(30)) {
        // A program that ends without reading must not end the hub; what is started gets the usual action back.
        signal(SIGPIPE, SIG_IGN)
        self.program = program
        self.patience = patience
    }

    /// Runs the program for a detection that raises an alert; of failures it tells once an interval of alerts.
    func raise(_ alert: RaisedAlert) {
        guard !isOver, waiting.count < Self.room else { return }
        waiting.append(alert)
        runNext()
    }

    private func runNext() {
        guard running.count < Self.limit, !waiting.isEmpty else { return }
        let alert = waiting.removeFirst()
        lastNumber += 1
        let number = lastNumber
        let line = alert.event.json + [UInt8(ascii: "\n")]
        running[number] = Task { [program, patience] in
            let reason = await Self.run(program, line, patience)
            running.removeValue(forKey: number)
            if let reason, !isOver { tell(reason, of: alert) }
            runNext()
        }
    }

    private func tell(_ reason: String, of alert: RaisedAlert) {
        if let lastFailure,
            .milliseconds(abs(alert.time.milliseconds - lastFailure.milliseconds)) < alert.interval
        {
            return
        }
        lastFailure = alert.time
        alert.failed("The alert program \(program) \(reason)")
    }

    /// Ends the programs that run.
    func end() async {
        isOver = true
        waiting = []
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
    }

    /// Whether no program runs.
    var isIdle: Bool { running.isEmpty }

    /// Runs the program.
    ///
    /// - Returns: What has gone wrong, as the rest of a sentence.
    private static func run(_ program: String, _ line: [UInt8], _ patience: Duration) async -> String? {
        // What was there when the hub began may be gone.
        if let fault = AlertProgram.fault(at: program) { return "cannot be started: \(fault)." }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        let input = Pipe()
        process.standardInput = input
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in ended.finish() }
        do {
            try process.runWithSignals()
        } catch {
            return
                "cannot be started. Run it in a terminal to see why: a script begins with #! and the path of "
                + "a program that is there."
        }
        // One line fits into a pipe, so this does not wait; a program that does not read it does no harm.
        try? input.fileHandleForWriting.write(contentsOf: line)
        try? input.fileHandleForWriting.close()
        // Cancelling it ends the program at once.
        let limit = Task {
            var isLate = true
            do { try await Task.sleep(for: patience) } catch { isLate = false }
            // It may have ended at the same moment.
            isLate = isLate && process.isRunning
            await process.end()
            return isLate
        }
        await withTaskCancellationHandler {
            // Not ours to cancel: a program is waited for until it has ended.
            await Task { for await _ in ends {} }.value
        } onCancel: {
            limit.cancel()
        }
        limit.cancel()
        if await limit.value { return "had not ended after \(Seconds(patience).text) and was ended." }
        switch (process.terminationReason, process.terminationStatus) {
        case (.exit, 0): return nil
        case (.exit, let status): return "has failed: it ended with status \(status)."
        case (_, let signal): return "has failed: it was ended by signal \(signal)."
        }
    }
}

/// A program that is to be run for alerts.
enum AlertProgram {
    /// Why a file cannot be run.
    ///
    /// - Parameter path: The file.
    /// - Returns: The reason, without a full stop; `nil` when it can be run as far as can be seen.
    static func fault(at path: String) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return "there is no such file"
        }
        if isFolder.boolValue { return "it is a folder" }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            return "it may not be run; allow that with chmod +x"
        }
        return nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import Companion

/// Commands that are carried out one after the other, without a person.
struct ShellScript {
    let device: DeviceArgument
    let isJSON: Bool
    /// Whether to go on after a command that failed.
    let keepsGoing: Bool
    let output: Output
    /// Where failures are told.
    let complaints: Output
    let now: @Sendable () -> Timestamp

    /// Carries out lines until there are no more, or one fails.
    ///
    /// - Parameters:
    ///   - lines: The lines.
    ///   - radio: The radio.
    /// - Throws: `ExitCode` when a command has failed, ``OutputError``, `CancellationError`.
    func run(_ lines: ShellLines, on radio: Radio) async throws {
        let (output, isJSON) = (output, isJSON)
        let shell = Shell(device.address, on: radio, phys: device.phyOptions.phys, showing: .none, now: now) {
            news in
            // Whoever does not read our output any more is told by the next answer.
            try? output.line(isJSON ? news.json : news.line(on: output.terminal))
        }
        do {
            let hasFailed = try await run(lines, in: shell)
            await Uncancelled.run { await shell.close() }
            if hasFailed { throw ExitCode(CommandError.Status.failed.rawValue) }
        } catch {
            await Uncancelled.run { await shell.close() }
            throw error
        }
    }

    /// Whether any command has failed.
    private func run(_ lines: ShellLines, in shell: Shell) async throws -> Bool {
        var lines = lines
        var hasFailed = false
        while keepsGoing || !hasFailed, let line = await lines.next() {
            do {
                guard let request = try ShellRequest.parse(line) else { continue }
                let answer = try await answer(request, of: shell)
                let text = isJSON ? [answer.json(to: line)] : answer.lines(on: output.terminal)
                try output.write(text.map { $0 + "\n" }.joined())
                if request == .exit { break }
            } catch let error as OutputError {
                throw error
            } catch {
                try Task.checkCancellation()
                hasFailed = true
                let sentence = ShellSentence.text(of: error)
                if isJSON { try output.line(ShellAnswer.json(failure: sentence, of: line)) }
                try complaints.line("lantern: " + TerminalText.escaped("\(line): \(sentence)"))
            }
        }
        return hasFailed
    }

    /// A request that the device does not answer ends with the link only.
    private func answer(_ request: ShellRequest, of shell: Shell) async throws -> ShellAnswer {
        try await withTaskCancellationHandler {
            try await shell.answer(request)
        } onCancel: {
            Task { await shell.close() }
        }
    }
}

/// Failures as sentences.
enum ShellSentence {
    /// What went wrong and what to do.
    static func text(of error: any Error) -> String {
        switch error {
        case let error as ShellFault: error.sentence
        case let error as CommandError: error.sentence
        case let error as BluetoothError: error.description
        default: "\(error)"
        }
    }
}

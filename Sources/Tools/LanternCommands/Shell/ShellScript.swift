// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionText

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
        let printer = EventPrinter(to: output, isJSON: isJSON, now: now)
        let shell = Shell(device.address, on: radio, phys: device.phyOptions.phys, showing: .none) { event in
            // That nobody reads our output any more is noticed with the next answer.
            try? printer.show(event)
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
        let printer = EventPrinter(to: output, isJSON: isJSON, now: now)
        while keepsGoing || !hasFailed, let line = await lines.next() {
            do {
                guard let request = try ShellRequest.parse(line) else { continue }
                let answer = try await answer(request, of: shell)
                try printer.show(ShellAnswered(to: line, answer.result)) { answer.lines(on: $0) }
                if request == .exit { break }
            } catch let error as OutputError {
                throw error
            } catch {
                try Task.checkCancellation()
                hasFailed = true
                let sentence = ShellSentence.text(of: error)
                try printer.show(ShellAnswered(to: line, failure: sentence)) { _ in [] }
                try complaints.line(
                    "lantern: " + TerminalText.escaped("\(PrintableText.quoted(line)): \(sentence)"))
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

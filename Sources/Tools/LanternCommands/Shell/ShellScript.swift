// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
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
    /// Where failures are reported.
    let complaints: Output
    let now: @Sendable () -> Timestamp
    /// Where the answers to what `pair` asks come from.
    let answers: ShellLines

    /// Carries out lines until there are no more, or one fails.
    ///
    /// - Parameters:
    ///   - lines: The lines.
    ///   - radio: The radio.
    /// - Throws: `ExitCode` when a command has failed, ``OutputError``, `CancellationError`.
    func run(_ lines: ShellLines, on radio: Radio) async throws {
        let printer = EventPrinter(to: output, isJSON: isJSON, now: now)
        let person = PairingPerson(printer, lines: answers)
        let explorer = Explorer(
            device.address, on: radio, phys: device.phyOptions.phys, exchangesMTU: !device.leavesMTU,
            showing: { _ in },
            pairing: { try await person.agent($0) }
        ) { event in
            // That nobody reads our output any more is noticed with the next answer.
            try? printer.show(event)
        }
        do {
            let hasFailed = try await run(lines, in: explorer)
            await withoutCancellation { await explorer.close() }
            if hasFailed { throw ExitCode(CommandError.Status.failed.rawValue) }
        } catch {
            await withoutCancellation { await explorer.close() }
            throw error
        }
    }

    /// Whether any command has failed.
    private func run(_ lines: ShellLines, in explorer: Explorer) async throws -> Bool {
        var hasFailed = false
        let printer = EventPrinter(to: output, isJSON: isJSON, now: now)
        while keepsGoing || !hasFailed, let line = await lines.next() {
            do {
                guard let request = try ExplorerRequest.parse(line) else { continue }
                let answer = try await answer(request, of: explorer)
                try printer.show(ShellAnswered(to: line, answer.result), answer.lines)
                if request == .exit { break }
            } catch let error as OutputError {
                throw error
            } catch {
                try Task.checkCancellation()
                hasFailed = true
                let sentence = ShellSentence.text(of: error)
                try printer.show(ShellAnswered(to: line, failure: sentence)) { _ in [] }
                try complaints.line(
                    "lantern: " + PrintableText.escaped("\(PrintableText.quoted(line)): \(sentence)"))
            }
        }
        return hasFailed
    }

    /// A request that the device does not answer ends with the link only.
    private func answer(_ request: ExplorerRequest, of explorer: Explorer) async throws -> ExplorerAnswer {
        try await withTaskCancellationHandler {
            try await explorer.answer(request)
        } onCancel: {
            Task { await explorer.close() }
        }
    }
}

/// Failures as sentences.
enum ShellSentence {
    /// What went wrong and what to do.
    static func text(of error: any Error) -> String {
        switch error {
        case let error as ShellSyntaxError: error.sentence
        case let error as ExplorerError: error.sentence(.shell)
        case let error as BluetoothError: error.description
        case let error as CommandError: error.sentence
        default: "\(error)"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion
import CompanionDevices
import CompanionText

/// The person who sees and types six digits while a device pairs: at the terminal, or behind a pipe.
///
/// Questions are events of the command. Answers are lines of the standard input: six digits, or y and n.
actor PairingPerson {
    private let printer: EventPrinter
    private let progress: Progress
    private let input: StandardInput
    private var typed: [UInt8] = []

    /// Asks through a printer.
    ///
    /// - Parameters:
    ///   - printer: Where to ask.
    ///   - progress: What is shown meanwhile, and would stand in the way.
    ///   - input: Where answers come from.
    init(_ printer: EventPrinter, progress: Progress = .none, input: StandardInput = StandardInput()) {
        self.printer = printer
        self.progress = progress
        self.input = input
    }

    /// An agent for whom this person answers.
    ///
    /// - Parameter configuration: What this side can do and wants.
    /// - Returns: The agent.
    nonisolated func agent(_ configuration: SMP.Configuration) -> PairingAgent {
        PairingAgent(configuration) { question in await self.answer(question) }
    }

    private func answer(_ question: PairingQuestion) async -> SMP.Answer {
        progress.clear()
        // Who cannot read the question still answers it, or 30 s end it.
        try? printer.show(PairingAsked(question))
        switch question.kind {
        case .show: return .accept
        case .enter:
            return await ask("Six digits, please, as in 012345.") { line in
                SMP.Passkey(digits: line).map { .passkey($0) }
            }
        case .compare, .consent:
            return await ask("Please type y or n.") { line in
                switch line.lowercased() {
                case "y", "yes": .accept
                case "n", "no": .reject
                default: nil
                }
            }
        }
    }

    /// Asks until a line makes sense; no more lines are a no.
    private func ask(_ help: String, _ understand: (String) -> SMP.Answer?) async -> SMP.Answer {
        while let line = await line() {
            if let answer = understand(line.filter { !$0.isWhitespace }) { return answer }
            try? Output.standardError().line("lantern: \(help)")
        }
        return .reject
    }

    private func line() async -> String? {
        while true {
            if let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
                defer { typed.removeSubrange(...end) }
                return String(decoding: typed[..<end], as: UTF8.self)
            }
            let more = await input.read(upTo: 4096)
            guard !more.isEmpty, typed.count < 4096 else { return nil }
            typed += more
        }
    }
}

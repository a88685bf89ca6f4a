// SPDX-License-Identifier: Apache-2.0

package import BluetoothLE
package import CommandIO
package import Companion
package import CompanionDevices
import CompanionText

/// The person who sees and types six digits while a device pairs: at the terminal, or behind a pipe.
///
/// Questions are events of the command. Answers are lines of the standard input: six digits, or y and n.
package struct PairingPerson: Sendable {
    /// Shows what happens.
    private let show: @Sendable (any EventText) throws -> Void
    /// Shows what to type.
    private let help: @Sendable (String) -> Void
    /// What is typed; `nil` when nothing comes any more.
    private let line: @Sendable () async -> String?

    /// Asks through a printer.
    ///
    /// - Parameters:
    ///   - printer: Where to ask.
    ///   - progress: What is shown meanwhile, and would stand in the way.
    ///   - lines: Where answers come from.
    package init(
        _ printer: EventPrinter, progress: ProgressLine = .none,
        lines: ShellLines = ShellLines(StandardInput())
    ) {
        show = { event in
            progress.clear()
            try printer.show(event)
        }
        help = { try? Output.standardError().line("lantern: \($0)") }
        line = { await lines.next() }
    }

    /// Asks in a conversation.
    ///
    /// - Parameters:
    ///   - editor: Reads what the person types.
    ///   - output: The terminal.
    ///   - now: The time of day.
    package init(at editor: LineEditor, _ output: Output, now: @escaping @Sendable () -> Timestamp) {
        show = { editor.show(output.terminal.line($0.line, at: now())) }
        help = { editor.show($0) }
        line = {
            editor.setPrompt("answer> ")
            guard case .line(let line) = await editor.line(remembers: false) else { return nil }
            return line
        }
    }

    /// An agent for whom this person answers.
    ///
    /// - Parameter configuration: What this side can do and wants.
    /// - Returns: The agent.
    package func agent(_ configuration: SMP.Configuration) -> PairingAgent {
        PairingAgent(configuration) { question in await self.answer(question) }
    }

    /// An agent for whom this person answers, once the other device has what goes out of band.
    ///
    /// - Parameters:
    ///   - options: How to pair.
    ///   - minimumLevel: What pairing has to reach.
    /// - Returns: The agent.
    /// - Throws: ``CommandError``, ``OutputError``.
    package func agent(_ options: PairingOptions, minimumLevel: SecurityLevel = .encrypted) async throws
        -> PairingAgent
    {
        var configuration = SMP.Configuration()
        configuration.ioCapability = options.ioCapability ?? .keyboardDisplay
        configuration.wantsAuthentication = options.ioCapability != .noInputNoOutput
        configuration.bonds = options.keepsKeys
        configuration.minimumLevel = minimumLevel
        if !options.outOfBand.isEmpty { configuration.use(try OutOfBandOptions.decode(options.outOfBand)) }
        if options.showsOutOfBand {
            try show(OutOfBandShown(try OutOfBandOptions.makeOwn(for: &configuration).octets))
            help("Press Enter when the other device has the data.")
            guard await line() != nil else {
                throw CommandError.failed(
                    "Nobody has said that the other device has the data: press Enter when it has it.")
            }
        }
        return agent(configuration)
    }

    /// Shows or asks.
    ///
    /// - Parameter question: What is shown or asked.
    /// - Returns: What the person answers.
    package func answer(_ question: PairingQuestion) async -> SMP.Answer {
        // Who cannot read the question still answers it, or 30 s end it.
        try? show(PairingAsked(question))
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
            self.help(help)
        }
        return .reject
    }
}

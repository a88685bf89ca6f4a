// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import Foundation

/// `lantern gatt shell`: explores a device command by command over one link.
struct GATTShellCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Explore a device by typing commands; those of gatttool work, too.",
        discussion: """
            Commands: connect, primary, characteristics, char-desc, char-read-hnd, char-read-uuid, char-write-req, \
            char-write-cmd, mtu, disconnect, and friendlier ones; `help` shows all. On a terminal there are history \
            and completion, and what the device sends appears while you type.

            `pair` asks for digits and answers in the lines of the standard input that follow.

            With --command, or when the input is not a terminal, commands are carried out in order, and the first that \
            fails ends the shell with status 1; with --keep-going the rest are still carried out. With --json each answer \
            is an event shell_answer with command, ok, result and error. What the device sends comes in between, as with \
            gatt watch: value_received.
            """)

    @OptionGroup var device: DeviceArgument

    @Option(
        name: .customLong("command"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Carry out this command; may be given several times.", valueName: "command"))
    var commands: [String] = []

    @Flag(help: "Go on after a command that failed.")
    var keepGoing = false

    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        guard device.pairs, commands.isEmpty else { return }
        throw ValidationError(
            "--pair asks on the standard input, from which the shell reads its commands. Give those with --command, or pair first: lantern pair \(device.address)."
        )
    }

    func run() async throws {
        let isTalk =
            commands.isEmpty && !format.isJSON && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        try await radio.use { radio in
            if isTalk {
                try await talk(on: radio)
            } else {
                try await device.preparePairing(on: radio, showing: .none)
                let input = ShellLines(StandardInput())
                let lines = commands.isEmpty ? input : ShellLines(commands)
                try await perform(
                    lines, answers: input, on: radio, to: .standard(), complaining: .standardError(),
                    now: Timestamp.now)
            }
        }
    }

    /// Carries out commands until there are no more, or one fails.
    func perform(
        _ lines: ShellLines, answers: ShellLines, on radio: Radio, to output: Output,
        complaining complaints: Output,
        now: @escaping @Sendable () -> Timestamp
    ) async throws {
        let script = ShellScript(
            device: device, isJSON: format.isJSON, keepsGoing: keepGoing, output: output,
            complaints: complaints, now: now, answers: answers)
        try await script.run(lines, on: radio)
    }

    /// Talks with the person at the terminal.
    private func talk(on radio: Radio) async throws {
        let output = Output.standard()
        guard let editor = LineEditor(history: .inStateFolder("gatt-shell-history"), output: output) else {
            throw CommandError.failed(
                "Lines cannot be edited on this terminal: give commands with --command.")
        }
        try await ShellConversation(with: device, on: radio, editor, output, now: Timestamp.now).run()
    }
}

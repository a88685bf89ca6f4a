// SPDX-License-Identifier: Apache-2.0

import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText
import LEDBulb
import LEDBulbCompanion
import LEDBulbDevices

extension BulbOptions {
    /// Gives the bulb a command and shows what has come of it.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - choice: The bulb; `nil` for the only one that is near.
    /// - Throws: ``CommandError`` that says why it could not be done.
    func set(_ command: BulbCommand, at choice: DeviceChoice?) async throws {
        let progress = format.isJSON ? ProgressLine.none : .standard()
        defer { progress.clear() }
        let result = try await use(choice, showing: progress) { connection, bulb in
            var result = try await connection.perform(command, lightingAt: bulb)
            result.bulb = try await connection.named(result.bulb)
            return result
        }
        try result.show(to: .standard(), isJSON: format.isJSON)
    }
}

extension BulbCommanded {
    /// Shows what has come of a command.
    func show(to output: Output, isJSON: Bool, at now: Timestamp = .now()) throws(OutputError) {
        guard !isJSON else { return try output.write(json(at: now) + [0x0A]) }
        var wanted = BulbState()
        wanted.apply(command)
        let terminal = output.terminal
        let swatch = (state ?? wanted).shown.map(terminal.swatch) ?? ""
        try output.line(swatch + PrintableText.escaped(BulbText.sentence(self)))
        if let advice = BulbText.advice(self), terminal.isInteractive {
            try output.line(terminal.styled(advice, .dim))
        }
    }
}

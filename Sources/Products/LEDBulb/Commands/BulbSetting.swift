// SPDX-License-Identifier: Apache-2.0

import LEDBulb

extension BulbOptions {
    /// Gives the bulb a command and shows what has come of it.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - address: The bulb.
    /// - Throws: ``CommandError`` that says why it could not be done.
    func set(_ command: BulbCommand, at address: DeviceAddress) async throws {
        let progress = format.isJSON ? Progress.none : .standard()
        defer { progress.clear() }
        let result = try await converse(with: address, showing: progress) { conversation, peer in
            try await conversation.perform(command, lightingAt: peer)
        }
        progress.clear()
        try result.show(to: .standard(), isJSON: format.isJSON)
    }
}

extension BulbResult {
    /// Shows what has come of a command.
    func show(to output: Output, isJSON: Bool) throws(OutputError) {
        guard !isJSON else {
            try output.line(BulbJSON.result(self))
            return
        }
        var wanted = BulbState()
        wanted.apply(command)
        let swatch = BulbText.swatch((state ?? wanted).shown, on: output.terminal)
        try output.line(swatch + BulbText.sentence(self))
        if let advice = BulbText.advice(self), output.terminal.isInteractive {
            try output.line(output.terminal.styled(advice, .dim))
        }
    }
}

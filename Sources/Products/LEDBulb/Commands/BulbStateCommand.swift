// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LEDBulb

/// `lantern bulb state`: what a bulb says that it does.
struct BulbStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Ask a bulb what it does.",
        discussion: "Triones and Magic Blue bulbs tell it; Colorific and ELK-BLEDOM do not.")

    @Argument(help: "The bulb.")
    var address: DeviceAddress

    @OptionGroup var options: BulbOptions

    func run() async throws {
        let progress = options.format.isJSON ? Progress.none : .standard()
        defer { progress.clear() }
        let (peer, state) = try await options.converse(with: address, showing: progress) {
            conversation, peer in
            (peer, try await conversation.state())
        }
        progress.clear()
        let output = Output.standard()
        guard !options.format.isJSON else {
            try output.line(BulbJSON.state(state, of: peer))
            return
        }
        let swatch = BulbText.swatch(state.shown, on: output.terminal)
        try output.line("\(swatch)\(BulbText.name(peer)) \(BulbText.sentence(state)).")
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import LEDBulb

/// `lantern bulb cycle`: lets a bulb go through all hues.
struct BulbCycleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cycle",
        abstract: "Let a bulb go through all hues, until Control-C.",
        discussion: """
            At most 20 colours a second are sent, fewer when the link is slower; a turn takes its time all the same. The \
            bulb keeps the last colour.
            """)

    @Argument(help: "The bulb.")
    var address: DeviceAddress

    @Option(help: ArgumentHelp("How long a turn takes, 0.1 to 86400.", valueName: "seconds"))
    var seconds = Seconds(.seconds(5))

    @Option(help: ArgumentHelp("End after so many turns.", valueName: "count"))
    var turns: UInt32?

    @OptionGroup var options: BulbOptions

    func validate() throws {
        guard seconds.duration >= .milliseconds(100), seconds.duration <= .seconds(86_400) else {
            throw ValidationError("A turn takes 0.1 to 86400 seconds.")
        }
        guard turns != 0 else { throw ValidationError("--turns is at least 1.") }
    }

    func run() async throws {
        let progress = options.format.isJSON ? Progress.none : .standard()
        defer { progress.clear() }
        let printer = BulbCyclePrinter(
            output: .standard(), isJSON: options.format.isJSON, turn: seconds, turns: turns)
        let turn = UInt64(seconds.duration / .milliseconds(1))
        try await options.converse(with: address, showing: progress) { [turns, address] conversation, peer in
            try printer.begin(peer)
            await conversation.say { $0.startCycle(turnMilliseconds: turn, turns: turns, at: $1) }
            var colors = 0
            var isDone = false
            do {
                loop: while true {
                    switch try await conversation.next() {
                    case .shown(let color):
                        colors += 1
                        try printer.show(color)
                    case .refused(_, let refusal):
                        throw CommandError.failed(BulbText.sentence(refusal, address))
                    case .cycleEnded: isDone = true
                    case .settled: if isDone { break loop }
                    default: break
                    }
                }
            } catch is CancellationError {
                isDone = false
            }
            try printer.end(colors: colors, isDone: isDone)
        }
    }
}

/// Shows turns through the hues: a patch of colour that changes, or as JSON a line each.
struct BulbCyclePrinter: Sendable {
    let output: Output
    let isJSON: Bool
    let turn: Seconds
    let turns: UInt32?

    /// Says what will happen.
    func begin(_ peer: BulbPeer) throws(OutputError) {
        guard !isJSON else { return }
        let name = BulbText.name(peer)
        let end =
            switch turns {
            case nil: "Control-C ends it"
            case 1?: "once"
            case let turns?: "\(turns) times"
            }
        try output.line("\(name) goes through all hues, \(turn.text) a turn; \(end).")
    }

    /// Shows a hue.
    func show(_ color: BulbColor, at now: Timestamp = .now()) throws(OutputError) {
        if isJSON {
            try output.line(BulbJSON.shown(color, at: now))
        } else if output.terminal.isInteractive {
            let swatch = BulbText.swatch(color, on: output.terminal)
            try output.write("\r\(swatch)\(color)\u{1B}[K")
        }
    }

    /// Says how it has ended.
    func end(colors: Int, isDone: Bool, at now: Timestamp = .now()) throws(OutputError) {
        if isJSON {
            try output.line(BulbJSON.end(colors: colors, isDone: isDone, at: now))
            return
        }
        if output.terminal.isInteractive { try output.line("") }
        let count = colors == 1 ? "1 colour" : "\(colors) colours"
        try output.line(isDone ? "Done: \(count)." : "Ended after \(count).")
    }
}

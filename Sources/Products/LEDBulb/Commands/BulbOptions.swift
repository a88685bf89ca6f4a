// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import LEDBulb

/// Which bulb, and what it speaks.
struct BulbOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("What the bulb speaks: \(BulbDialect.choices).", valueName: "dialect"),
        transform: BulbDialect.argument)
    var dialect: BulbDialect?

    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    /// Holds a conversation with the bulb on the radio that was chosen.
    ///
    /// - Parameters:
    ///   - address: The bulb.
    ///   - progress: Where to say how far it is.
    ///   - body: What to say and to listen to, once the bulb is there.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` when the bulb is not there or is none, and what the body throws.
    func converse<Value: Sendable>(
        with address: DeviceAddress, showing progress: Progress,
        _ body: @Sendable (inout BulbConversation, BulbPeer) async throws -> Value
    ) async throws -> Value {
        try await radioOptions.use { [dialect, phyOptions] radio in
            try await phyOptions.check(radio)
            progress.show("Looking for \(address)…")
            return try await BulbConversation.hold(
                with: address, speaking: dialect, on: radio, phys: phyOptions.phys
            ) {
                conversation in
                let peer = try await conversation.ready()
                progress.clear()
                return try await body(&conversation, peer)
            }
        }
    }
}

extension BulbDialect {
    /// The choices, for sentences.
    static let choices = all.map(\.keyword.string).joined(separator: ", ")

    /// Reads a dialect as a person writes it: case, blanks and dashes do not matter.
    static func argument(_ text: String) throws -> BulbDialect {
        func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
        guard let found = all.first(where: { plain($0.keyword.string) == plain(text) }) else {
            throw ValidationError("There is no dialect \(text): choose \(choices).")
        }
        return found
    }
}

extension BulbColor {
    /// What to say when a colour is missing or is none.
    static let advice = "give RRGGBB, '#RRGGBB' in quotes, or a name such as orange"

    /// Reads a colour that a person has written; for `transform:`.
    static func argument(_ text: String) throws -> BulbColor {
        guard let color = BulbColor(text) else {
            throw ValidationError("\(text) is no colour: \(advice).")
        }
        return color
    }
}

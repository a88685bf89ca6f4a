// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import LEDBulb
import LEDBulbCompanion
import LEDBulbDevices

/// A connection to a bulb.
typealias BulbConnection = ClientConnection<LEDBulbClient>

/// The bulb of a command that takes nothing else.
struct BulbArgument: ParsableArguments {
    /// What is said of every bulb that is named.
    static var help: ArgumentHelp {
        ArgumentHelp(
            "The bulb: its address or its name; leave it out where only one is near.", valueName: "bulb"
        )
    }

    @Argument(help: BulbArgument.help)
    var bulb: DeviceChoice?
}

/// Which bulb, and what it speaks.
struct BulbOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("What the bulb speaks: \(BulbDialect.choices).", valueName: "dialect"),
        completion: .list(BulbDialect.keywords),
        transform: BulbDialect.argument)
    var dialect: BulbDialect?

    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    /// Connects to the bulb on the radio that was chosen, and lets a command do its work.
    ///
    /// - Parameters:
    ///   - choice: The bulb; `nil` for the only one that is near.
    ///   - progress: Where to say how far it is.
    ///   - body: The work, once the bulb is there.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` when the bulb is not there, is none or does not do it, and what the body throws.
    func use<Value: Sendable>(
        _ choice: DeviceChoice?, showing progress: ProgressLine,
        _ body: nonisolated(nonsending) @Sendable (inout BulbConnection, FoundBulb) async throws -> Value
    ) async throws -> Value {
        try await radioOptions.use { [dialect, phyOptions, isJSON = format.isJSON] radio in
            try await phyOptions.check(radio)
            let address = try await choice.find(
                .bulb, .bulb, on: radio, phys: phyOptions.phys, showing: progress)
            return try await Self.use(
                address, speaking: dialect, on: radio, phys: phyOptions.phys, showing: progress
            ) { connection, bulb in
                if let event = bulb.unswitched?.configurationMissing(of: bulb.peer) {
                    if isJSON {
                        try EventPrinter(to: .standard(), isJSON: true).show(event)
                    } else {
                        EventPrinter.note(event, to: .standardError())
                    }
                }
                return try await body(&connection, bulb)
            }
        }
    }

    /// The same on a radio.
    static func use<Value: Sendable>(
        _ address: DeviceAddress, speaking dialect: BulbDialect?, on radio: Radio,
        phys: Set<PHY> = PHYOptions.all, showing progress: ProgressLine = .none,
        _ body: nonisolated(nonsending) @Sendable (inout BulbConnection, FoundBulb) async throws -> Value
    ) async throws -> Value {
        let options = LEDBulbClient.Options(
            target: address.target, dialect: dialect, reconnects: false, seed: .random(in: 0 ... .max))
        let title = address.description
        do {
            return try await BulbConnection.open(
                LEDBulbClient(options: options), at: address, on: radio, phys: phys, showing: progress,
                // A misfit comes first and ends the connection; this is never reached.
                wrongDevice: { _, _ in BulbText.sentence(.notABulb, title) }
            ) { connection in
                let bulb = try await connection.bulb()
                progress.clear()
                return try await body(&connection, bulb)
            }
        } catch let error as BulbError {
            switch error {
            case .misfit(let misfit): throw CommandError.failed(BulbText.sentence(misfit, title))
            case .refused(let refusal): throw CommandError.failed(BulbText.sentence(refusal, title))
            case .noState(.noAnswer): throw CommandError.nothingFound(BulbText.sentence(.noAnswer, title))
            case .noState(let failure): throw CommandError.failed(BulbText.sentence(failure, title))
            }
        }
    }
}

extension BulbDialect {
    /// The names that people type.
    static let keywords = all.map(\.keyword.string)

    /// The choices, for sentences.
    static let choices = keywords.joined(separator: ", ")

    /// Reads a dialect as a person writes it: case, blanks and dashes do not matter.
    static func argument(_ text: String) throws -> BulbDialect {
        func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
        guard let found = all.first(where: { plain($0.keyword.string) == plain(text) }) else {
            throw ValidationError("There is no dialect \(text): choose \(choices).")
        }
        return found
    }
}

extension [BulbDialect] {
    /// Their names, for sentences.
    var names: String {
        let names = map { $0.name.string }
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension DeviceNoun {
    /// What bulbs are called.
    static let bulb = DeviceNoun(one: "bulb", many: "bulbs")
}

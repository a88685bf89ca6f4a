// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE

/// Which radio a person has chosen.
enum RadioChoice: Hashable, Sendable {
    /// The virtual air inside this process.
    case simulation
    /// HCI over TCP or a serial port; the moniker says which.
    case hci(moniker: String)

    /// The choices, for sentences.
    static let choices = "sim, tcp:HOST:PORT, tcp-listen:HOST:PORT or serial:PATH[,BAUD]"

    /// Reads what stands behind `--radio`.
    ///
    /// - Parameter text: What was written; `nil` when the option is missing.
    /// - Throws: ``CommandError`` when it is no radio, or none that there is yet.
    init(_ text: String?) throws(CommandError) {
        guard let text else {
            throw .wrongUsage("No radio was chosen: add --radio with \(Self.choices); sim needs no hardware.")
        }
        let kind = text.prefix { $0 != ":" }
        switch kind {
        case "sim" where text == "sim": self = .simulation
        case "tcp", "tcp-listen", "serial": self = .hci(moniker: text)
        case "hci", "bluez", "corebluetooth":
            throw .failed("The radio \(text) is not in this version yet: choose \(Self.choices).")
        default: throw .wrongUsage("There is no radio \(text): choose \(Self.choices).")
        }
    }
}

/// The radio that a command uses.
struct RadioOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The radio: \(RadioChoice.choices).", valueName: "radio"))
    var radio: String?

    @Option(help: ArgumentHelp("Write all HCI traffic to a btsnoop file.", valueName: "file"))
    var capture: String?

    /// Opens the radio; prints nothing.
    ///
    /// - Returns: The radio, ready for use.
    /// - Throws: ``CommandError`` or ``BluetoothError`` when it cannot be used.
    func open() async throws -> any Radio {
        _ = try RadioChoice(radio)
        throw CommandError.failed("Radios land with the host driver.")
    }

    /// Opens the radio, uses it and lets it go, however the use ends.
    ///
    /// - Parameter body: Uses the radio.
    /// - Returns: What the body returns.
    /// - Throws: What opening and the body throw.
    func use<Value: Sendable>(
        _ body: @Sendable (any Radio) async throws -> Value
    ) async throws -> Value {
        let radio = try await open()
        do {
            let value = try await body(radio)
            await Uncancelled.run { await radio.close() }
            return value
        } catch {
            await Uncancelled.run { await radio.close() }
            throw error
        }
    }
}

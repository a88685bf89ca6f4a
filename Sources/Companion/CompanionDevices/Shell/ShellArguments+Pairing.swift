// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion

extension ShellArguments {
    /// What may be said of this side.
    private static let capabilities: [(word: String, capability: SMP.IOCapability)] = [
        ("keyboard", .keyboardOnly), ("display", .displayOnly), ("yes-no", .displayYesNo),
        ("keyboard-display", .keyboardDisplay), ("no-input", .noInputNoOutput),
    ]

    /// The words behind `pair`.
    static let pairingWords = capabilities.map { $0.word } + ["no-bond", "oob", "show-oob"]

    /// How to pair, in words of any order.
    mutating func pairingOptions() throws(ShellSyntaxError) -> PairingOptions {
        var options = PairingOptions()
        while let word = next()?.text.lowercased() {
            switch word {
            case "no-bond": options.keepsKeys = false
            case "show-oob": options.showsOutOfBand = true
            case "oob":
                guard let digits = next()?.text, let octets = [UInt8](typed: digits), !octets.isEmpty
                else {
                    throw ShellSyntaxError("After oob comes the data, in hex digits: type \(verb.usage).")
                }
                options.outOfBand = octets
            default:
                guard let capability = Self.capabilities.first(where: { $0.word == word })?.capability else {
                    throw ShellSyntaxError(
                        "\(PrintableText.quoted(word)) is not understood: type \(verb.usage).")
                }
                options.ioCapability = capability
            }
        }
        return options
    }
}

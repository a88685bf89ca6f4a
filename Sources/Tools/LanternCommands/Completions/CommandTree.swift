// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// A command with what it takes, as the argument parser describes it.
struct CommandTree: Decodable {
    /// An option, a flag or an argument with a place.
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional
            case option
            case flag
        }

        struct Name: Decodable {
            enum Kind: String, Decodable {
                case long
                case short
                case longWithSingleDash
            }

            let kind: Kind
            let name: String

            /// As it is typed.
            var text: String { (kind == .long ? "--" : "-") + name }
        }

        /// How values are found.
        struct Completion: Decodable {
            struct List: Decodable { let values: [String] }
            struct Nothing: Decodable {}

            let list: List?
            let file: Nothing?
            let directory: Nothing?
            let custom: Nothing?
        }

        let kind: Kind
        let names: [Name]?
        let isRepeating: Bool
        let shouldDisplay: Bool
        let abstract: String?
        let completionKind: Completion?
        let allValues: [String]?
    }

    let commandName: String
    let abstract: String?
    let shouldDisplay: Bool?
    let arguments: [Argument]?
    let subcommands: [CommandTree]?

    /// Describes all commands.
    ///
    /// - Returns: The program.
    /// - Throws: What the decoder throws when the argument parser has changed its format.
    static func all() throws -> CommandTree {
        struct Description: Decodable { let command: CommandTree }
        return try JSONDecoder().decode(Description.self, from: Data(LanternCommand._dumpHelp().utf8)).command
    }

    /// The command below this one that has a name.
    func subcommand(_ name: String) -> CommandTree? { subcommands?.first { $0.commandName == name } }

    /// The option or flag that has a name, as it is typed.
    func option(_ name: String) -> Argument? {
        arguments?.first { ($0.names ?? []).contains { $0.text == name } }
    }

    /// What has a place, in order.
    var positionals: [Argument] { (arguments ?? []).filter { $0.kind == .positional } }
}

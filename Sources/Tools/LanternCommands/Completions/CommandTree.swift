// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// A command with what it takes, as the argument parser describes it.
///
/// A command's arguments are found out when they are asked for: all of them together take the argument parser a hundred
/// times as long as a person waits for the Tab key.
final class CommandTree {
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

        /// `--version`.
        static let version = Argument(
            kind: .flag, names: [Name(kind: .long, name: "version")], isRepeating: false, shouldDisplay: true,
            abstract: "Show the version.", completionKind: nil, allValues: nil)
    }

    let commandName: String
    let abstract: String
    let shouldDisplay: Bool
    /// What describes it; none of what the argument parser adds.
    private let type: (any ParsableCommand.Type)?
    /// Whether the program has a version, which each of its commands prints, too.
    private let printsVersion: Bool
    private let isRoot: Bool

    /// The program.
    static func all() -> CommandTree { CommandTree(LanternCommand.self, isRoot: true) }

    private init(_ type: any ParsableCommand.Type, printsVersion: Bool = false, isRoot: Bool = false) {
        let configuration = type.configuration
        commandName = type._commandName
        abstract = configuration.abstract
        shouldDisplay = configuration.shouldDisplay
        self.type = type
        self.printsVersion = printsVersion || !configuration.version.isEmpty
        self.isRoot = isRoot
    }

    /// `help`, which the argument parser adds to a program.
    private init() {
        (commandName, abstract, shouldDisplay) = ("help", "Show subcommand help information.", true)
        (type, printsVersion, isRoot) = (nil, false, false)
    }

    /// The commands below it.
    private(set) lazy var subcommands: [CommandTree] = {
        let own = type?.configuration.subcommands.map { CommandTree($0, printsVersion: printsVersion) } ?? []
        return isRoot ? own + [CommandTree()] : own
    }()

    /// What it takes; nothing when the argument parser has changed its format.
    private(set) lazy var arguments: [Argument] = {
        struct Description: Decodable {
            struct Command: Decodable { let arguments: [Argument]? }
            let command: Command
        }
        guard let type,
            let described = try? JSONDecoder().decode(Description.self, from: Data(type._dumpHelp().utf8))
        else { return [] }
        var arguments = described.command.arguments ?? []
        // The description of a command alone lacks what it has of the program; its help comes last.
        if printsVersion, type.configuration.version.isEmpty {
            arguments.insert(.version, at: max(0, arguments.count - 1))
        }
        return arguments
    }()

    /// The command below this one that has a name.
    func subcommand(_ name: String) -> CommandTree? { subcommands.first { $0.commandName == name } }

    /// The option or flag that has a name, as it is typed.
    func option(_ name: String) -> Argument? {
        arguments.first { ($0.names ?? []).contains { $0.text == name } }
    }

    /// What has a place, in order.
    var positionals: [Argument] { arguments.filter { $0.kind == .positional } }
}

// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionStore
import CompanionText
public import HubWeb

extension AccessRole: ExpressibleByArgument {}

/// `lantern hub tokens`: who may use a hub, while it runs or not.
struct HubTokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract:
            "List, make and revoke the tokens with which browsers and programs use a hub, even while it runs.",
        subcommands: [HubTokenListCommand.self, HubTokenMakeCommand.self, HubTokenRevokeCommand.self],
        defaultSubcommand: HubTokenListCommand.self)
}

extension DatabaseOptions {
    /// Opens who may use a hub.
    fileprivate func withAccess<Value: Sendable>(
        create: Bool, _ body: (AccessControl) async throws -> Value
    ) async throws -> Value {
        let store = create ? try openOrCreate() : try openExisting()
        do {
            let value = try await body(try await AccessControl(store: store, needsLogin: true))
            try await store.close()
            return value
        } catch let error as StoreError {
            throw CommandError.failed(error.description)
        }
    }
}

extension CommandError {
    /// Nobody could make another one.
    fileprivate static let lastAdministrator = failed(
        "This is the last token that may do everything. Make another one first.")
}

/// `lantern hub tokens list`.
struct HubTokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the names of the tokens; a token itself is shown only when it is made.")

    @OptionGroup var databaseOptions: DatabaseOptions

    func run() async throws {
        let tokens = try await databaseOptions.withAccess(create: false) { await $0.tokens }
        let output = Output.standard()
        var table = TextTable([
            .init("NAME", least: 8), .init("ROLE"), .init("MADE"), .init("USED LAST", isCutFirst: true),
        ])
        for token in tokens {
            table.add([
                .init(token.name, .bold), .init(token.role.rawValue), .init("\(token.made)"),
                .init(token.used.map { "\($0)" } ?? "never"),
            ])
        }
        try output.write(output.terminal.drawn(table).map { $0 + "\n" }.joined())
    }
}

/// `lantern hub tokens make`.
struct HubTokenMakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Make a token and show it, only this once.",
        discussion: """
            It replaces a token of the same name, and everyone who signed in with that one is signed out. The owner's token \
            is called owner.
            """)

    @Argument(help: ArgumentHelp("Who or what it is for, such as Prometheus or Kitchen.", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp(
            "What it allows: read (look at everything), home (change lamps and bulbs, too) or admin (everything).",
            valueName: "role"))
    var role: AccessRole = .read

    @OptionGroup var databaseOptions: DatabaseOptions

    func validate() throws {
        guard AccessRecord.name(name) != nil else {
            throw ValidationError(
                "A name has \(AccessRecord.nameLength.lowerBound) to \(AccessRecord.nameLength.upperBound) characters."
            )
        }
    }

    func run() async throws {
        guard let name = AccessRecord.name(name) else { return }
        let token = try await databaseOptions.withAccess(create: true) { access in
            if role != .admin, await access.isLastAdministrator(name) {
                throw CommandError.lastAdministrator
            }
            return try await access.makeToken(named: name, role: role)
        }
        try Output.standard().line("The token \(PrintableText.quoted(name)), shown only now: \(token.text)")
    }
}

/// `lantern hub tokens revoke`.
struct HubTokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token; everyone who signed in with it is signed out.")

    @Argument(help: ArgumentHelp("The name of the token.", valueName: "name"))
    var name: String

    @OptionGroup var databaseOptions: DatabaseOptions

    func run() async throws {
        let refusal = try await databaseOptions.withAccess(create: false) { access in
            guard let token = await access.tokens.first(where: { $0.name == name }) else {
                return Optional(AccessRecord.Refusal.unknown)
            }
            return try await access.revoke(token.id)
        }
        switch refusal {
        case .unknown:
            throw CommandError.nothingFound(
                "There is no token \(PrintableText.quoted(name)): lantern hub tokens lists them.")
        case .last:
            throw CommandError.lastAdministrator
        case nil: try Output.standard().line("\(PrintableText.quoted(name)) stops working.")
        }
    }
}

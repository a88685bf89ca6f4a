// SPDX-License-Identifier: Apache-2.0

package import Companion

/// A command of the shell.
package struct ShellVerb: Hashable, Sendable {
    /// What a word of a command stands for, so that it can be completed.
    package enum Expectation: Hashable, Sendable {
        case attribute
        case handle
        case service
        case characteristic
        case address
        case word([String])
        case verb
    }

    package typealias Parser = @Sendable (inout ShellArguments) throws(ShellSyntaxError) -> ExplorerRequest

    /// gatttool's name first where it has the command, then the other ones.
    package let names: [String]
    /// What stands behind the name.
    private let arguments: String
    /// What it does, in a sentence.
    private let sentence: String
    /// What the words behind the name are.
    package let expects: [Expectation]
    /// Understands those words.
    let parse: Parser

    private init(
        _ names: String..., arguments: String = "", help: String, expects: [Expectation] = [],
        _ parse: @escaping Parser
    ) {
        self.names = names
        self.arguments = arguments
        sentence = help
        self.expects = expects
        self.parse = parse
    }

    package static func == (one: ShellVerb, other: ShellVerb) -> Bool { one.names == other.names }

    package func hash(into hasher: inout Hasher) { hasher.combine(names) }

    /// How it is typed.
    package var usage: String { arguments.isEmpty ? names[0] : "\(names[0]) \(arguments)" }

    /// The command, for those who type it.
    package var help: VerbHelp { VerbHelp(names: names, usage: usage, sentence: sentence) }

    /// The command that has a name, whatever its case.
    package static func named(_ name: String) -> ShellVerb? {
        let name = name.lowercased()
        return all.first { $0.names.contains(name) }
    }

    /// All commands, in the order of the help.
    package static let all: [ShellVerb] = link + finding + values + others

    private static let link: [ShellVerb] = [
        ShellVerb(
            "connect", arguments: "[ADDRESS [public|random]]",
            help: "Open the link, to another device if you like.",
            expects: [.address, .word(["public", "random"])]
        ) { arguments throws(ShellSyntaxError) in .connect(try arguments.address()) },
        ShellVerb("disconnect", help: "Close the link.") { _ throws(ShellSyntaxError) in .disconnect },
        ShellVerb("scan", arguments: "[SECONDS]", help: "Show the devices nearby.") {
            arguments throws(ShellSyntaxError) in
            .scan(arguments.words.isEmpty ? .seconds(3) : try arguments.seconds())
        },
        ShellVerb(
            "mtu", arguments: "[OCTETS]", help: "Show the MTU, or make sure that it is at least this large."
        ) {
            arguments throws(ShellSyntaxError) in .mtu(try arguments.optionalNumber(23...517, "an MTU"))
        },
        ShellVerb(
            "sec-level", arguments: "[low|medium|high]", help: "Show the security level.",
            expects: [.word(["low", "medium", "high"])]
        ) { arguments throws(ShellSyntaxError) in
            let level = arguments.next()?.text.lowercased() ?? "low"
            guard ["low", "medium", "high"].contains(level) else {
                throw ShellSyntaxError("\(level) is not a security level: it is low, medium or high.")
            }
            return .securityLevel(level)
        },
        ShellVerb(
            "pair", arguments: "[HOW] [no-bond] [oob HEX] [show-oob]",
            help:
                "Pair; HOW is keyboard, display, yes-no, keyboard-display or no-input, HEX the device's out-of-band data.",
            expects: [.word(ShellArguments.pairingWords)]
        ) { arguments throws(ShellSyntaxError) in .pair(try arguments.pairingOptions()) },
        ShellVerb("security", help: "Show what protects the link.") { _ throws(ShellSyntaxError) in .security
        },
    ]

    private static let finding: [ShellVerb] = [
        ShellVerb("tree", help: "Show and read everything.") { _ throws(ShellSyntaxError) in .tree },
        ShellVerb(
            "primary", "services", arguments: "[UUID]", help: "List the primary services.",
            expects: [.service]
        ) { arguments throws(ShellSyntaxError) in .primary(try arguments.optionalUUID()) },
        ShellVerb(
            "included", arguments: "[START [END]]", help: "List the services that services include.",
            expects: [.handle, .handle]
        ) { arguments throws(ShellSyntaxError) in .included(try arguments.range()) },
        ShellVerb(
            "characteristics", "chars", arguments: "[START [END [UUID]]]", help: "List the characteristics.",
            expects: [.handle, .handle, .characteristic]
        ) { arguments throws(ShellSyntaxError) in
            .characteristics(try arguments.range(), try arguments.optionalUUID())
        },
        ShellVerb(
            "char-desc", "attributes", arguments: "[START [END]]", help: "List all attributes.",
            expects: [.handle, .handle]
        ) { arguments throws(ShellSyntaxError) in .attributes(try arguments.range()) },
    ]

    private static let values: [ShellVerb] = [
        ShellVerb("read", arguments: "WHAT", help: "Read a value.", expects: [.attribute]) {
            arguments throws(ShellSyntaxError) in .read(try arguments.reference())
        },
        ShellVerb(
            "char-read-hnd", arguments: "HANDLE", help: "Read the value at a handle.", expects: [.handle]
        ) { arguments throws(ShellSyntaxError) in .read(try arguments.target()) },
        ShellVerb(
            "char-read-uuid", arguments: "UUID [START [END]]", help: "Read all values of a UUID.",
            expects: [.characteristic, .handle, .handle]
        ) { arguments throws(ShellSyntaxError) in .readByUUID(try arguments.uuid(), try arguments.range()) },
        ShellVerb(
            "write", arguments: "WHAT HEX|\"TEXT\"", help: "Write a value and wait for the answer.",
            expects: [.attribute]
        ) { arguments throws(ShellSyntaxError) in
            .write(try arguments.reference(), try arguments.octets(), isAnswered: true)
        },
        ShellVerb(
            "char-write-req", arguments: "HANDLE HEX", help: "Write at a handle and wait for the answer.",
            expects: [.handle]
        ) { arguments throws(ShellSyntaxError) in
            .write(try arguments.target(), try arguments.octets(), isAnswered: true)
        },
        ShellVerb(
            "write-command", arguments: "WHAT HEX|\"TEXT\"", help: "Write a value with no answer.",
            expects: [.attribute]
        ) { arguments throws(ShellSyntaxError) in
            .write(try arguments.reference(), try arguments.octets(), isAnswered: false)
        },
        ShellVerb(
            "char-write-cmd", arguments: "HANDLE HEX", help: "Write at a handle with no answer.",
            expects: [.handle]
        ) { arguments throws(ShellSyntaxError) in
            .write(try arguments.target(), try arguments.octets(), isAnswered: false)
        },
        ShellVerb(
            "watch", "subscribe", arguments: "WHAT", help: "Show what the device sends, while you type.",
            expects: [.attribute]
        ) { arguments throws(ShellSyntaxError) in .watch(try arguments.reference()) },
        ShellVerb(
            "unwatch", "unsubscribe", arguments: "[WHAT]",
            help: "Stop showing it; without WHAT, stop everything.",
            expects: [.attribute]
        ) { arguments throws(ShellSyntaxError) in .unwatch(try arguments.optionalReference()) },
    ]

    private static let others: [ShellVerb] = [
        ShellVerb(
            "wait", arguments: "SECONDS [VALUES]",
            help: "Wait; with VALUES, until that many have come, at most SECONDS."
        ) { arguments throws(ShellSyntaxError) in
            .wait(
                try arguments.seconds(),
                values: try arguments.optionalNumber(1...1_000_000, "a number of values"))
        },
        ShellVerb("help", "?", arguments: "[COMMAND]", help: "Show the commands.", expects: [.verb]) {
            arguments throws(ShellSyntaxError) in
            guard let name = arguments.next()?.text else { return .help(all.map(\.help)) }
            guard let verb = named(name) else {
                throw ShellSyntaxError("There is no command \(name): type help to see all.")
            }
            return .help([verb.help])
        },
        ShellVerb("exit", "quit", help: "Leave the shell.") { _ throws(ShellSyntaxError) in .exit },
    ]
}

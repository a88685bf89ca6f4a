// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import Companion

/// Names a verb that there is not, before its options are found to be unknown, and says which one may be meant; names
/// what an option is called now, before its value is taken for something else.
enum VerbCheck {
    /// What is wrong with the verbs at the beginning of the arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - root: The program.
    /// - Returns: What is wrong; `nil` when all verbs are known, and no option is called otherwise now.
    static func fault(
        in arguments: [String], of root: any ParsableCommand.Type = LanternCommand.self
    ) -> CommandError? {
        var path = ["lantern"]
        var command = root
        var words = arguments[...]
        // Who asks for help on help wants help.
        words = words.drop { $0 == "help" }
        while let word = words.popFirst(), !word.hasPrefix("-") {
            let verbs = command.configuration.subcommands
            guard !verbs.isEmpty else { break }
            guard let next = verbs.first(where: { $0.names.contains(word) }) else {
                let place = path.joined(separator: " ")
                let known = verbs.map { $0.names[0] }
                if path.count > 1, DeviceAddress(word) != nil {
                    return .wrongUsage(
                        "What to do comes before the device: `\(place)` takes \(known.joined(separator: ", "))."
                    )
                }
                let advice =
                    nearest(to: word, among: verbs.flatMap { $0.names }).map {
                        "Did you mean `\(place) \($0)`?"
                    }
                    ?? "There are \(known.joined(separator: ", "))."
                return .wrongUsage("There is no `\(place) \(PrintableText.quoted(word))`. \(advice)")
            }
            path.append(word)
            command = next
        }
        return oldOption(in: arguments, of: command, below: root)
    }

    /// Options that were called otherwise once, and what they are called now.
    private static let newNames = ["--dim": "--brightness"]

    private static func oldOption(
        in arguments: [String], of command: any ParsableCommand.Type, below root: any ParsableCommand.Type
    ) -> CommandError? {
        let options = arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
        guard let old = options.first(where: { newNames[$0] != nil }), let new = newNames[old],
            root.helpMessage(for: command).contains(new)
        else { return nil }
        return .wrongUsage("\(old) is now called \(new).")
    }

    /// The verb that is meant, if one is near enough.
    ///
    /// - Parameters:
    ///   - word: What was written.
    ///   - verbs: What there is.
    /// - Returns: The verb.
    static func nearest(to word: String, among verbs: [String]) -> String? {
        let meanings = [
            ["show", "get", "state", "status", "list", "info"], ["set", "write"], ["watch", "listen"],
        ]
        let distances = verbs.map { ($0, distance(from: Array(word.prefix(40)), to: Array($0))) }
        if let near = distances.min(by: { $0.1 < $1.1 }), near.1 <= max(1, near.0.count / 3) { return near.0 }
        if let longer = verbs.filter({ $0.hasPrefix(word) }).only { return longer }
        guard let same = meanings.first(where: { $0.contains(word) }) else { return nil }
        return same.first(where: verbs.contains)
    }

    /// How many letters have to be put in, left out, changed or swapped with the next one.
    private static func distance(from a: [Character], to b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}

extension ParsableCommand {
    /// What it is called by, the usual name first.
    fileprivate static var names: [String] { [configuration.commandName ?? ""] + configuration.aliases }
}

extension Array {
    /// The element of an array that has no other.
    fileprivate var only: Element? { count == 1 ? first : nil }
}

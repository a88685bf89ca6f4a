// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire
import Companion

/// The completions of a word: commands first, then attributes and devices.
package struct ShellCompletion: Sendable {
    /// The completion of the word at the cursor.
    package struct Proposal: Hashable, Sendable {
        /// What can be inserted, because all words go on like that.
        package var insertion: String
        /// The words among which the person has to choose.
        package var choices: [String]

        /// Makes a proposal.
        package init(insertion: String, choices: [String]) {
            self.insertion = insertion
            self.choices = choices
        }
    }

    /// More choices than these help nobody.
    private static let limit = 200

    /// One word for each value and descriptor, and all words that name one.
    private var titles: [String] = []
    private var values: [String] = []
    private var handles: [String] = []
    private var services: [String] = []
    private var characteristics: [String] = []
    private var addresses: [String] = []

    /// Makes completions of commands only.
    package init() {}

    /// Makes completions of commands and a device.
    ///
    /// - Parameters:
    ///   - found: What the device has.
    ///   - seen: The devices that were met.
    package init(_ found: [GATT.Service], seen: some Sequence<Peer>) {
        let all = AttributeTarget.all(in: found)
        let readable = all.filter { !$0.isDeclaration }
        titles = readable.map { $0.word ?? $0.uuid.description }
        values = readable.flatMap { [$0.word, $0.uuid.description, $0.handle.text].compactMap(\.self) }
        handles = all.map(\.handle.text)
        services = found.map(\.uuid.description)
        characteristics = found.flatMap(\.characteristics).map(\.uuid.description)
        addresses = seen.map(\.plain)
    }

    /// What the last word of a text could become.
    ///
    /// - Parameter text: The text before the cursor.
    /// - Returns: What to insert, or from what to choose.
    package func proposal(for text: String) -> Proposal {
        var words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        let last = text.isEmpty || text.hasSuffix(" ") ? "" : words.removeLast()
        let candidates: [String]
        if let verb = words.first.flatMap(ShellVerb.named) {
            let index = words.count - 1
            candidates =
                verb.expects.indices.contains(index) ? self.words(for: verb.expects[index], last) : []
        } else {
            candidates = words.isEmpty ? ShellVerb.all.flatMap(\.names) : []
        }
        let fitting = Set(candidates.filter { $0.lowercased().hasPrefix(last.lowercased()) }).sorted()
        guard let first = fitting.first else { return Proposal(insertion: "", choices: []) }
        if fitting.count == 1 { return Proposal(insertion: first.dropFirst(last.count) + " ", choices: []) }
        let common = fitting.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let insertion = String(common.dropFirst(last.count))
        return Proposal(
            insertion: insertion, choices: insertion.isEmpty ? Array(fitting.prefix(Self.limit)) : [])
    }

    private func words(for expectation: ShellVerb.Expectation, _ typed: String) -> [String] {
        switch expectation {
        case .attribute: typed.isEmpty ? titles : values
        case .handle: handles
        case .service: services
        case .characteristic: characteristics
        case .address: addresses
        case .word(let words): words
        case .verb: ShellVerb.all.flatMap(\.names)
        }
    }

    /// The choices side by side, sorted downwards.
    ///
    /// - Parameters:
    ///   - choices: The words.
    ///   - columns: Columns that there are.
    /// - Returns: The lines.
    package static func lines(_ choices: [String], columns: Int) -> [String] {
        let width = (choices.map(\.count).max() ?? 0) + 2
        let across = max(1, (columns + 2) / width)
        let rows = (choices.count + across - 1) / across
        return (0..<rows).map { row in
            let words = stride(from: row, to: choices.count, by: rows).map { choices[$0] }
            return words.dropLast().map { FixedWidthText.padded($0, columns: width) }.joined()
                + (words.last ?? "")
        }
    }
}

extension String {
    /// The characters with which both begin.
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Testing

@testable import LanternCommands

/// Every command that README and the pages in `Documentation` show is one that `lantern` understands.
@Suite struct TranscriptTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let pages: [URL] = {
        let names = ["README.md", "Documentation", "Sources/Edges/BluetoothLE/Documentation.docc"]
        return names.flatMap { name in
            let place = root.appending(path: name)
            guard place.pathExtension != "md" else { return [place] }
            let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)
            return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "md" }
        }
    }()

    /// What stands behind `$` and calls `lantern`, with the page.
    private static func commands() throws -> [(page: String, words: [String])] {
        try pages.flatMap { page in
            try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
                guard line.hasPrefix("$ "), let start = line.firstRange(of: "lantern ") else { return nil }
                return (page.lastPathComponent, words(line[start.upperBound...]))
            }
        }
    }

    /// The words of a command line, as a shell takes it apart; a comment ends it.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " {
                if let word { words.append(word) }
                word = nil
            } else if quote == nil, word == nil, character == "#" {
                return words
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    @Test func everyCommandIsUnderstood() throws {
        let commands = try Self.commands()
        #expect(commands.count > 60)
        for (page, words) in commands {
            do {
                _ = try LanternCommand.parseAsRoot(words)
            } catch {
                let reason = LanternCommand.message(for: error)
                Issue.record("\(page): lantern \(words.joined(separator: " ")): \(reason)")
            }
        }
    }
}

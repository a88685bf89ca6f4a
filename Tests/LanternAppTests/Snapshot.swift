// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftUI
import Testing

/// What a page of the app shows in each of its states, as text that a person can read, held against a file.
///
/// Of larger text, and of a language that is written from right to left, only what is different stands there. With
/// `LANTERN_WRITE_SNAPSHOTS=1` the files are written anew: look at the difference before you commit it.
@MainActor final class Snapshot {
    /// Surroundings in which times say that they are times, so that they can be taken out.
    static func surroundings(_ values: inout EnvironmentValues) {
        values.locale = Locale(identifier: "en_US")
    }

    private let file: URL
    private var text: String
    private let catalogue: Catalogue

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - title: What it is about.
    /// - Throws: An error when there is no catalogue of strings.
    init(_ name: String, _ title: String) throws {
        file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Snapshots/\(name).txt")
        text = "\(title)\n"
        catalogue = try Catalogue()
    }

    /// Adds what the screen shows now.
    ///
    /// - Parameters:
    ///   - state: In which state it is, in some words.
    ///   - screen: The screen.
    func add(_ state: String, _ screen: Screen) {
        let lines = Self.lines(screen)
        text += "\n## \(state)\n\n\(lines.joined(separator: "\n"))\n"
        screen.set(\.dynamicTypeSize, to: .accessibility3)
        add("In large type", lines, screen)
        screen.set(\.dynamicTypeSize, to: .large)
        screen.set(\.layoutDirection, to: .rightToLeft)
        add("From right to left", lines, screen)
        screen.set(\.layoutDirection, to: .leftToRight)
        #expect(screen.unnamed.isEmpty, "\(state): \(screen.unnamed)")
        let unknown = screen.keys.subtracting(catalogue.keys).filter { !$0.isEmpty }
        #expect(unknown.isEmpty, "\(state): Localizable.xcstrings lacks \(unknown.sorted())")
    }

    private func add(_ form: String, _ lines: [String], _ screen: Screen) {
        let changes = Self.lines(screen).difference(from: lines)
        guard !changes.isEmpty else { return }
        text += "\n### \(form)\n\n"
        for change in changes {
            switch change {
            case .remove(_, let line, _): text += "- \(line)\n"
            case .insert(_, let line, _): text += "+ \(line)\n"
            }
        }
    }

    /// Compares all of it with the file.
    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["LANTERN_WRITE_SNAPSHOTS"] == "1" {
            try Data(text.utf8).write(to: file)
            return
        }
        let kept = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let changes = text.components(separatedBy: "\n")
            .difference(from: kept.components(separatedBy: "\n"))
        let told = changes.prefix(20).map { change in
            switch change {
            case .remove(let line, let text, _): "\(line + 1) - \(text)"
            case .insert(let line, let text, _): "\(line + 1) + \(text)"
            }
        }
        let isAsBefore = changes.isEmpty
        #expect(
            isAsBefore, "\(file.lastPathComponent):\n\(told.joined(separator: "\n"))",
            sourceLocation: sourceLocation)
    }

    private static let varying = [
        ("[0-9A-F]{8}-([0-9A-F]{4}-){3}[0-9A-F]{12}", "‹identifier›"),
        ("[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?\\s[AP]M", "‹time›"),
        ("[A-Z][a-z]+ [0-9]{1,2}, 20[0-9]{2}", "‹date›"),
        ("\\bin [0-9]+:[0-9]{2}", "in ‹duration›"),
        ("[0-9][0-9a-z ]* (slow|fast)\\b", "‹difference›"),
        // All times of a day need not be there.
        ("(of “[^”]*”, “[^”]*”)(, “[^”]*”){6,}(, “[^”]*”)", "$1, …$3"),
    ]
    private static let covers = ["sheet", "alert", "dialog", "cover", "popover"]

    /// What is on the screen, without what depends on the run.
    private static func lines(_ screen: Screen) -> [String] {
        var text = screen.description
        for (pattern, name) in varying {
            text = text.replacingOccurrences(of: pattern, with: name, options: .regularExpression)
        }
        let lines = text.components(separatedBy: "\n")
        // What lies under a sheet cannot be reached.
        let top = lines.lastIndex { line in Self.covers.contains { line == $0 || line.hasPrefix($0 + " ") } }
        return Array(lines[(top ?? 0)...])
    }
}

/// The app's catalogue of strings.
struct Catalogue {
    /// Its keys.
    let keys: Set<String>

    init() throws {
        let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let file = folder.appending(path: "../../Apps/Lantern/Localizable.xcstrings")
        struct Content: Decodable {
            struct Text: Decodable {}
            let strings: [String: Text]
        }
        keys = Set(try JSONDecoder().decode(Content.self, from: Data(contentsOf: file)).strings.keys)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import FlockFinderCompanion
import Foundation
import Testing

/// The kinds of cameras are named in Swift, for reasons and the command line, and in `marks.js`, for the pages.
@Suite("Words of the kinds, on pages and in Swift", .timeLimit(.minutes(1)))
struct KindWordsTests {
    /// The name of each kind and what it is, as the pages have it.
    private static let shown: [String: (name: String, what: String)] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Hub/HubWeb/Public/marks.js")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        // Its key, its name, what it is, its shape.
        let kind = /(?m)^    ([a-z_]+): \[\s*"([^"]+)",\s*"([^"]+)",\s*"[a-z]+",/
        return text.matches(of: kind).reduce(into: [:]) { found, match in
            found[String(match.output.1)] = (String(match.output.2), String(match.output.3))
        }
    }()

    @Test(arguments: DetectionType.allCases.filter { $0 != .unknown })
    func `a kind is called the same`(_ type: DetectionType) throws {
        let (name, what) = try #require(Self.shown["\(type.keyword)"], "marks.js has no \(type.keyword)")
        let source = DetectionSource(
            id: 1, identity: .kind, type: type, label: "\(type.label)", firstSeen: Timestamp(milliseconds: 0),
            lastSeen: Timestamp(milliseconds: 0), count: 1, strongest: -60)
        let reasons = SourceReason.reasons(of: source, confidence: 0.9, last: nil)
        let sentence = try #require(reasons.first { $0.kind == .confidence }).text
        // "Camera, doorbell" is listed there, and a sentence here.
        let words = what.prefix(1).lowercased() + what.dropFirst().replacing(", ", with: " or ")
        #expect(sentence.contains(" \(name) \(words),"))
    }
}

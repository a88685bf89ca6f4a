// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import Foundation
public import Observation

/// What the screen Debug shows: everything that happens in the hub, as it happens, with the octets that came.
@MainActor @Observable public final class DebugModel {
    /// How many lines are kept.
    public static let limit = 500

    /// Something that has happened.
    public struct Line: Identifiable, Hashable, Sendable {
        /// Its number.
        public let id: Int64
        /// What it is called.
        public let name: String
        /// All of it: one JSON object.
        public let text: String
    }

    /// What has happened, the oldest first.
    public private(set) var lines: [Line] = []
    /// How many have come while the screen stood still.
    public private(set) var waiting = 0
    /// Whether the screen stands still, so that a person can read.
    public var isPaused = false { didSet { if !isPaused { goOn() } } }
    /// The text that is looked for.
    public var filter = ""

    @ObservationIgnored private let app: AppModel
    @ObservationIgnored private var held: [Line] = []

    /// Makes the model.
    public init(_ app: AppModel) { self.app = app }

    /// The lines that have the text that is looked for.
    public var shown: [Line] {
        guard !filter.isEmpty else { return lines }
        return lines.filter { $0.text.range(of: filter, options: .caseInsensitive) != nil }
    }

    /// Follows what happens, as long as the screen is there.
    public func run() async {
        let events = app.hub.feed.subscribe()
        while let items = await events.next(atMost: Self.limit) {
            let new = items.map {
                Line(id: $0.id, name: $0.name, text: String(decoding: $0.json, as: UTF8.self))
            }
            if isPaused {
                held = Array((held + new).suffix(Self.limit))
                waiting += new.count
            } else {
                lines = Array((lines + new).suffix(Self.limit))
            }
        }
    }

    /// All lines as a file that can be shared, a JSON object a line.
    public var file: String { shown.map { $0.text + "\n" }.joined() }

    /// Takes the lines away.
    public func clear() { (lines, held, waiting) = ([], [], 0) }

    private func goOn() {
        lines = Array((lines + held).suffix(Self.limit))
        (held, waiting) = ([], 0)
    }
}

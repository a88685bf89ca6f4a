// SPDX-License-Identifier: Apache-2.0

public import Companion

/// Something that keeps a store from storing, or the end of it; what waits is not lost.
public struct StoreStatus: Hashable, Sendable {
    /// What is in the way; `nil` when it is over and everything is stored.
    public var error: StoreError?
    /// Which program holds the file, where that is known: its name and number.
    public var holder: String?
    /// How many detections wait.
    public var waiting: Int

    /// Makes a trouble.
    public init(error: StoreError?, holder: String? = nil, waiting: Int) {
        self.error = error
        self.holder = holder
        self.waiting = waiting
    }

    /// What happened and what becomes of what waits.
    public var description: String {
        guard let error else { return "The database can be written again; everything is stored." }
        guard error.isPassing else { return "\(error.description) What comes meanwhile is not stored." }
        let who = holder.map { " It is \($0)." } ?? ""
        guard waiting > 0 else { return error.description + who }
        let rows = waiting == 1 ? "1 detection waits" : "\(waiting) detections wait"
        return "\(error.description)\(who) \(rows) and will be stored then."
    }
}

/// The revision of a store; comparing two of them says what has changed.
public struct StoreState: Hashable, Sendable {
    /// The number of the last detection that was stored.
    public var lastDetection: Int64
    /// Counts deletions and their undoing.
    public var deletions: Int64
    /// Counts changes of marks and notes.
    public var marks: Int64
    /// Counts changes of settings.
    public var settings: Int64
    /// Counts places that were filled in after their detections were stored.
    public var places: Int64
    /// Counts drives that were begun and deleted.
    public var drives: Int64

    /// Makes a state.
    public init(
        lastDetection: Int64, deletions: Int64, marks: Int64, settings: Int64, places: Int64 = 0,
        drives: Int64 = 0
    ) {
        self.lastDetection = lastDetection
        self.deletions = deletions
        self.marks = marks
        self.settings = settings
        self.places = places
        self.drives = drives
    }
}

/// Settings by name, as they were at one moment.
public struct StoredSettings: Hashable, Sendable {
    /// Counts changes; two persons who change at once are distinguished by it.
    public var revision: Int64
    /// The settings by name, each the text of one JSON value.
    public var values: [String: String]

    /// Makes settings.
    public init(revision: Int64, values: [String: String]) {
        self.revision = revision
        self.values = values
    }
}

/// A deletion that can be undone until it is purged.
public struct Deletion: Hashable, Sendable, Identifiable {
    /// Its number, never used twice.
    public let id: Int64
    /// How many detections it has deleted.
    public var count: Int

    /// Makes a deletion.
    public init(id: Int64, count: Int) {
        self.id = id
        self.count = count
    }
}

/// Sources whose mark was changed, so that it can be taken back.
public struct MarkedSources: Hashable, Sendable {
    /// Their numbers, in rising order, by the mark that they had before.
    public private(set) var before: [SourceMark: [Int64]] = [:]

    /// No sources.
    public init() {}

    /// The numbers of all of them, in rising order.
    public var ids: [Int64] { before.values.joined().sorted() }

    /// Adds one.
    ///
    /// - Parameters:
    ///   - id: Its number, higher than those before.
    ///   - mark: The mark that it had before.
    public mutating func add(_ id: Int64, before mark: SourceMark) {
        before[mark, default: []].append(id)
    }

    /// Writes an object: for each mark the numbers of those that had it before.
    ///
    /// - Parameter json: Gets it.
    public func write(into json: inout JSONWriter) {
        json.object { json in
            for mark in SourceMark.allCases {
                json.key(mark.rawValue)
                json.array { json in for id in before[mark] ?? [] { json.value(id) } }
            }
        }
    }
}

/// The progress of bringing a file's tables up to date.
public struct MigrationProgress: Hashable, Sendable {
    /// What is being done, as a phrase, for example `rewriting the detections`.
    public var step: String
    /// Rows that are done.
    public var done: Int
    /// Rows that there are; 0 where that is not known.
    public var total: Int

    /// Makes a progress.
    public init(step: String, done: Int, total: Int) {
        self.step = step
        self.done = done
        self.total = total
    }
}

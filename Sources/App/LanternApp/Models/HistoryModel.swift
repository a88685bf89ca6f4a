// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Observation

/// What the screen History shows: what was noticed, a row for each source, which can be looked for, marked and deleted.
@MainActor @Observable public final class HistoryModel {
    /// How many rows are fetched at once.
    static let pieceSize = 100

    /// What of the list a person has chosen.
    public enum Marks: String, CaseIterable, Identifiable, Sendable {
        /// All of it.
        case all
        /// What was heard first within a day, and what nothing was said of.
        case unmarked
        /// What is the person's own.
        case mine
        /// What is known.
        case muted
        /// What it was taken for by mistake.
        case falseAlarms

        /// Itself.
        public var id: Self { self }

        var marks: Set<SourceMark> {
            switch self {
            case .all: []
            case .unmarked: [.none]
            case .mine: [.mine]
            case .muted: [.muted]
            case .falseAlarms: [.falseAlarm]
            }
        }
    }

    /// How far back the list goes.
    public enum Period: Int, CaseIterable, Identifiable, Sendable {
        /// A day.
        case day = 1
        /// A week.
        case week = 7
        /// Thirty days.
        case month = 30
        /// As far as anything is kept.
        case all = 0

        /// Itself.
        public var id: Self { self }
    }

    /// What was changed and can be taken back for a while.
    public enum Undo: Hashable, Sendable {
        /// So many detections were deleted.
        case deletion(id: Int64, count: Int)
        /// A source had another mark before.
        case mark(source: Int64, before: SourceMark, now: SourceMark)
    }

    /// The text that is looked for.
    public var text = "" { didSet { if text != oldValue { filterChanges += 1 } } }
    /// The kinds that are wanted; none for all.
    public var types: Set<DetectionType> = [] { didSet { if types != oldValue { filterChanges += 1 } } }
    /// How far back the list goes.
    public var period = Period.all { didSet { if period != oldValue { filterChanges += 1 } } }
    /// How sure the device must have been, 0 to 1.
    public var minimumConfidence = 0.0 { didSet { if minimumConfidence != oldValue { filterChanges += 1 } } }
    /// Which marks are wanted.
    public var marks = Marks.all { didSet { if marks != oldValue { filterChanges += 1 } } }
    /// In which order the list is.
    public var order = SourceOrder.last { didSet { if order != oldValue { filterChanges += 1 } } }

    /// The sources that a person has ticked.
    public var ticked: Set<Int64> = []

    /// The rows that were fetched; `nil` before the first.
    public private(set) var sources: [ListedSource]?
    /// How many rows there are with this filter, and without any.
    public private(set) var counts = (matching: 0, all: 0)
    /// What can be taken back.
    public private(set) var undo: Undo?
    /// What could not be done, and what to do.
    public var trouble: String?
    /// How often the filter was changed: who shows the list follows anew whenever it was.
    public private(set) var filterChanges = 0
    /// The moment by which a source is new.
    public private(set) var now = Timestamp(milliseconds: 0)

    @ObservationIgnored private let app: AppModel
    @ObservationIgnored private var wanted = HistoryModel.pieceSize

    /// Makes the model.
    public init(_ app: AppModel) { self.app = app }

    /// Whether anything is left out by the filter.
    public var isFiltered: Bool { filter != DetectionFilter() }

    /// Whether there are more rows than were fetched.
    public var hasMore: Bool { (sources?.count ?? 0) < counts.matching }

    /// Follows what is noticed, with the filter of the moment, as long as the screen is there; called in `.task(id: filterChanges)`.
    public func run() async {
        wanted = Self.pieceSize
        await app.hub.follow(
            DetectionEvent.self, DetectionsDeleted.self, DetectionsRestored.self, SourceChanged.self
        ) { await read() }
    }

    /// Takes the filter of the moment.
    public func search() async {
        wanted = Self.pieceSize
        await read()
    }

    /// Fetches more rows.
    public func readMore() async {
        guard hasMore else { return }
        wanted += Self.pieceSize
        await read()
    }

    /// The detections that are exported: those of the sources that are ticked, else what the list shows.
    public var chosen: DetectionFilter {
        guard !ticked.isEmpty else { return filter }
        var chosen = DetectionFilter()
        chosen.sources = ticked
        return chosen
    }

    private var filter: DetectionFilter {
        var filter = DetectionFilter(
            types: types, minimumConfidence: minimumConfidence > 0 ? minimumConfidence : nil,
            text: text.isEmpty ? nil : text, marks: marks.marks)
        if period != .all {
            filter.since = Timestamp(
                milliseconds: app.hub.now.milliseconds - Int64(period.rawValue) * 86_400_000)
        }
        return filter
    }

    private func read() async {
        let (filter, changes, store) = (filter, filterChanges, app.hub.store)
        do throws(StoreError) {
            var rows: [ListedSource] = []
            while rows.count < wanted {
                let after = rows.last.map { SourcePage.Cursor($0, in: order) }
                let piece = try await store.sources(
                    matching: filter, page: SourcePage(order: order, after: after, limit: Self.pieceSize))
                rows += piece
                if piece.count < Self.pieceSize { break }
            }
            let matching = try await store.sourceCount(matching: filter)
            let all = try await store.sourceCount()
            // The filter was changed meanwhile: what was read is not what is wanted.
            guard changes == filterChanges, !Task.isCancelled else { return }
            (sources, counts, now, trouble) = (rows, (matching, all), app.hub.now, nil)
            // What is not seen is not meant.
            ticked.formIntersection(rows.map(\.source.id))
        } catch {
            trouble = error.description
        }
    }

    // MARK: What is said of a source

    /// Gives a source a mark, or takes it away.
    public func mark(_ source: DetectionSource, as mark: SourceMark) async {
        let wanted: SourceMark = source.mark == mark ? .none : mark
        await change { () async throws(HubError) in
            _ = try await self.app.hub.mark(source: source.id, as: wanted)
            self.undo = .mark(source: source.id, before: source.mark, now: wanted)
        }
    }

    /// Deletes all detections of a source, so that it can be taken back.
    public func delete(_ source: DetectionSource) async { await delete([source.id]) }

    /// Deletes all detections of sources, so that it can be taken back.
    public func delete(_ sources: Set<Int64>) async {
        guard !sources.isEmpty else { return }
        await change { () async throws(HubError) in
            var filter = DetectionFilter()
            filter.sources = sources
            let deletion = try await self.app.hub.discard(matching: filter)
            self.undo = .deletion(id: deletion.id, count: deletion.count)
        }
    }

    /// Deletes the sources that are ticked, so that it can be taken back.
    public func deleteTicked() async { await delete(ticked) }

    /// Takes the last change back.
    public func takeBack() async {
        guard let undo else { return }
        await change { () async throws(HubError) in
            switch undo {
            case .deletion(let id, _): _ = try await self.app.hub.restore(deletion: id)
            case .mark(let source, let before, _): _ = try await self.app.hub.mark(source: source, as: before)
            }
            self.undo = nil
        }
    }

    /// Offers to take back no more, as after a while.
    public func forgetUndo() { undo = nil }

    private func change(_ body: () async throws(HubError) -> Void) async {
        do throws(HubError) {
            trouble = nil
            try await body()
        } catch {
            trouble = error.description
        }
        await read()
    }
}

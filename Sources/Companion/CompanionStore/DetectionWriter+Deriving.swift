// SPDX-License-Identifier: Apache-2.0

import GRDB

/// What follows from the rows, brought up to date while nothing waits to be stored.
extension DetectionWriter {
    /// What there is still to do.
    struct Backlog {
        /// Rows that the derived tables do not have yet; `nil` until that was counted.
        var rows: Int?
        /// Sightings that the map does not have yet; `nil` until that was counted.
        var sightings: Int?
        /// Whether there may be sources whose places are to be judged anew.
        var mayHaveSources = true
        /// How often ``DetectionWriter/repair()`` was asked for: what was counted before the last time counts no more.
        var repairs = 0

        /// Counts rows that were stored.
        mutating func add(_ count: Int) {
            rows = rows.map { $0 + count }
            sightings = sightings.map { $0 + count }
        }

        /// Forgets what was counted.
        mutating func forget() { (rows, sightings, mayHaveSources, repairs) = (nil, nil, true, repairs + 1) }
    }

    /// How long after sources were placed those are placed that have been received since.
    static let placing = Duration.seconds(1)
    /// How long sources are judged in one piece, for which whoever stores meanwhile waits.
    static let judging = Duration.milliseconds(20)
    /// A source that is placed writes as much to the log as so many rows, where sources are all over the world.
    static let rowsOfSource = 5
    /// While others store, sources are placed in one of so many parts of the time.
    static let partsOfTime = 5

    /// Derives the next piece, when there is enough for one.
    ///
    /// - Returns: Whether it did.
    func derive() async -> Bool {
        guard !connections.configuration.readonly else { return false }
        let least = DerivedTables.leastPiece
        let leastSightings = MapUpkeep.leastPiece
        if let rows = arrears.rows, let sightings = arrears.sightings, rows < least,
            sightings < leastSightings
        {
            return false
        }
        do {
            let known = arrears
            let left = try await connections.write { [schema, log = file.log] database in
                try log?.look(database)
                try schema.check(database)
                var left = known
                // Fewer than asked for: no more are there, whatever was counted.
                let rows = try known.rows ?? DerivedTables.backlog(database)
                left.rows = rows
                if rows >= least {
                    let count = try DerivedTables.advance(database)
                    left.rows = count < DerivedTables.pieceSize ? 0 : max(0, rows - count)
                }
                let sightings = try known.sightings ?? MapUpkeep.backlog(database)
                left.sightings = sightings
                if sightings >= leastSightings {
                    let count = try MapUpkeep.advance(database)
                    left.sightings = count == 0 ? 0 : max(0, sightings - count)
                }
                let written =
                    (rows >= least ? DerivedTables.pieceSize : 0)
                    + (sightings >= leastSightings ? MapUpkeep.pieceSize : 0)
                return (rows: left.rows, sightings: left.sightings, written: written)
            }
            if known.repairs == arrears.repairs {
                (arrears.rows, arrears.sightings) = (left.rows, left.sightings)
            }
            if left.written > 0 { await log?.checkpoint(afterRows: left.written) }
            return left.written > 0
        } catch {
            // Nothing hangs on it; when rows come again, it is tried again.
            (arrears.rows, arrears.sightings) = (nil, nil)
            return false
        }
    }

    /// Judges where the next sources stand that have been received since they were placed last, not more often than once a
    /// second, since a source that is near is received many times in that.
    ///
    /// - Returns: Whether more may be left that need not wait.
    func place() async -> Bool {
        guard arrears.mayHaveSources, !connections.configuration.readonly else { return false }
        guard clock.now >= nextPlacing else {
            wake(at: nextPlacing)
            return false
        }
        do {
            let (begin, repairs) = (clock.now, arrears.repairs)
            // What comes while this is judged is not stored before it is written.
            let (judged, isAll, lone) = try await connections.read { [loneSightings] database in
                var lone = loneSightings
                let (judged, isAll) = try MapUpkeep.judge(database, &lone, until: begin + Self.judging)
                return (judged, isAll, lone)
            }
            loneSightings = lone
            arrears.mayHaveSources = !isAll || repairs != arrears.repairs
            guard !judged.isEmpty else { return false }
            try await connections.write { [schema, log = file.log] database in
                try log?.look(database)
                try schema.check(database)
                try MapUpkeep.move(judged, database)
            }
            // Each may move through squares of all levels, and many at once would swell the log.
            await log?.checkpoint(afterRows: judged.count * Self.rowsOfSource)
            if isAll {
                nextPlacing = clock.now + Self.placing
            } else if hasStored {
                // Whoever stores piece after piece finds the way free.
                nextPlacing = clock.now + (clock.now - begin) * (Self.partsOfTime - 1)
            }
            hasStored = false
            return arrears.mayHaveSources
        } catch {
            arrears.mayHaveSources = true
            nextPlacing = clock.now + Self.placing
            return false
        }
    }

    /// Looks after the sources again later, unless that is coming anyway.
    private func wake(at moment: ContinuousClock.Instant) {
        guard !isWakeSet else { return }
        isWakeSet = true
        // Nobody waits for it; where the store has ended meanwhile it finds nothing to do.
        Task { [weak self, clock] in
            try? await clock.sleep(until: moment)
            await self?.wakeUp()
        }
    }

    private func wakeUp() {
        isWakeSet = false
        start()
    }
}

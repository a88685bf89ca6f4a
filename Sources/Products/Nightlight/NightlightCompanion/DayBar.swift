// SPDX-License-Identifier: Apache-2.0

public import Nightlight

/// A day of a lamp as a row of cells.
public struct DayBar: Sendable {
    /// Cells next to each other that show the same.
    public struct Run: Hashable, Sendable {
        /// What they show.
        public var stretch: LightStretch
        /// How many they are.
        public var count: Int
    }

    private let stretches: [LightStretch]
    /// The stretch of each cell.
    private let cells: [Int]
    private let clock: WallClock
    private let start: Int64
    private let seconds: Int64

    /// Divides a day into cells.
    ///
    /// - Parameters:
    ///   - stretches: What the lamp does, without a gap.
    ///   - clock: The local clock.
    ///   - columns: How many cells there may be; 96, 72, 48 or 24 are used.
    public init(_ stretches: [LightStretch], on clock: WallClock, columns: Int) {
        self.stretches = stretches
        self.clock = clock
        start = stretches.first?.from.seconds ?? 0
        seconds = max(1, (stretches.last?.to.seconds ?? 0) - start)
        let count = [96, 72, 48].first { $0 <= columns } ?? 24
        var cells: [Int] = []
        for cell in 0..<Int64(count) {
            let from = start + seconds * cell / Int64(count)
            let to = start + seconds * (cell + 1) / Int64(count)
            cells.append(Self.choice(stretches, from, to))
        }
        self.cells = cells
    }

    /// What has the most of a cell; a light that is shorter than a cell is shown all the same.
    private static func choice(_ stretches: [LightStretch], _ from: Int64, _ to: Int64) -> Int {
        func share(_ stretch: LightStretch) -> Int64 {
            let shared = min(stretch.to.seconds, to) - max(stretch.from.seconds, from)
            let isShort = stretch.source != .off && stretch.to.seconds - stretch.from.seconds < to - from
            return isShort && shared > 0 ? shared + (to - from) : shared
        }
        return stretches.indices.max { share(stretches[$0]) < share(stretches[$1]) } ?? 0
    }

    /// All cells, neighbours of the same stretch together.
    public var runs: [Run] {
        var runs: [Run] = []
        var last: Int?
        for cell in cells where stretches.indices.contains(cell) {
            if cell == last {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(stretch: stretches[cell], count: 1))
                last = cell
            }
        }
        return runs
    }

    /// Where a moment of the day stands.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: Its cell.
    public func column(of moment: UnixTime) -> Int {
        Int((moment.seconds - start) * Int64(cells.count) / seconds)
    }

    /// Each third hour with its cell.
    ///
    /// - Parameter date: The day.
    /// - Returns: The hours and where they stand.
    public func hours(of date: CalendarDate) -> [(hour: Int, column: Int)] {
        stride(from: 0, through: 21, by: 3).compactMap { hour in
            LocalTime(date, hour: hour, minute: 0).map { (hour, column(of: clock.moment(of: $0))) }
        }
    }
}

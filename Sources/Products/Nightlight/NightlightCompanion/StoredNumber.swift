// SPDX-License-Identifier: Apache-2.0

/// Numbers by which pending changes and weeks are stored.
enum StoredNumber {
    /// All that can be read again.
    static let range = 0...Int(Int32.max)

    /// A number that none of some has: the one behind theirs, or once there is none behind them the smallest that is free.
    static func next(after taken: [Int]) -> Int {
        let last = min(taken.max() ?? 0, range.upperBound)
        if last < range.upperBound { return max(last, 0) + 1 }
        // They are fewer than the numbers that are tried, so one is free.
        return (1...taken.count + 1).first { !taken.contains($0) } ?? 1
    }
}

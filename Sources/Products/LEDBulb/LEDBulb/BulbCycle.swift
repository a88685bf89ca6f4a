// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Turns through all hues, on a clock that is given.
struct BulbCycle: Sendable {
    /// What to do at a moment.
    enum Step: Hashable, Sendable {
        /// Nothing yet.
        case wait
        /// Show this hue.
        case show(RGBColor)
        /// The last hue has been shown; so many turns.
        case end(UInt32)
    }

    /// The longest turn, in microseconds: a day.
    static let longestTurn: UInt64 = 86_400_000_000

    /// How long a turn takes, in microseconds.
    private let turn: UInt64
    private let turns: UInt32?
    private var began: HostInstant?
    private var isLast = false
    /// When the next hue is due; the beginning of time until the first was shown.
    private(set) var next = HostInstant.zero

    /// Makes turns that begin when the first step is asked for.
    ///
    /// - Parameters:
    ///   - turn: How long a turn takes, in milliseconds.
    ///   - turns: How many turns; `nil` without end.
    init(turn: UInt64, turns: UInt32?) {
        self.turn = min(max(1, turn), Self.longestTurn / 1000) * 1000
        self.turns = turns
    }

    /// What to do now.
    ///
    /// A hue is given once, and not before ``next``.
    ///
    /// - Parameter now: The moment.
    /// - Returns: What to do.
    mutating func step(at now: HostInstant) -> Step {
        let began = began ?? now
        self.began = began
        if isLast || turns == 0 { return .end(turns ?? 0) }
        guard next <= now else { return .wait }
        let elapsed = now.microseconds(since: began)
        let (whole, overflow) = turn.multipliedReportingOverflow(by: UInt64(turns ?? 0))
        if turns != nil, !overflow, elapsed >= whole {
            isLast = true
            // It ends where it began.
            return show(RGBColor(hue: 0), at: now)
        }
        // Below a day times 1530 hues: no overflow.
        let (hues, inTurn) = (UInt64(RGBColor.hues), elapsed % turn)
        let position = inTurn * hues / turn
        let step = show(RGBColor(hue: Int(position)), at: now)
        // Nothing to do before the next hue begins.
        let begins = ((position + 1) * turn + hues - 1) / hues
        next = max(next, now.advanced(byMicroseconds: begins - min(begins, inTurn)))
        return step
    }

    /// The bulb was away; the turns go on.
    mutating func showAgain() { next = .zero }

    private mutating func show(_ color: RGBColor, at now: HostInstant) -> Step {
        next = now.advanced(byMilliseconds: LEDBulbClient.cycleStepMilliseconds)
        return .show(color)
    }
}

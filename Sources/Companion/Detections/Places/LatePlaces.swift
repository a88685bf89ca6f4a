// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion

/// A detection's place that became known only after it was stored.
public struct LatePlace: Hashable, Sendable {
    /// The detection's number.
    public var id: Int64
    /// When it was received; another detection with this number has another time.
    public var received: Timestamp
    /// The place.
    public var position: Position
    /// How it is known; its age is negative.
    public var fix: FixDetails

    /// Makes a place.
    public init(id: Int64, received: Timestamp, position: Position, fix: FixDetails) {
        self.id = id
        self.received = received
        self.position = position
        self.fix = fix
    }
}

/// Fills in where detections were that came before the first fix, or after it was lost.
///
/// The next fix is their place when it comes within 30 s.
public struct LatePlaces: Sendable {
    /// So long after a detection its place may come, in milliseconds.
    public static let patience: UInt64 = 30_000
    /// Detections that may wait; the oldest go.
    public static let capacity = 10_000

    private struct Waiting: Sendable {
        let id: Int64
        let received: Timestamp
        let instant: UInt64
    }

    private var waiting = FIFO<Waiting>()

    /// Starts with nothing that waits.
    public init() {}

    /// Whether a detection waits.
    public var isEmpty: Bool { waiting.isEmpty }

    /// Handles a detection that has no place.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - received: When it was received.
    ///   - instant: The same, in milliseconds of a clock that nobody sets.
    public mutating func wait(for id: Int64, received: Timestamp, at instant: UInt64) {
        waiting.append(Waiting(id: id, received: received, instant: instant))
        if waiting.count > Self.capacity { _ = waiting.popFirst() }
    }

    /// Handles a fix that was found to be good.
    ///
    /// - Parameters:
    ///   - fix: The fix.
    ///   - instant: When it came, by the clock of ``wait(for:received:at:)``.
    ///   - pace: How fast a track is played: so many times as fast goes its time.
    /// - Returns: The places that are known now; nothing waits any more.
    public mutating func receive(_ fix: Fix, at instant: UInt64, pace: Double = 1) -> [LatePlace] {
        waiting.removeAll().compactMap { one in
            let passed = Double(instant > one.instant ? instant - one.instant : 0) * pace
            guard passed <= Double(Self.patience),
                let place = LocationSample(fix, age: min(-1, -Int64(passed))), let details = place.fix
            else { return nil }
            return LatePlace(id: one.id, received: one.received, position: place.position, fix: details)
        }
    }
}

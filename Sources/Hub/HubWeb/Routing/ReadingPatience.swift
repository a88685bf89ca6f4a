// SPDX-License-Identifier: Apache-2.0

/// How long a file is read while nothing of use comes out of it.
///
/// Only the time counts in which it is read: while its sender is waited for, it stands still. Each MB that comes gives a
/// second more, as long as that takes even on a small machine, so that a large file is not refused for its size.
struct ReadingPatience {
    /// Octets for which there is a second more.
    private static let octetsOfSecond = 1_000_000.0

    private let least: Duration
    private var allowed: Duration
    private var spent = Duration.zero
    /// Since when it is read; `nil` while its sender is waited for.
    private var since: ContinuousClock.Instant?
    /// How much of use was found so far.
    private var uses = 0

    /// Begins a file, for which is waited.
    ///
    /// - Parameter least: How long it is read in any case.
    init(least: Duration) { (self.least, allowed) = (least, least) }

    /// Begins to wait for its sender.
    mutating func waits(at now: ContinuousClock.Instant) {
        if let since { spent += now - since }
        since = nil
    }

    /// Goes on with what has come.
    mutating func received(_ octets: Int, at now: ContinuousClock.Instant) {
        allowed += .seconds(Double(octets) / Self.octetsOfSecond)
        since = now
    }

    /// Begins anew where more of use was found than before.
    mutating func found(_ count: Int, at now: ContinuousClock.Instant) {
        guard count > uses else { return }
        uses = count
        (allowed, spent) = (least, .zero)
        if since != nil { since = now }
    }

    /// Whether it has been read for too long.
    func isOver(at now: ContinuousClock.Instant) -> Bool {
        spent + (since.map { now - $0 } ?? .zero) > allowed
    }
}

// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import Synchronization

/// Knows where we are, from one source.
///
/// ``run(_:)`` listens to the source; ``whereabouts(at:)`` says at any time what is known.
public final class Locator: Sendable {
    /// Where fixes come from.
    public enum Source: Sendable {
        /// A place that does not change.
        case fixed(Position)
        /// A gpsd, which may come and go.
        case gpsd(host: String, port: Int)
        /// A track that was recorded, played so many times as fast as it was driven: more than 0.
        case track(GPXTrack, speed: Double)
        /// A way that is thought up, asked for once a second.
        case invented(@Sendable () -> Fix?)
        /// Whoever calls ``receive(_:)``: a browser.
        case visitor
    }

    /// What a source brings.
    public enum Report: Sendable {
        /// What people should hear of.
        case changed(LocationChanged)
        /// A fix that is used.
        case fix(UsedFix)
    }

    private let source: Source
    private let tracker = Mutex(LocationTracker())
    private let start = ContinuousClock.now
    private let now: @Sendable () -> Timestamp

    /// Makes a locator that listens to nothing yet.
    ///
    /// - Parameters:
    ///   - source: Where fixes come from.
    ///   - now: The time by the wall clock.
    public init(_ source: Source, now: @escaping @Sendable () -> Timestamp) {
        self.source = source
        self.now = now
    }

    /// Where we are now, or were a moment ago.
    ///
    /// - Parameter time: When, by the wall clock; at most a minute ago.
    /// - Returns: `nil` when nobody knows.
    public func whereabouts(at time: Timestamp) -> LocationSample? {
        if case .fixed(let position) = source { return .fixed(position) }
        let delay = Double(min(60_000, max(0, now().milliseconds - time.milliseconds))) * pace
        // Read once: it goes on meanwhile.
        let instant = instant
        return tracker.withLock { $0.whereabouts(at: instant - min(instant, UInt64(delay))) }
    }

    /// What is known now.
    ///
    /// - Returns: The tracker as it is.
    public func known() -> LocationTracker { tracker.withLock { $0 } }

    /// Takes a fix of a visitor, or of any other source.
    ///
    /// - Parameter fix: The fix.
    /// - Returns: What it brings; when it is not used, ``known()`` says why.
    public func receive(_ fix: Fix) -> [Report] { receive(fix, at: instant) }

    /// Listens until the task is cancelled or a track is at its end.
    ///
    /// gpsd may come and go: it is tried again after 1, 2, 4 … 30 s.
    ///
    /// - Parameter report: Gets what the source brings.
    /// - Throws: What `report` throws.
    public func run(_ report: @escaping @Sendable (Report) throws -> Void) async throws {
        switch source {
        case .fixed, .visitor: return
        case .gpsd(let host, let port): try await listen(to: host, port, report)
        case .track(let track, let speed): try await play(track, speed, report)
        case .invented(let next): try await follow(next, report)
        }
    }

    /// How many times as fast time goes.
    private var pace: Double { if case .track(_, let factor) = source { factor } else { 1 } }

    /// Milliseconds since this was made; while a track is played, of its time.
    private var instant: UInt64 {
        UInt64(max(0, (ContinuousClock.now - start) / .milliseconds(1) * pace))
    }

    private func receive(_ fix: Fix, at instant: UInt64, isTimed: Bool = true) -> [Report] {
        tracker.withLock { tracker in
            let change = tracker.receive(fix, at: instant, isTimed: isTimed)
            var reports: [Report] = change.map { [.changed($0)] } ?? []
            if tracker.refusal == nil, let last = tracker.last {
                reports.append(.fix(UsedFix(last.fix, motion: last.motion, pace: pace)))
            }
            return reports
        }
    }

    private func follow(_ next: () -> Fix?, _ report: (Report) throws -> Void) async throws {
        while !Task.isCancelled {
            if let fix = next() { for one in receive(fix) { try report(one) } }
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
        }
    }

    private func play(_ track: GPXTrack, _ speed: Double, _ report: (Report) throws -> Void) async throws {
        let begin = ContinuousClock.now
        for fix in track.fixes {
            // At most 31 years, which fit into a number of milliseconds however slowly it is played.
            let offset = min(1e12, Double(max(0, fix.time - track.fixes[0].time)) / speed)
            do {
                try await Task.sleep(until: begin + .milliseconds(Int64(offset)), clock: .continuous)
            } catch {
                return
            }
            for one in receive(fix) { try report(one) }
        }
        if let change = tracker.withLock({ $0.end() }) { try report(.changed(change)) }
    }

    private func listen(
        to host: String, _ port: Int, _ report: @escaping @Sendable (Report) throws -> Void
    ) async throws {
        var pause = 1
        while !Task.isCancelled {
            let wasHeard = Mutex(false)
            let failure = try await GPSDConnection.run(host: host, port: port) { output, now in
                switch output {
                case .send, .failed: return
                case .fix(let fix): for one in self.receive(fix, at: now) { try report(one) }
                case .untimedFix(var fix):
                    fix.time = self.now().milliseconds
                    for one in self.receive(fix, at: now, isTimed: false) { try report(one) }
                case .state(let state):
                    wasHeard.withLock { $0 = true }
                    if let change = self.tracker.withLock({ $0.receive(state) }) {
                        try report(.changed(change))
                    }
                }
            } clock: {
                self.instant
            }
            if Task.isCancelled { return }
            if let change = tracker.withLock({ $0.lose(failure) }) { try report(.changed(change)) }
            if wasHeard.withLock({ $0 }) { pause = 1 }
            do { try await Task.sleep(for: .seconds(pause)) } catch { return }
            pause = min(30, pause * 2)
        }
    }
}

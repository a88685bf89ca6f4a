// SPDX-License-Identifier: Apache-2.0

public import Companion
import FlockFinder
import Synchronization

/// Knows where we are, from one source.
///
/// ``run(_:)`` listens to the source; ``whereabouts()`` says at any time what is known.
public final class Locator: Sendable {
    /// Where fixes come from.
    public enum Source: Sendable {
        /// A place that does not change.
        case fixed(Position)
        /// A gpsd, which may come and go.
        case gpsd(host: String, port: Int)
        /// A track that was recorded, played so many times as fast as it was driven: more than 0.
        case track(GPXTrack, speed: Double)
    }

    private let source: Source
    private let tracker = Mutex(LocationTracker())
    private let start = ContinuousClock.now

    /// Makes a locator that listens to nothing yet.
    ///
    /// - Parameter source: Where fixes come from.
    public init(_ source: Source) { self.source = source }

    /// Where we are now; `nil` when nobody knows.
    public func whereabouts() -> Whereabouts? {
        if case .fixed(let position) = source { return Whereabouts(position) }
        return tracker.withLock { $0.whereabouts(at: instant) }
    }

    /// Listens until the task is cancelled or a track is at its end.
    ///
    /// gpsd may come and go: it is tried again after 1, 2, 4 … 30 s.
    ///
    /// - Parameter report: Gets what people should hear of.
    /// - Throws: What `report` throws.
    public func run(_ report: @escaping @Sendable (LocationChanged) throws -> Void) async throws {
        switch source {
        case .fixed: return
        case .gpsd(let host, let port): try await listen(to: host, port, report)
        case .track(let track, let speed): try await play(track, speed, report)
        }
    }

    /// Milliseconds since this was made; while a track is played, of its time.
    private var instant: UInt64 {
        var speed = 1.0
        if case .track(_, let factor) = source { speed = factor }
        return UInt64(max(0, (ContinuousClock.now - start) / .milliseconds(1) * speed))
    }

    private func play(
        _ track: GPXTrack, _ speed: Double, _ report: @Sendable (LocationChanged) throws -> Void
    ) async throws {
        let begin = ContinuousClock.now
        for fix in track.fixes {
            // At most 31 years, which fit into a number of milliseconds however slowly it is played.
            let offset = min(1e12, Double(max(0, fix.time - track.fixes[0].time)) / speed)
            do {
                try await Task.sleep(until: begin + .milliseconds(Int64(offset)), clock: .continuous)
            } catch {
                return
            }
            let change = tracker.withLock { $0.receive(fix, at: instant) }
            if let change { try report(change) }
        }
        if let change = tracker.withLock({ $0.end() }) { try report(change) }
    }

    private func listen(
        to host: String, _ port: Int, _ report: @escaping @Sendable (LocationChanged) throws -> Void
    ) async throws {
        var pause = 1
        while !Task.isCancelled {
            let wasHeard = Mutex(false)
            let failure = try await GPSDConnection.run(host: host, port: port) { output, now in
                switch output {
                case .send, .failed: return
                case .fix(let fix):
                    if let change = self.tracker.withLock({ $0.receive(fix, at: now) }) { try report(change) }
                case .state(let state):
                    wasHeard.withLock { $0 = true }
                    if let change = self.tracker.withLock({ $0.receive(state) }) { try report(change) }
                }
            } clock: {
                self.instant
            }
            if Task.isCancelled { return }
            if let change = tracker.withLock({ $0.lose(failure) }) { try report(change) }
            if wasHeard.withLock({ $0 }) { pause = 1 }
            do { try await Task.sleep(for: .seconds(pause)) } catch { return }
            pause = min(30, pause * 2)
        }
    }
}

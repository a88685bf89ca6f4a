// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
import CompanionCore
public import Detections
package import HubModel
import Synchronization

/// Knows where we are, from one source.
///
/// It carries on `Whereabouts` of CompanionCore: ``run(_:)`` listens to the source; ``whereabouts(at:)`` says at any time what
/// is known.
public final class Locator: Sendable {
    /// Where fixes come from.
    public enum Source: Sendable {
        /// A place that does not change.
        case fixed(Position)
        /// A gpsd, which may come and go.
        case gpsd(any GPSDConnection)
        /// A track that was recorded, played so many times as fast as it was driven: more than 0.
        case track(GPXTrack, speed: Double)
        /// A way that is thought up, asked for once a second.
        case invented(@Sendable () -> Fix?)
        /// Whoever calls ``receive(_:)``: a browser.
        case visitor

        /// What says where we are then.
        fileprivate var place: PlaceSource {
            switch self {
            case .fixed(let position): .fixed(position)
            case .gpsd: .gpsd
            case .track(_, let speed): .track(pace: speed)
            case .invented: .route
            case .visitor: .browser
            }
        }
    }

    /// What a source brings.
    public enum Report: Sendable {
        /// What people should hear of.
        case changed(LocationChanged)
        /// A fix that is used.
        case fix(UsedFix)
    }

    private let source: Source
    private let known: Mutex<Whereabouts>
    private let start = ContinuousClock.now
    private let now: @Sendable () -> Timestamp

    /// Makes a locator that listens to nothing yet.
    ///
    /// - Parameters:
    ///   - source: Where fixes come from.
    ///   - now: The time by the wall clock.
    public init(_ source: Source, now: @escaping @Sendable () -> Timestamp) {
        self.source = source
        known = Mutex(Whereabouts(source.place))
        self.now = now
    }

    /// Where we are now, or were a moment ago.
    ///
    /// - Parameter time: When, by the wall clock; at most a minute ago.
    /// - Returns: `nil` when nobody knows.
    public func whereabouts(at time: Timestamp) -> LocationSample? {
        // Read once: it goes on meanwhile.
        let moment = moment
        return known.withLock { $0.sample(of: time, at: moment) }
    }

    /// Where we are, as pages show it.
    ///
    /// - Parameter time: Now, by the wall clock.
    /// - Returns: What is known, and what is wrong.
    package func location(at time: Timestamp) -> HubLocation {
        let moment = Moment(instant, time)
        return known.withLock { $0.location(at: moment) }
    }

    /// Takes a fix of a visitor.
    ///
    /// - Parameter fix: The fix.
    /// - Returns: What it brings, and why it is not used, in a sentence; `nil` when it is.
    package func receive(_ fix: Fix) -> (reports: [Report], refusal: String?) {
        let moment = moment
        return known.withLock { known in
            known.receive(fix, at: moment)
            return (Self.reports(of: &known), known.refusal)
        }
    }

    /// Listens until the task is cancelled or a track is at its end.
    ///
    /// gpsd may come and go: it is tried again after 1, 2, 4 … 30 s.
    ///
    /// - Parameter report: Gets what the source brings.
    /// - Throws: What `report` throws.
    public func run(_ report: @escaping @Sendable (Report) throws -> Void) async throws {
        switch source {
        case .fixed, .visitor: return
        case .gpsd(let connection): try await listen(to: connection, report)
        case .track(let track, let speed): try await play(track, speed, report)
        case .invented(let next): try await follow(next, report)
        }
    }

    /// Now, by a clock that began when this was made.
    private var moment: Moment { Moment(instant, now()) }

    private var instant: HostInstant {
        HostInstant(microseconds: UInt64(max(0, (ContinuousClock.now - start) / .microseconds(1))))
    }

    /// Hands something over, and takes what it brings.
    private func take(_ input: (inout Whereabouts) -> Void) -> [Report] {
        known.withLock { known in
            input(&known)
            return Self.reports(of: &known)
        }
    }

    private static func reports(of known: inout Whereabouts) -> [Report] {
        var reports: [Report] = []
        while let output = known.nextOutput() {
            switch output {
            case .changed(let event): reports.append(.changed(event))
            case .used(let fix): reports.append(.fix(fix))
            }
        }
        return reports
    }

    private func follow(_ next: () -> Fix?, _ report: (Report) throws -> Void) async throws {
        while !Task.isCancelled {
            if let fix = next() { for one in receive(fix).reports { try report(one) } }
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
            for one in receive(fix).reports { try report(one) }
        }
        for one in take({ $0.end() }) { try report(one) }
    }

    private func listen(
        to connection: any GPSDConnection, _ report: @escaping @Sendable (Report) throws -> Void
    ) async throws {
        var pause = 1
        while !Task.isCancelled {
            let wasHeard = Mutex(false)
            let failure = try await connection.run { output in
                switch output {
                case .send, .failed: return
                case .fix(let fix):
                    let moment = self.moment
                    for one in self.take({ $0.receive(fix, at: moment) }) { try report(one) }
                case .untimedFix(let fix):
                    let moment = self.moment
                    for one in self.take({ $0.receive(fix, isTimed: false, at: moment) }) { try report(one) }
                case .state(let state):
                    wasHeard.withLock { $0 = true }
                    for one in self.take({ $0.receive(state) }) { try report(one) }
                }
            } clock: {
                self.instant.microseconds / 1000
            }
            if Task.isCancelled { return }
            for one in take({ $0.lose(failure) }) { try report(one) }
            if wasHeard.withLock({ $0 }) { pause = 1 }
            do { try await Task.sleep(for: .seconds(pause)) } catch { return }
            pause = min(30, pause * 2)
        }
    }
}

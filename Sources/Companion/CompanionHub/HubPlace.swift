// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionCore
package import Detections
import HubModel
import Locating
import Synchronization

/// Where a hub is, when that is not a matter of its settings.
package enum GivenPlace: Sendable {
    /// On a track, played so many times as fast as it was driven, until people set another place.
    case track(GPXTrack, speed: Double)
    /// On the route of a demo, as long as people set no place.
    case route(@Sendable (Timestamp) -> Fix?)

    /// The same for the choice between it and what people set.
    fileprivate var choice: PlaceChoice.Given {
        switch self {
        case .track(_, let speed): .track(pace: speed)
        case .route: .route
        }
    }
}

/// Where a hub is, for all who want to know: from the one source that people have chosen, which may change at any time.
final class HubPlace: Sendable {
    private struct State {
        var choice: PlaceChoice
        /// Listens to the source that counts.
        var locator: Locator?
    }

    private let state: Mutex<State>
    private let given: GivenPlace?
    private let gpsd: (any GPSDConnection)?
    private let clock: HubClock
    /// Says that there is another source.
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init(_ given: GivenPlace?, gpsd: (any GPSDConnection)?, clock: HubClock) {
        state = Mutex(State(choice: PlaceChoice(given?.choice)))
        (self.given, self.gpsd, self.clock) = (given, gpsd, clock)
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.locator = locator(for: $0.choice.source) }
    }

    /// Takes what people have set.
    func set(_ location: HubSettings.Location) {
        let isOther = state.withLock { state in
            guard state.choice.choose(location) else { return false }
            state.locator = locator(for: state.choice.source)
            return true
        }
        if isOther { change.yield() }
    }

    /// What listens to a source.
    private func locator(for source: PlaceSource) -> Locator? {
        let heard: Locator.Source
        switch (source, given) {
        case (.fixed(let position), _): heard = .fixed(position)
        case (.gpsd, _):
            guard let gpsd else { return nil }
            heard = .gpsd(gpsd)
        case (.browser, _): heard = .visitor
        case (.track, .track(let track, let speed)?): heard = .track(track, speed: speed)
        case (.route, .route(let route)?): heard = .invented { [clock] in route(clock.now()) }
        case (.none, _), (.track, _), (.route, _): return nil
        }
        return Locator(heard, now: clock.now)
    }

    /// Listens to the source of the moment until the task is cancelled.
    ///
    /// - Parameters:
    ///   - report: Gets what it brings.
    ///   - changed: Called when it is another one.
    func run(_ report: @escaping @Sendable (Locator.Report) -> Void, changed: () -> Void) async {
        var work = listen(report)
        for await _ in changes {
            work.cancel()
            await work.value
            changed()
            work = listen(report)
        }
        work.cancel()
        await work.value
    }

    private func listen(_ report: @escaping @Sendable (Locator.Report) -> Void) -> Task<Void, Never> {
        let locator = state.withLock { $0.locator }
        // Nothing is thrown but by the report, which throws nothing.
        return Task { try? await locator?.run(report) }
    }

    /// Takes a fix of a browser.
    ///
    /// - Parameter fix: The fix.
    /// - Returns: What it brings, and why it is not used, in a sentence; nothing of that when it is.
    /// - Throws: ``HubError/notNow(_:)`` where places do not come from a browser.
    func receive(_ fix: Fix) throws(HubError) -> (reports: [Locator.Report], refusal: String?) {
        let locator = state.withLock { $0.choice.source == .browser ? $0.locator : nil }
        guard let locator else {
            throw .notNow(
                "The hub does not take its place from a browser. Choose that in its settings first.")
        }
        return locator.receive(fix)
    }

    /// Where the hub is.
    func location(at now: Timestamp) -> HubLocation {
        state.withLock { $0.locator }?.location(at: now) ?? HubLocation()
    }

    /// Where what is noticed now is said to be, and how the hub moves; `nil` when nobody knows.
    func whereabouts(at time: Timestamp) -> LocationSample? {
        state.withLock { $0.locator }?.whereabouts(at: time)
    }
}

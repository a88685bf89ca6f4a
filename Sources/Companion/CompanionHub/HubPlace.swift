// SPDX-License-Identifier: Apache-2.0

package import Companion
package import Detections
import HubModel
import Locating
import Synchronization

/// Where a hub is, when that is not a matter of its settings.
package enum GivenPlace: Sendable {
    /// On a track, played so many times as fast as it was driven, until people set another place.
    case track(GPXTrack, speed: Double)
    /// On the route of a demo.
    case route(@Sendable (Timestamp) -> Fix?)
}

/// Where a hub is, for all who want to know: from the one source that people have chosen, which may change at any time.
final class HubPlace: Sendable {
    private struct State {
        var settings: HubSettings.Location?
        var given: GivenPlace?
        var source = HubLocation.Source.none
        var locator: Locator?
    }

    private let state: Mutex<State>
    private let gpsd: LocationSource
    private let clock: HubClock
    /// Says that there is another source.
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init(_ given: GivenPlace?, gpsd: LocationSource, clock: HubClock) {
        state = Mutex(State(given: given))
        self.gpsd = gpsd
        self.clock = clock
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        choose()
    }

    /// Takes what people have set.
    func set(_ location: HubSettings.Location) {
        let isOther = state.withLock { state in
            guard location != state.settings else { return false }
            // What was given at the start counts until somebody sets something else.
            if state.settings != nil, case .track? = state.given { state.given = nil }
            state.settings = location
            return true
        }
        guard isOther else { return }
        choose()
        change.yield()
    }

    /// Makes the source that counts now.
    private func choose() {
        state.withLock { state in
            let settings = state.settings ?? HubSettings.Location()
            let source: Locator.Source?
            switch (state.given, settings.source) {
            case (.track(let track, let speed)?, _):
                (state.source, source) = (.track, .track(track, speed: speed))
            case (.route(let route)?, _):
                (state.source, source) = (.route, .invented { [clock] in route(clock.now()) })
            case (nil, .fixed): (state.source, source) = (.fixed, settings.position.map { .fixed($0) })
            case (nil, .gpsd):
                var (host, port) = ("127.0.0.1", 2947)
                if case .gpsd(let ownHost, let ownPort) = gpsd { (host, port) = (ownHost, ownPort) }
                (state.source, source) = (.gpsd, .gpsd(host: host, port: port))
            case (nil, .browser): (state.source, source) = (.browser, .visitor)
            case (nil, _): (state.source, source) = (.none, nil)
            }
            state.locator = source.map { Locator($0, now: clock.now) }
        }
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
    /// - Returns: What it brings, and why it is not used; nothing of that when it is.
    /// - Throws: ``HubFault/notNow(_:)`` where places do not come from a browser.
    func receive(_ fix: Fix) throws(HubFault) -> (reports: [Locator.Report], refusal: FixRefusal?) {
        let locator = state.withLock { $0.source == .browser ? $0.locator : nil }
        guard let locator else {
            throw .notNow(
                "The hub does not take its place from a browser. Choose that in its settings first.")
        }
        let reports = locator.receive(fix)
        return (reports, locator.known().refusal)
    }

    /// Where the hub is.
    func location(at now: Timestamp) -> HubLocation {
        let (source, locator) = state.withLock { ($0.source, $0.locator) }
        guard let locator else { return HubLocation() }
        guard let place = locator.whereabouts(at: now) else {
            let known = locator.known()
            return HubLocation(
                source: source, condition: .noFix, satellites: known.satellites, time: now,
                reason: known.sentence ?? source.silence)
        }
        if source == .fixed {
            return HubLocation(
                source: .fixed, condition: .fix, position: place.position, activity: "stationary", time: now)
        }
        let known = locator.known()
        return HubLocation(
            source: source, condition: .fix, satellites: known.satellites, accuracy: place.fix?.accuracy,
            position: place.position, altitude: place.fix?.altitude, speed: place.motion.speed,
            heading: place.motion.heading, activity: place.motion.activity,
            time: Timestamp(milliseconds: now.milliseconds - (place.fix?.age ?? 0)), reason: known.sentence)
    }

    /// Where what is noticed now is said to be, and how the hub moves; `nil` when nobody knows.
    func whereabouts(at time: Timestamp) -> LocationSample? {
        state.withLock { $0.locator }?.whereabouts(at: time)
    }
}

extension LocationTracker {
    /// What is wrong, as a sentence; `nil` when nothing is.
    fileprivate var sentence: String? {
        if let trouble { return "No place from gpsd: \(trouble). It is tried again by itself." }
        if lacksReceiver { return "\(LocationChanged.lacksReceiver)." }
        return refusal.map { "The last fix is not used: it \($0.text)." }
    }
}

extension HubLocation.Source {
    /// Why there is no place where nothing else is wrong.
    fileprivate var silence: String? {
        switch self {
        case .gpsd: "The receiver does not know yet where it is."
        case .browser: "No browser has said in the last ten seconds where it is."
        case .track: "The track is at its end."
        case .none, .fixed, .route: nil
        }
    }
}

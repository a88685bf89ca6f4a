// SPDX-License-Identifier: Apache-2.0

public import Companion
import CompanionDevices
import Synchronization

/// What happens in a hub, numbered, for as many as want to follow.
///
/// Each event is encoded once and kept for a while, within bounds. Whoever follows has a place among the kept ones and
/// nothing of its own, so one who reads slowly, or not at all, costs nothing and holds up nobody; one who has fallen
/// behind what is kept gets an ``EventsLost`` and goes on with what comes next.
public final class EventFeed: Sendable {
    /// An event as it is sent.
    public struct Item: Hashable, Sendable {
        /// Its number, higher than that of every event before.
        public let id: Int64
        /// Its name.
        public let name: String
        /// The event as one JSON object.
        public let json: [UInt8]
        /// When it happened.
        let time: Timestamp
    }

    /// How much is kept.
    public struct Limits: Hashable, Sendable {
        /// Events, at most.
        public var events: Int
        /// Octets of their JSON, at most; the last event is kept whatever its size.
        public var octets: Int

        /// Makes limits; without arguments those of a hub.
        ///
        /// - Parameters:
        ///   - events: Events, at most.
        ///   - octets: Octets of their JSON, at most.
        public init(events: Int = 8192, octets: Int = 4 << 20) {
            self.events = max(1, events)
            self.octets = octets
        }
    }

    /// Why one who waits goes on.
    private enum WakeUp {
        case change
        case nudge
    }

    private struct Reader {
        var after: Int64
        /// Those who wait for what comes next: as many tasks as read from one place at once.
        var waiting: [CheckedContinuation<WakeUp, Never>] = []
    }

    private struct State {
        /// The number before the first one.
        let start: Int64
        var lastID: Int64
        var oldest: Int64
        /// The event with number n lies at n modulo their count.
        var kept: [Item?]
        var octets = 0
        var readers: [Int: Reader] = [:]
        var nextReader = 0
        var isFinished = false

        subscript(id: Int64) -> Item? {
            get { kept[Int(id % Int64(kept.count))] }
            set { kept[Int(id % Int64(kept.count))] = newValue }
        }

        /// Takes out those who wait.
        mutating func takeWaiting() -> [CheckedContinuation<WakeUp, Never>] {
            var waiting: [CheckedContinuation<WakeUp, Never>] = []
            for key in readers.keys { waiting += takeWaiting(of: key) }
            return waiting
        }

        /// Takes out those who wait at one place.
        mutating func takeWaiting(of key: Int) -> [CheckedContinuation<WakeUp, Never>] {
            defer { readers[key]?.waiting = [] }
            return readers[key]?.waiting ?? []
        }
    }

    private let limits: Limits
    private let state: Mutex<State>

    /// Makes a feed in which nothing has happened.
    ///
    /// Numbers begin with the time, so that those of an earlier run are known for what they are.
    ///
    /// - Parameters:
    ///   - moment: Now.
    ///   - limits: How much is kept.
    public init(startedAt moment: Timestamp, limits: Limits = Limits()) {
        // A thousand numbers a millisecond are never used up, and a browser's numbers are exact up to 2^53.
        let start = min(max(0, moment.milliseconds), 1 << 42) * 1000
        self.limits = limits
        state = Mutex(
            State(
                start: start, lastID: start, oldest: start + 1,
                kept: Array(repeating: nil, count: limits.events)))
    }

    /// The number of the last event.
    public var lastID: Int64 { state.withLock { $0.lastID } }

    /// How many follow.
    public var subscriptions: Int { state.withLock { $0.readers.count } }

    /// Adds an event; whoever follows gets it, and nobody is waited for.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - time: When it happened.
    public func publish(_ event: some Event, at time: Timestamp) {
        let json = event.json(at: time)
        let name = "\(type(of: event).name)"
        let waiting = state.withLock { state -> [CheckedContinuation<WakeUp, Never>] in
            guard !state.isFinished else { return [] }
            while state.oldest <= state.lastID,
                state.octets + json.count > limits.octets
                    || state.lastID - state.oldest + 1 >= Int64(limits.events)
            {
                state.octets -= state[state.oldest]?.json.count ?? 0
                state[state.oldest] = nil
                state.oldest += 1
            }
            state.lastID += 1
            state[state.lastID] = Item(id: state.lastID, name: name, json: json, time: time)
            state.octets += json.count
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume(returning: .change) }
    }

    /// Lets everybody who waits go on without an event, which shows whether they are still there.
    public func nudge() {
        let waiting = state.withLock { $0.takeWaiting() }
        for continuation in waiting { continuation.resume(returning: .nudge) }
    }

    /// Ends the feed: whoever follows gets what is kept and then the end, and nothing is added any more.
    public func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume(returning: .change) }
    }

    /// Follows the feed.
    ///
    /// - Parameter id: The number of the last event that is known; `nil` to begin with what comes next.
    /// - Returns: A place in the feed, which is given up when it is let go.
    public func subscribe(after id: Int64? = nil) -> Subscription {
        let key = state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = Reader(after: id ?? state.lastID)
            return state.nextReader
        }
        return Subscription(self, key)
    }

    /// A place in a feed, from which tasks read on; each event goes to one of them.
    ///
    /// Who waits here is resumed by what comes next, ``EventFeed/nudge()``, ``EventFeed/finish()``, ``end()``, or when its task
    /// is cancelled; another task that waits at the same place goes on waiting then.
    public final class Subscription: Sendable {
        private let feed: EventFeed
        private let key: Int

        fileprivate init(_ feed: EventFeed, _ key: Int) {
            self.feed = feed
            self.key = key
        }

        deinit {
            // Whoever waits keeps its place, so nobody waits here.
            feed.state.withLock { _ = $0.readers.removeValue(forKey: key) }
        }

        /// Waits for what comes next.
        ///
        /// - Parameter limit: At most so many.
        /// - Returns: Events in order; none after ``EventFeed/nudge()``; `nil` when the feed has ended or the task is
        ///   cancelled.
        public func next(atMost limit: Int = .max) async -> [Item]? {
            while !Task.isCancelled {
                if let found = dequeue(limit) { return found.isEmpty ? nil : found }
                let wakeUp = await withTaskCancellationHandler {
                    await withCheckedContinuation { wait($0) }
                } onCancel: {
                    stopWaiting()
                }
                if wakeUp == .nudge { return [] }
            }
            return nil
        }

        /// Ends it: whoever reads gets `nil`, at once.
        public func end() {
            let waiting = feed.state.withLock { $0.readers.removeValue(forKey: key)?.waiting ?? [] }
            for continuation in waiting { continuation.resume(returning: .change) }
        }

        /// What is there; nothing at the end; `nil` when there is nothing yet.
        private func dequeue(_ limit: Int) -> [Item]? {
            feed.state.withLock { state in
                guard let after = state.readers[key]?.after else { return [] }
                if after == state.lastID { return state.isFinished ? [] : nil }
                guard after >= state.oldest - 1, after < state.lastID else {
                    state.readers[key]?.after = state.lastID
                    return [Self.gap(after: after, state)]
                }
                let last = after + min(state.lastID - after, Int64(clamping: max(1, limit)))
                state.readers[key]?.after = last
                return ((after + 1)...last).compactMap { state[$0] }
            }
        }

        /// What stands for everything between a number and now.
        private static func gap(after: Int64, _ state: State) -> Item {
            let time = state[state.lastID]?.time ?? Timestamp(milliseconds: state.lastID / 1000)
            // Of what another run has lost nobody knows; this run's events are lost in any case.
            let first = after > state.lastID ? state.start : max(after, state.start)
            let missed = EventsLost(max(1, state.lastID - first))
            return Item(
                id: state.lastID, name: "\(EventsLost.name)", json: missed.json(at: time), time: time)
        }

        private func wait(_ continuation: CheckedContinuation<WakeUp, Never>) {
            let isOver = feed.state.withLock { state in
                let isOver =
                    state.isFinished || state.readers[key]?.after != state.lastID || Task.isCancelled
                if !isOver { state.readers[key]?.waiting.append(continuation) }
                return isOver
            }
            if isOver { continuation.resume(returning: .change) }
        }

        private func stopWaiting() {
            // The others find nothing, and wait again.
            let waiting = feed.state.withLock { $0.takeWaiting(of: key) }
            for continuation in waiting { continuation.resume(returning: .change) }
        }
    }
}

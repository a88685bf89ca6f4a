// SPDX-License-Identifier: Apache-2.0

/// Something that a person sees on the lock screen as it goes on.
///
/// What changes is guarded by its lock; what it shows is a value.
public final class Activity<Attributes>: Identifiable, @unchecked Sendable
where Attributes: ActivityAttributes {
    /// What of it changes.
    public typealias ContentState = Attributes.ContentState

    /// What it is known by.
    public let id: String
    /// What it is about.
    public let attributes: Attributes
    private let lock = NSLock()
    private var shownContent: ActivityContent<ContentState>
    private var shownTime = Date.distantPast
    private var end: Date?
    private var alerts: [String] = []
    private var contentWatchers: [AsyncStream<Told>.Continuation] = []
    private var stateWatchers: [AsyncStream<ActivityState>.Continuation] = []

    private init(_ attributes: Attributes, _ content: ActivityContent<ContentState>) {
        id = UUID().uuidString
        self.attributes = attributes
        shownContent = content
    }

    /// Begins one.
    ///
    /// - Throws: ``ActivityAuthorizationError`` where the person wants none, or it holds too much.
    public static func request(
        attributes: Attributes, content: ActivityContent<Activity<Attributes>.ContentState>,
        pushType: PushType? = nil
    ) throws -> Activity<Attributes> {
        guard LiveActivities.areEnabled else { throw ActivityAuthorizationError.denied }
        let octets = try JSONEncoder().encode(attributes).count + JSONEncoder().encode(content.state).count
        guard octets <= 4096 else { throw ActivityAuthorizationError.attributesTooLarge }
        let activity = Activity(attributes, content)
        LiveActivities.add(activity)
        return activity
    }

    /// Those of this type that are shown.
    public static var activities: [Activity<Attributes>] {
        LiveActivities.live.compactMap { $0 as? Activity<Attributes> }
    }

    /// What it shows.
    public var content: ActivityContent<Activity<Attributes>.ContentState> { lock.withLock { shownContent } }

    /// Where it is in its life.
    public var activityState: ActivityState {
        let (stale, over) = lock.withLock { (shownContent.staleDate, self.end) }
        if let over { return over <= Date.now ? .dismissed : .ended }
        return (stale ?? .distantFuture) <= Date.now ? .stale : .active
    }

    /// Shows something else.
    public func update(_ content: ActivityContent<Activity<Attributes>.ContentState>) async {
        show(content, nil, until: nil, .now)
    }

    /// Shows something else, and lets the person notice it.
    public func update(
        _ content: ActivityContent<Activity<Attributes>.ContentState>,
        alertConfiguration: AlertConfiguration? = nil
    ) async { show(content, alertConfiguration, until: nil, .now) }

    /// Shows something else that is of a time, unless what is shown is younger.
    public func update(
        _ content: ActivityContent<Activity<Attributes>.ContentState>,
        alertConfiguration: AlertConfiguration? = nil, timestamp: Date
    ) async { show(content, alertConfiguration, until: nil, timestamp) }

    /// Ends it, and shows something for the last time.
    public func end(
        _ content: ActivityContent<Activity<Attributes>.ContentState>?,
        dismissalPolicy: ActivityUIDismissalPolicy = .default
    ) async { show(content, nil, until: dismissalPolicy.end(.now), .now) }

    /// Ends it, and shows something of a time for the last time, unless what is shown is younger.
    public func end(
        _ content: ActivityContent<Activity<Attributes>.ContentState>?,
        dismissalPolicy: ActivityUIDismissalPolicy = .default, timestamp: Date
    ) async { show(content, nil, until: dismissalPolicy.end(.now), timestamp) }

    /// Shows something, unless the end has come, or what is shown is younger.
    private func show(
        _ content: ActivityContent<ContentState>?, _ alert: AlertConfiguration?, until new: Date?,
        _ time: Date
    ) {
        lock.lock()
        guard end == nil, time >= shownTime else { return lock.unlock() }
        shownContent = content ?? shownContent
        shownTime = time
        if let alert { alerts.append(String(localized: alert.title)) }
        end = new
        let told = contentWatchers
        lock.unlock()
        if let content { for watcher in told { watcher.yield(Told(content: content)) } }
        if new != nil { tellState() }
    }

    private func tellState() {
        let state = activityState
        let (contents, states) = lock.withLock { (contentWatchers, stateWatchers) }
        for watcher in states { watcher.yield(state) }
        guard state == .dismissed else { return }
        for watcher in contents { watcher.finish() }
        for watcher in states { watcher.finish() }
    }

    /// Tells what it shows, each time that it shows something else.
    public var contentUpdates: ContentUpdates {
        ContentUpdates(
            stream: AsyncStream { continuation in lock.withLock { contentWatchers.append(continuation) } })
    }

    /// Tells where it is in its life, from now on.
    public var activityStateUpdates: ActivityStateUpdates {
        let now = activityState
        return ActivityStateUpdates(
            stream: AsyncStream { continuation in
                continuation.yield(now)
                lock.withLock { stateWatchers.append(continuation) }
            })
    }

    /// What it shows, again and again.
    public struct ContentUpdates: AsyncSequence {
        /// What it shows.
        public typealias Element = ActivityContent<Activity<Attributes>.ContentState>
        let stream: AsyncStream<Told>

        /// The changes, one by one.
        public struct Iterator: AsyncIteratorProtocol {
            var told: AsyncStream<Told>.Iterator
            /// The next change.
            public mutating func next() async -> Element? { await told.next()?.content }
        }

        /// The changes, one by one.
        public func makeAsyncIterator() -> Iterator { Iterator(told: stream.makeAsyncIterator()) }
    }

    /// A content on its way to who watches: a value, which nobody changes.
    struct Told: @unchecked Sendable {
        let content: ActivityContent<ContentState>
    }

    /// Where it is in its life, again and again.
    public struct ActivityStateUpdates: AsyncSequence {
        /// Where it is in its life.
        public typealias Element = ActivityState
        let stream: AsyncStream<ActivityState>
        /// The changes, one by one.
        public func makeAsyncIterator() -> AsyncStream<ActivityState>.Iterator { stream.makeAsyncIterator() }
    }
}

extension Activity: LiveActivity {
    var phase: ActivityState { activityState }

    var shown: LiveActivities.Shown {
        let (content, alerts) = lock.withLock { (shownContent, self.alerts) }
        return LiveActivities.Shown(
            id: id, attributes: attributes, state: content.state, phase: activityState, alerts: alerts)
    }

    func dismiss() {
        lock.withLock { self.end = .distantPast }
        tellState()
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What a live activity is about.
public protocol ActivityAttributes: Decodable, Encodable {
    /// What of it changes.
    associatedtype ContentState: Decodable, Encodable, Hashable
}

/// What a live activity shows.
public struct ActivityContent<State> where State: Decodable, State: Encodable, State: Hashable {
    /// What is shown.
    public var state: State
    /// When it is out of date, if it is so at some time.
    public var staleDate: Date?
    /// How much it matters beside others.
    public var relevanceScore: Double

    /// A state.
    public init(state: State, staleDate: Date?, relevanceScore: Double = 0.0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }
}

extension ActivityContent: Sendable where State: Sendable {}
extension ActivityContent: Equatable {}
extension ActivityContent: Hashable {}
extension ActivityContent: Encodable {}
extension ActivityContent: Decodable {}

/// Where a live activity is in its life.
public enum ActivityState: String, Codable, Hashable, Sendable {
    /// It is shown.
    case active
    /// It is shown for some time, and does not change.
    case ended
    /// It is not shown.
    case dismissed
    /// It is shown, and is out of date.
    case stale
}

/// How long a live activity is shown after its end.
public struct ActivityUIDismissalPolicy: Equatable, Sendable {
    enum Kind: Equatable, Sendable { case byDefault, immediate, after(Date) }
    let kind: Kind
    /// Some hours.
    public static let `default` = ActivityUIDismissalPolicy(kind: .byDefault)
    /// Not at all.
    public static let immediate = ActivityUIDismissalPolicy(kind: .immediate)
    /// Until a date.
    public static func after(_ date: Date) -> ActivityUIDismissalPolicy { .init(kind: .after(date)) }

    /// Until when it is shown, four hours at most.
    func end(_ now: Date) -> Date {
        let last = now + 4 * 3600
        return switch kind {
        case .byDefault: last
        case .immediate: now
        case .after(let date): min(last, date)
        }
    }
}

/// How a live activity is updated from afar; no server does so here.
public struct PushType: Sendable {
    /// By a token of its own.
    public static let token = PushType()
    /// By a channel.
    public static func channel(_ channelId: String) -> PushType { PushType() }
}

/// What a person notices of an update.
public struct AlertConfiguration: Sendable {
    /// What is heard.
    public struct AlertSound: Equatable, Sendable {
        let name: String?
        /// As usual.
        public static var `default`: AlertSound { .init(name: nil) }
        /// A sound of the app.
        public static func named(_ name: String) -> AlertSound { .init(name: name) }
    }

    /// The title.
    public var title: LocalizedStringResource
    /// The text.
    public var body: LocalizedStringResource
    /// What is heard.
    public var sound: AlertConfiguration.AlertSound

    /// A title, a text and a sound.
    public init(
        title: LocalizedStringResource, body: LocalizedStringResource, sound: AlertConfiguration.AlertSound
    ) {
        (self.title, self.body, self.sound) = (title, body, sound)
    }
}

/// Why a live activity was not begun.
public enum ActivityAuthorizationError: Error, Hashable, Sendable {
    /// It holds more than four kilobytes.
    case attributesTooLarge
    /// The device has none.
    case unsupported
    /// The person wants none.
    case denied
    /// There are too many.
    case globalMaximumExceeded
    /// There are too many of this app.
    case targetMaximumExceeded
    /// The app is not in front.
    case visibility
    /// It could not be kept.
    case persistenceFailure
    /// The app is not known.
    case missingProcessIdentifier
    /// The app may not have any.
    case unentitled
    /// Its name is none.
    case malformedActivityIdentifier
    /// This part of the app may not have any.
    case unsupportedTarget
    /// It cannot be taken up again.
    case reconnectNotPermitted
}

// SPDX-License-Identifier: Apache-2.0

/// Opens addresses.
@MainActor @preconcurrency public struct OpenURLAction: Sendable {
    /// What has become of an address.
    public struct Result: Sendable {
        enum Outcome { case handled, discarded, system(URL?) }
        let outcome: Outcome
        /// It was opened.
        public static let handled = Result(outcome: .handled)
        /// It is dropped.
        public static let discarded = Result(outcome: .discarded)
        /// The system opens it.
        public static let systemAction = Result(outcome: .system(nil))
        /// The system opens another address.
        public static func systemAction(_ url: URL) -> Result { Result(outcome: .system(url)) }
    }

    nonisolated let handler: @MainActor (URL) -> Result
    nonisolated let system: @MainActor (URL) -> Void

    /// Opens addresses with a function.
    public init(handler: @escaping @MainActor (URL) -> Result) {
        self.init(handler: handler, system: { _ in })
    }

    nonisolated init(
        handler: @escaping @MainActor (URL) -> Result, system: @escaping @MainActor (URL) -> Void
    ) {
        self.handler = handler
        self.system = system
    }

    /// Lets the system open addresses.
    nonisolated static func ofSystem(_ system: @escaping @MainActor (URL) -> Void) -> OpenURLAction {
        OpenURLAction(handler: { _ in .systemAction }, system: system)
    }

    /// Opens an address.
    public func callAsFunction(_ url: URL) { callAsFunction(url) { _ in } }

    /// Opens an address, and says whether it could.
    public func callAsFunction(_ url: URL, completion: @escaping (_ accepted: Bool) -> Void) {
        switch handler(url).outcome {
        case .handled: completion(true)
        case .discarded: completion(false)
        case .system(let other):
            system(other ?? url)
            completion(true)
        }
    }
}

/// Takes a sheet or page away.
@MainActor @preconcurrency public struct DismissAction: Sendable {
    nonisolated let dismiss: @MainActor () -> Void

    nonisolated init(_ dismiss: @escaping @MainActor () -> Void) { self.dismiss = dismiss }

    /// Takes it away.
    public func callAsFunction() { dismiss() }
}

/// Ends a search.
@MainActor @preconcurrency public struct DismissSearchAction: Sendable {
    nonisolated let dismiss: @MainActor () -> Void

    nonisolated init(_ dismiss: @escaping @MainActor () -> Void) { self.dismiss = dismiss }

    /// Ends it.
    public func callAsFunction() { dismiss() }
}

/// Loads something again.
public struct RefreshAction: Sendable {
    let action: @Sendable () async -> Void

    /// Loads it again, and waits until it is there.
    public func callAsFunction() async { await action() }
}

/// Why something is not shown as it is.
public struct RedactionReasons: OptionSet, Sendable {
    /// The number of the set.
    public let rawValue: Int
    /// The set with a number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// It is not loaded yet.
    public static let placeholder = RedactionReasons(rawValue: 1)
    /// It is nobody else's business.
    public static let privacy = RedactionReasons(rawValue: 2)
    /// It is out of date.
    public static let invalidated = RedactionReasons(rawValue: 4)
}

/// What goes with a change of state.
public struct Transaction {
    /// The animation of the change.
    public var animation: Animation?
    /// Whether there is to be no animation.
    public var disablesAnimations = false

    /// A transaction without an animation.
    public init() {}

    /// A transaction with an animation.
    public init(animation: Animation?) { self.animation = animation }
}

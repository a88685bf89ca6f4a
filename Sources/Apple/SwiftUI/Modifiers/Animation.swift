// SPDX-License-Identifier: Apache-2.0

/// How a change is shown.
public struct Animation: Equatable, Sendable {
    /// As usual.
    public static let `default` = Animation()
    /// Slower at both ends.
    public static let easeInOut = Animation()
    /// Slower at the beginning.
    public static let easeIn = Animation()
    /// Slower at the end.
    public static let easeOut = Animation()
    /// Evenly.
    public static let linear = Animation()
    /// As a spring.
    public static let spring = Animation()
    /// As a spring that stops softly.
    public static let smooth = Animation()
    /// As a spring that stops quickly.
    public static let snappy = Animation()
    /// Slower at both ends, in so many seconds.
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
    /// Evenly, in so many seconds.
    public static func linear(duration: TimeInterval) -> Animation { Animation() }
    /// Begins later, by so many seconds.
    public func delay(_ delay: TimeInterval) -> Animation { self }
    /// Faster, by a factor.
    public func speed(_ speed: Double) -> Animation { self }
    /// Again and again.
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
}

/// Changes something, with an animation.
public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
    try body()
}

/// How a view comes and goes.
public struct AnyTransition: Sendable {
    /// It is there, and then not.
    public static let identity = AnyTransition()
    /// It grows clear.
    public static let opacity = AnyTransition()
    /// It grows small.
    public static let scale = AnyTransition()
    /// It slides.
    public static let slide = AnyTransition()
    /// It comes from a side.
    public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
    /// As both.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
}

extension View {
    /// Shows changes of a value with an animation.
    nonisolated public func animation<V>(_ animation: Animation?, value: V) -> some View
    where V: Equatable { self }
    /// Sets how the view comes and goes.
    nonisolated public func transition(_ t: AnyTransition) -> some View { self }
}

// SPDX-License-Identifier: Apache-2.0

/// A line between views.
public struct Divider {
    /// A line between views.
    nonisolated public init() {}
}

extension Divider: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Divider: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [] }
}

/// Room between views.
public struct Spacer {
    /// How much there is at least.
    public var minLength: CGFloat?

    /// Room between views.
    nonisolated public init(minLength: CGFloat? = nil) { self.minLength = minLength }
}

extension Spacer: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Spacer: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [] }
}

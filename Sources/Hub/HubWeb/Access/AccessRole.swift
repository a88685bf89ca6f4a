// SPDX-License-Identifier: Apache-2.0

/// What a token lets its holder do; each lets do what those before it do, too.
public enum AccessRole: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Look at everything that pages show, follow it and export it.
    case read
    /// Change lamps and bulbs, too.
    case home
    /// Everything.
    case admin

    /// Whether one lets do less than another.
    public static func < (one: AccessRole, other: AccessRole) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .home: 1
        case .admin: 2
        }
    }

    /// What its holder is told who may not do something.
    var refusal: String {
        switch self {
        case .read: "This token lets you look, and change nothing. Sign in with another one."
        case .home: "This token is for lamps and bulbs alone. Sign in with another one."
        case .admin: "This is not for everybody."
        }
    }
}

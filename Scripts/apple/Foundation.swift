// SPDX-License-Identifier: Apache-2.0

// What modules that Scripts/check-apple checks use of Foundation, as we declare it.

/// As Apple's documentation has it.
public typealias TimeInterval = Double

/// As Apple's documentation has it.
public struct Date: Hashable, Comparable, Sendable {
    /// As Apple's documentation has it.
    public var timeIntervalSince1970: TimeInterval

    /// As Apple's documentation has it.
    public init() { timeIntervalSince1970 = 0 }

    /// As Apple's documentation has it.
    public init(timeIntervalSince1970: TimeInterval) { self.timeIntervalSince1970 = timeIntervalSince1970 }

    /// As Apple's documentation has it.
    public static func < (a: Date, b: Date) -> Bool { a.timeIntervalSince1970 < b.timeIntervalSince1970 }
}

/// As Apple's documentation has it.
public struct TimeZone: Hashable, Sendable {
    /// As Apple's documentation has it.
    public static var current: TimeZone { TimeZone() }

    init() {}

    /// As Apple's documentation has it.
    public init?(identifier: String) { nil }

    /// As Apple's documentation has it.
    public func secondsFromGMT(for date: Date) -> Int { 0 }

    /// As Apple's documentation has it.
    public func daylightSavingTimeOffset(for date: Date) -> TimeInterval { 0 }
}

/// As Apple's documentation has it.
public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}

extension LocalizedError {
    /// As Apple's documentation has it.
    public var errorDescription: String? { nil }
    /// As Apple's documentation has it.
    public var failureReason: String? { nil }
    /// As Apple's documentation has it.
    public var recoverySuggestion: String? { nil }
    /// As Apple's documentation has it.
    public var helpAnchor: String? { nil }
}

/// As Apple's documentation has it.
public struct CharacterSet: Sendable {
    /// As Apple's documentation has it.
    public static var whitespaces: CharacterSet { CharacterSet() }
}

extension StringProtocol {
    /// As Apple's documentation has it.
    public func trimmingCharacters(in set: CharacterSet) -> String { String(self) }
}

extension Duration {
    /// As Apple's documentation has it.
    public struct UnitsFormatStyle: Sendable {
        /// As Apple's documentation has it.
        public struct Unit: Hashable, Sendable {
            /// As Apple's documentation has it.
            public static var minutes: Unit { Unit() }
            /// As Apple's documentation has it.
            public static var seconds: Unit { Unit() }
        }

        /// As Apple's documentation has it.
        public struct UnitWidth: Hashable, Sendable {
            /// As Apple's documentation has it.
            public static var wide: UnitWidth { UnitWidth() }
        }

        /// As Apple's documentation has it.
        public static func units(allowed: Set<Unit>, width: UnitWidth) -> UnitsFormatStyle {
            UnitsFormatStyle()
        }
    }

    /// As Apple's documentation has it.
    public func formatted(_ style: UnitsFormatStyle) -> String { "" }
}

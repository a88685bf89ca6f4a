// SPDX-License-Identifier: Apache-2.0

// What modules that Scripts/check-apple checks use of Foundation, as we declare it.

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable {
    public var timeIntervalSince1970: TimeInterval

    public init() { timeIntervalSince1970 = 0 }

    public init(timeIntervalSince1970: TimeInterval) { self.timeIntervalSince1970 = timeIntervalSince1970 }

    public static func < (a: Date, b: Date) -> Bool { a.timeIntervalSince1970 < b.timeIntervalSince1970 }
}

public struct TimeZone: Hashable, Sendable {
    public static var current: TimeZone { TimeZone() }

    init() {}

    public init?(identifier: String) { nil }

    public func secondsFromGMT(for date: Date) -> Int { 0 }

    public func daylightSavingTimeOffset(for date: Date) -> TimeInterval { 0 }
}

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}

extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}

public struct CharacterSet: Sendable {
    public static var whitespaces: CharacterSet { CharacterSet() }
}

extension StringProtocol {
    public func trimmingCharacters(in set: CharacterSet) -> String { String(self) }
}

extension Duration {
    public struct UnitsFormatStyle: Sendable {
        public struct Unit: Hashable, Sendable {
            public static var minutes: Unit { Unit() }
            public static var seconds: Unit { Unit() }
        }

        public struct UnitWidth: Hashable, Sendable {
            public static var wide: UnitWidth { UnitWidth() }
        }

        public static func units(allowed: Set<Unit>, width: UnitWidth) -> UnitsFormatStyle { UnitsFormatStyle() }
    }

    public func formatted(_ style: UnitsFormatStyle) -> String { "" }
}

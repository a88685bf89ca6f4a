// SPDX-License-Identifier: Apache-2.0

/// Time between advertising events or scan windows, in units of 0.625 ms.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.8.5 and 7.8.10.
@frozen
public struct AdvertisingInterval: RawRepresentable, Hashable, Sendable {
    /// Units of 0.625 ms.
    public let rawValue: UInt16

    /// Wraps a count of units.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The nearest interval that is not longer.
    ///
    /// - Parameter milliseconds: Time in milliseconds; at most 40959.
    @inlinable
    public init(milliseconds: UInt32) {
        rawValue = UInt16(clamping: UInt64(milliseconds) &* 8 / 5)
    }

    /// The interval in microseconds.
    @inlinable
    public var microseconds: UInt64 { UInt64(rawValue) &* 625 }
}

/// Time between connection events, in units of 1.25 ms; 6 to 3200.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.8.12.
@frozen
public struct ConnectionInterval: RawRepresentable, Hashable, Sendable {
    /// Units of 1.25 ms.
    public let rawValue: UInt16

    /// Wraps a count of units.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The nearest interval that is not longer.
    ///
    /// - Parameter milliseconds: Time in milliseconds; 8 to 4000.
    @inlinable
    public init(milliseconds: UInt32) {
        rawValue = UInt16(clamping: UInt64(milliseconds) &* 4 / 5)
    }

    /// The interval in microseconds.
    @inlinable
    public var microseconds: UInt64 { UInt64(rawValue) &* 1250 }
}

/// How long a link may be silent before it is lost, in units of 10 ms; 10 to 3200.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.8.12.
@frozen
public struct SupervisionTimeout: RawRepresentable, Hashable, Sendable {
    /// Units of 10 ms.
    public let rawValue: UInt16

    /// Wraps a count of units.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The nearest timeout that is not longer.
    ///
    /// - Parameter milliseconds: Time in milliseconds; 100 to 32000.
    @inlinable
    public init(milliseconds: UInt32) { rawValue = UInt16(clamping: milliseconds / 10) }

    /// The timeout in microseconds.
    @inlinable
    public var microseconds: UInt64 { UInt64(rawValue) &* 10_000 }
}

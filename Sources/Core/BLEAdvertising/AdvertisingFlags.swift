// SPDX-License-Identifier: Apache-2.0

/// How a device can be found, and what it speaks.
///
/// Spec: CSS v11, Part A, 1.3.
@frozen
public struct AdvertisingFlags: OptionSet, Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The octet on the wire.
    public let rawValue: UInt8

    /// Wraps an octet.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Wraps an octet written in code.
    @inlinable
    public init(integerLiteral value: UInt8) { rawValue = value }

    /// It can be found for a short time only.
    public static let limitedDiscoverable = AdvertisingFlags(rawValue: 0x01)
    /// It can be found at any time.
    public static let generalDiscoverable = AdvertisingFlags(rawValue: 0x02)
    /// It speaks LE only.
    public static let noBREDR = AdvertisingFlags(rawValue: 0x04)
    /// Its controller speaks LE and BR/EDR at once.
    public static let simultaneousController = AdvertisingFlags(rawValue: 0x08)
}

/// What a device says about pairing outside of Bluetooth.
///
/// Spec: CSS v11, Part A, 1.7.
@frozen
public struct SecurityManagerFlags: OptionSet, Hashable, Sendable {
    /// The octet on the wire.
    public let rawValue: UInt8

    /// Wraps an octet.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is data for out of band pairing.
    public static let hasData = SecurityManagerFlags(rawValue: 0x01)
    /// The host speaks LE.
    public static let supportsLE = SecurityManagerFlags(rawValue: 0x02)
    /// The host speaks LE and BR/EDR at once.
    public static let simultaneousHost = SecurityManagerFlags(rawValue: 0x04)
    /// The address is random; public without.
    public static let randomAddress = SecurityManagerFlags(rawValue: 0x08)
}

/// Which roles a device can take.
///
/// Spec: CSS v11, Part A, 1.17.
@frozen
public struct LERole: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public let rawValue: UInt8

    /// Wraps an octet.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Peripheral only.
    public static let peripheralOnly = LERole(rawValue: 0)
    /// Central only.
    public static let centralOnly = LERole(rawValue: 1)
    /// Both, best as peripheral.
    public static let peripheralPreferred = LERole(rawValue: 2)
    /// Both, best as central.
    public static let centralPreferred = LERole(rawValue: 3)
}

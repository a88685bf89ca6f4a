// SPDX-License-Identifier: Apache-2.0

/// Brightness in percent, and as bulbs encode it.
public enum BulbLevel {
    /// The octet for a percentage, rounded.
    ///
    /// - Parameters:
    ///   - percent: 0 to 100; more counts as 100.
    ///   - full: The octet that means 100 %.
    /// - Returns: The octet.
    public static func octet(ofPercent percent: UInt8, full: UInt8 = 255) -> UInt8 {
        UInt8((UInt16(min(percent, 100)) * UInt16(full) + 50) / 100)
    }

    /// The percentage of an octet, rounded.
    ///
    /// - Parameters:
    ///   - octet: The octet; more than `full` counts as `full`.
    ///   - full: The octet that means 100 %; at least 1.
    /// - Returns: 0 to 100.
    public static func percent(ofOctet octet: UInt8, full: UInt8 = 255) -> UInt8 {
        let full = UInt16(max(full, 1))
        return UInt8((min(UInt16(octet), full) * 100 + full / 2) / full)
    }

    /// The octet of one scale on another, rounded.
    static func rescaled(_ octet: UInt8, from: UInt8, to: UInt8) -> UInt8 {
        let from = UInt16(max(from, 1))
        return UInt8((min(UInt16(octet), from) * UInt16(to) + from / 2) / from)
    }
}

// SPDX-License-Identifier: Apache-2.0

package import BLEWire

extension HostInstant {
    /// Adds a duration to a moment.
    ///
    /// - Parameter duration: How much later; a negative one is none.
    /// - Returns: The moment, to the microsecond; the end of time when that is past it.
    package func advanced(by duration: Duration) -> HostInstant {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return self }
        return advanced(bySeconds: UInt64(seconds))
            .advanced(byMicroseconds: UInt64(attoseconds / 1_000_000_000_000))
    }
}

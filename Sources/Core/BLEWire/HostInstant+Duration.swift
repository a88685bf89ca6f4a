// SPDX-License-Identifier: Apache-2.0

// A chip has no need of 128-bit division, which durations bring along.
#if !hasFeature(Embedded)

extension HostInstant: InstantProtocol {
    /// A later moment, or an earlier one.
    ///
    /// - Parameter duration: How much later, to the microsecond; a negative one gives an earlier moment.
    /// - Returns: The moment; the start or the end of time when that is past it.
    public func advanced(by duration: Duration) -> HostInstant {
        let (seconds, attoseconds) = duration.components
        let distance = (seconds.magnitude, attoseconds.magnitude / 1_000_000_000_000)
        let isBackwards = seconds < 0 || attoseconds < 0
        guard isBackwards else {
            return advanced(bySeconds: distance.0).advanced(byMicroseconds: distance.1)
        }
        let (product, overflow) = distance.0.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isFar) = product.addingReportingOverflow(distance.1)
        guard !overflow, !isFar, sum < microseconds else { return .zero }
        return HostInstant(microseconds: microseconds - sum)
    }

    /// How much later another moment is; negative when it is earlier.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The distance.
    public func duration(to other: HostInstant) -> Duration {
        self <= other
            ? .microseconds(Int64(clamping: other.microseconds - microseconds))
            : .zero - .microseconds(Int64(clamping: microseconds - other.microseconds))
    }

    /// A later moment.
    public static func + (moment: HostInstant, duration: Duration) -> HostInstant {
        moment.advanced(by: duration)
    }

    /// An earlier moment.
    public static func - (moment: HostInstant, duration: Duration) -> HostInstant {
        moment.advanced(by: .zero - duration)
    }

    /// How much later the first moment is than the second; negative when it is earlier.
    public static func - (later: HostInstant, earlier: HostInstant) -> Duration {
        earlier.duration(to: later)
    }
}

#endif

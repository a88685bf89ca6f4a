// SPDX-License-Identifier: Apache-2.0

/// The timing of a link.
///
/// Spec: Core v5.4, Vol 6, Part B, 4.5.1 and 4.5.2.
@frozen
public struct ConnectionParameters: Hashable, Sendable {
    /// Time between connection events.
    public var interval: ConnectionInterval
    /// Connection events that the peripheral may leave out.
    public var latency: UInt16
    /// Silence after which the link is lost.
    public var supervisionTimeout: SupervisionTimeout

    /// Makes parameters.
    @inlinable
    public init(interval: ConnectionInterval, latency: UInt16, supervisionTimeout: SupervisionTimeout) {
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }
}

/// The timing that somebody wants a link to have.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.8.18.
@frozen
public struct ConnectionParameterRange: Hashable, Sendable {
    /// The shortest interval.
    public var intervalMin: ConnectionInterval
    /// The longest interval.
    public var intervalMax: ConnectionInterval
    /// Connection events that the peripheral may leave out; 0 to 499.
    public var latency: UInt16
    /// Silence after which the link is lost.
    public var supervisionTimeout: SupervisionTimeout

    /// Makes a range.
    @inlinable
    public init(
        intervalMin: ConnectionInterval, intervalMax: ConnectionInterval, latency: UInt16 = 0,
        supervisionTimeout: SupervisionTimeout
    ) {
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    /// Whether a controller could keep to it.
    ///
    /// An interval takes 7.5 ms to 4 s, a timeout 100 ms to 32 s, and in the timeout there is room for the
    /// events that may be left out and one more, twice.
    @inlinable
    public var isValid: Bool {
        guard intervalMin.rawValue >= 6, intervalMin.rawValue <= intervalMax.rawValue,
            intervalMax.rawValue <= 3200, latency <= 499, supervisionTimeout.rawValue >= 10,
            supervisionTimeout.rawValue <= 3200
        else { return false }
        return supervisionTimeout.microseconds > (UInt64(latency) + 1) * intervalMax.microseconds * 2
    }

    /// What two sides can agree on.
    ///
    /// - Parameter limits: The intervals of the other side, and its longest latency and timeout.
    /// - Returns: The intervals that both allow, with latency and timeout as here; `nil` when there are none,
    ///   or latency or timeout exceed the other side's.
    @inlinable
    public func within(_ limits: ConnectionParameterRange) -> ConnectionParameterRange? {
        let shortest = max(intervalMin.rawValue, limits.intervalMin.rawValue)
        let longest = min(intervalMax.rawValue, limits.intervalMax.rawValue)
        guard shortest <= longest, latency <= limits.latency,
            supervisionTimeout.rawValue <= limits.supervisionTimeout.rawValue
        else { return nil }
        return ConnectionParameterRange(
            intervalMin: ConnectionInterval(rawValue: shortest),
            intervalMax: ConnectionInterval(rawValue: longest),
            latency: latency, supervisionTimeout: supervisionTimeout)
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The Wi-Fi side of an Improv device, as a machine without I/O: looks for networks, joins them and shows itself.
///
/// A chip's implementation starts its radio and brings what comes of it. Like every machine it has inputs with their
/// moment, one drain and one deadline.
public protocol ImprovStation: SendableMetatype, ~Copyable {
    /// What the station can do beside joining.
    var capabilities: ImprovCapabilities { get }

    /// Shows which device it is, by a light or a sound.
    ///
    /// - Parameter now: The moment.
    mutating func identify(at now: HostInstant)

    /// Looks for networks; ends with ``ImprovStationEvent/scanned(_:)`` or ``ImprovStationEvent/scanFailed``.
    ///
    /// - Parameter now: The moment.
    mutating func startScan(at now: HostInstant)

    /// Joins a network and keeps what it has joined with; ends with ``ImprovStationEvent/joined(url:)`` or
    /// ``ImprovStationEvent/joinFailed``, or with nothing when the network does not answer.
    ///
    /// - Parameters:
    ///   - settings: What to join with.
    ///   - now: The moment.
    mutating func join(_ settings: ImprovSettings, at now: HostInstant)

    /// Gives up joining.
    ///
    /// - Parameter now: The moment.
    mutating func leave(at now: HostInstant)

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    mutating func deadlineReached(at now: HostInstant)

    /// The next thing that happened.
    ///
    /// - Returns: The event; `nil` when there is none.
    mutating func nextEvent() -> ImprovStationEvent?

    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { get }
}

/// What happened on the Wi-Fi side of an Improv device.
public enum ImprovStationEvent: Hashable, Sendable {
    /// These networks are there.
    case scanned([ImprovNetwork])
    /// Looking for networks was not possible.
    case scanFailed
    /// The device is in the network; where to go on in a browser, if anywhere.
    case joined(url: WireText?)
    /// The device is not in the network.
    case joinFailed
}

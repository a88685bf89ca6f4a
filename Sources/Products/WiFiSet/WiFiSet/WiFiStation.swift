// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The Wi-Fi side of a device, as a machine without I/O: looks for networks, joins them and keeps credentials.
///
/// A chip's implementation starts its radio and brings what comes of it; the simulated one invents a
/// neighbourhood. Like every machine it has inputs with their moment, one drain and one deadline.
public protocol WiFiStation: SendableMetatype, ~Copyable {
    /// The last credentials with which the device has joined, as they outlive a restart.
    var stored: WiFiCredentials? { get }

    /// Keeps credentials that have not worked yet, beside the stored ones.
    ///
    /// - Parameter candidate: What to keep.
    /// - Returns: Whether it could be kept.
    mutating func keep(_ candidate: WiFiCredentials) -> Bool

    /// Makes the kept credentials the stored ones, because they have worked.
    ///
    /// - Returns: Whether that was possible.
    mutating func storeCandidate() -> Bool

    /// Forgets the kept credentials.
    mutating func dropCandidate()

    /// Looks for networks; ends with ``WiFiStationEvent/scanned(_:)`` or ``WiFiStationEvent/scanFailed``.
    ///
    /// - Parameter now: The moment.
    mutating func startScan(at now: HostInstant)

    /// Leaves the network, if any, and joins another; ends with ``WiFiStationEvent/joined(rssi:address:)``
    /// or ``WiFiStationEvent/joinFailed(_:)``, or with nothing when the network does not answer.
    ///
    /// - Parameters:
    ///   - credentials: What to join with.
    ///   - now: The moment.
    mutating func join(_ credentials: WiFiCredentials, at now: HostInstant)

    /// Leaves the network or gives up joining it.
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
    mutating func nextEvent() -> WiFiStationEvent?

    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { get }
}

/// What happened on the Wi-Fi side of a device.
public enum WiFiStationEvent: Hashable, Sendable {
    /// These networks are there.
    case scanned([WiFiNetwork])
    /// Looking for networks was not possible.
    case scanFailed
    /// The device is in the network; its strength in dBm and the device's IPv4 address, first octet on top.
    case joined(rssi: Int8, address: UInt32)
    /// The device is not in the network.
    case joinFailed(WiFiJoinError)
    /// The device was in a network and is not any more.
    case lost
}

/// Why a device could not join a network.
public enum WiFiJoinError: Hashable, Sendable {
    /// The network refused the password.
    case wrongPassword
    /// No network has this name.
    case notFound
    /// The network did not answer in time.
    case noAnswer
}

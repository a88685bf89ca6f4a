// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// A client session that sends Wi-Fi credentials to devices.
public protocol WiFiSession: ConnectableSession, ~Copyable {
    /// The protocol.
    static var kind: WiFiProtocol { get }

    /// Makes a session with one device, which does not come back to it.
    ///
    /// - Parameters:
    ///   - target: The device.
    ///   - seed: What its pauses are made from.
    init(wifiTarget target: DeviceLink.Target, seed: UInt64)

    /// Asks for the networks that the device hears.
    ///
    /// - Parameter now: The moment.
    mutating func listNetworks(at now: HostInstant)

    /// Asks for the state, if the device has not said it.
    ///
    /// - Parameter now: The moment.
    mutating func requestState(at now: HostInstant)

    /// Sends credentials.
    ///
    /// - Parameters:
    ///   - secret: The credentials; the session wipes what it keeps of them.
    ///   - now: The moment.
    /// - Throws: ``WiFiSecretError`` when they cannot be sent.
    mutating func send(_ secret: WiFiSecret, at now: HostInstant) throws(WiFiSecretError)

    /// Has the device show itself, by a light or a sound; a report follows.
    ///
    /// - Parameter now: The moment.
    /// - Returns: Whether the protocol can.
    mutating func showItself(at now: HostInstant) -> Bool

    /// Asks what the device is; a report follows.
    ///
    /// - Parameter now: The moment.
    /// - Returns: Whether the protocol can.
    mutating func describeItself(at now: HostInstant) -> Bool

    /// The report of an event, the same for all protocols.
    ///
    /// - Parameter event: The event.
    /// - Returns: The report; `nil` when it is of no interest.
    static func wifiReport(in event: Event) -> WiFiReport?
}

extension WiFiSession where Self: ~Copyable {
    /// Does nothing: the protocol has no such request.
    public mutating func showItself(at now: HostInstant) -> Bool { false }

    /// Does nothing: the protocol has no such request.
    public mutating func describeItself(at now: HostInstant) -> Bool { false }
}

/// A request to a device.
public enum WiFiRequest: Hashable, Sendable {
    /// The networks that it hears.
    case list
    /// Its state.
    case state
    /// To join a network.
    case send(WiFiSecret)
    /// To show itself, by a light or a sound.
    case identify
    /// What it is.
    case describe
}

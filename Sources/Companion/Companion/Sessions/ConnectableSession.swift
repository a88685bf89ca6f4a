// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// A client session whose link and device can be followed, whatever its product.
public protocol ConnectableSession: ClientSession, ~Copyable {
    /// The state of the link.
    var state: DeviceLink.State { get }

    /// Ends the session.
    ///
    /// - Parameter now: The moment.
    mutating func close(at now: HostInstant)

    /// The change of the link's state that an event reports, if it is one.
    static func report(in event: Event) -> DeviceLink.Report?

    /// The characteristics of the device, if an event lists them.
    static func characteristics(in event: Event) -> [BluetoothUUID]?

    /// What was wrong with something that the device sent, if an event reports that.
    static func fault(in event: Event) -> String?
}

extension ConnectableSession where Self: ~Copyable {
    /// Gives nothing: no event lists them.
    public static func characteristics(in event: Event) -> [BluetoothUUID]? { nil }

    /// Gives nothing: no event reports that.
    public static func fault(in event: Event) -> String? { nil }
}

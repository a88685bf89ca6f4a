// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLESessions
public import BLEWire
public import BluetoothLE

/// Why a connection ended before its work was done.
public enum ConnectionError: Error, Hashable, Sendable {
    /// The device was not found in time.
    case notFound
    /// The device is of another kind: what it lacks, and which characteristics it has, as far as that is known.
    case wrongDevice(missing: [BluetoothUUID], having: [BluetoothUUID])
    /// The link could not be opened or used.
    case failed(DeviceLink.Reason)
    /// The link has ended.
    case linkLost
    /// The time that the caller gave is over.
    case timeLimit(Duration)
}

/// Something to show while a connection is opened or used.
public enum ConnectionNotice: Hashable, Sendable {
    /// The state of the link.
    case state(DeviceLink.State)
    /// The device has sent something that cannot be used, and why.
    case fault(String)
}

/// How to look for a device, and for how long.
public struct ConnectionOptions: Sendable {
    /// The PHYs to scan and to connect on, as far as the radio has them.
    public var phys: Set<PHY>
    /// How long to look for the device.
    public var patience: Duration
    /// How long everything may take; `nil` for as long as it takes.
    public var limit: Duration?
    /// Has the link encrypted before anything is asked or sent on it; `nil` leaves that to the device.
    public var protection: LinkProtection?

    /// Makes options.
    public init(
        phys: Set<PHY> = [.le1M, .leCoded], patience: Duration = .seconds(10), limit: Duration? = nil,
        protection: LinkProtection? = nil
    ) {
        self.phys = phys
        self.patience = patience
        self.limit = limit
        self.protection = protection
    }
}

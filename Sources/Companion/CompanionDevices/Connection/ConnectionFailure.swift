// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
public import BluetoothLE

/// Why a connection to a device came to its end before its work was done.
public enum ConnectionFailure: Error, Hashable, Sendable {
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

/// What whoever waits for a connection may want to show meanwhile.
public enum ConnectionNotice: Hashable, Sendable {
    /// How far the link is.
    case state(DeviceLink.State)
    /// The device has sent something that cannot be used, and why.
    case fault(String)
}

/// How a device is looked for, and for how long.
public struct ConnectionOptions: Hashable, Sendable {
    /// On what to look for the device and to connect, as far as the radio can.
    public var phys: Set<PHY>
    /// How long to look for the device.
    public var patience: Duration
    /// How long everything may take; `nil` for as long as it takes.
    public var limit: Duration?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - phys: On what to look for the device and to connect.
    ///   - patience: How long to look for the device.
    ///   - limit: How long everything may take; `nil` for as long as it takes.
    public init(
        phys: Set<PHY> = [.le1M, .leCoded], patience: Duration = .seconds(10), limit: Duration? = nil
    ) {
        self.phys = phys
        self.patience = patience
        self.limit = limit
    }
}

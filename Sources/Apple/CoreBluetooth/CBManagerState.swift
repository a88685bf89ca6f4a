// SPDX-License-Identifier: Apache-2.0

// Apple may add cases to its enums, so that apps have to write `@unknown default`, and have to here, where Swift knows how to say it.

/// Whether a manager can be used.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CBManagerState: Int, Sendable {
    /// Not known yet.
    case unknown = 0
    /// The system's Bluetooth starts anew; the state changes soon.
    case resetting = 1
    /// There is no Bluetooth Low Energy here.
    case unsupported = 2
    /// The app may not use Bluetooth.
    case unauthorized = 3
    /// Bluetooth is switched off.
    case poweredOff = 4
    /// Bluetooth can be used.
    case poweredOn = 5
}

/// Whether an app may use Bluetooth.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CBManagerAuthorization: Int, Sendable {
    /// Nobody has been asked yet.
    case notDetermined = 0
    /// Nobody here can allow it.
    case restricted = 1
    /// Somebody said no.
    case denied = 2
    /// Somebody said yes.
    case allowedAlways = 3
}

/// Whether a device is connected.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CBPeripheralState: Int, Sendable {
    /// It is not.
    case disconnected = 0
    /// It is about to be.
    case connecting = 1
    /// It is.
    case connected = 2
    /// It is, but not for long.
    case disconnecting = 3
}

/// Whether a device answers a write.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CBCharacteristicWriteType: Int, Sendable {
    /// It says whether it has written.
    case withResponse = 0
    /// It says nothing.
    case withoutResponse = 1
}

/// How soon a central gets what it is sent, which costs energy.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CBPeripheralManagerConnectionLatency: Int, Sendable {
    /// Soon.
    case low = 0
    /// Neither soon nor late.
    case medium = 1
    /// Late.
    case high = 2
}

/// What has happened to the connection of a device that the app asked about.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CBConnectionEvent: Int, Sendable {
    /// It was closed.
    case peerDisconnected = 0
    /// It was made.
    case peerConnected = 1
}

// SPDX-License-Identifier: Apache-2.0

// What Apple has replaced, and apps still name.

/// Whether a central manager can be used.
@available(*, deprecated, message: "Use CBManagerState.")
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CBCentralManagerState: Int, Sendable {
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

/// Whether a peripheral manager can be used.
@available(*, deprecated, message: "Use CBManagerState.")
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CBPeripheralManagerState: Int, Sendable {
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

/// Whether an app may share data over Bluetooth in the background.
@available(*, deprecated, message: "Use CBManagerAuthorization.")
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CBPeripheralManagerAuthorizationStatus: Int, Sendable {
    /// Nobody has been asked yet.
    case notDetermined = 0
    /// Nobody here can allow it.
    case restricted = 1
    /// Somebody said no.
    case denied = 2
    /// Somebody said yes.
    case authorized = 3
}

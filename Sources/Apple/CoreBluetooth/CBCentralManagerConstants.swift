// SPDX-License-Identifier: Apache-2.0

// What a central manager takes as options, and what it restores.

/// Whether people are told that Bluetooth is off: an `NSNumber`.
public let CBCentralManagerOptionShowPowerAlertKey: String = "kCBInitOptionShowPowerAlert"

/// Under which name the system keeps the manager's state: a `String`.
public let CBCentralManagerOptionRestoreIdentifierKey: String = "kCBInitOptionRestoreIdentifier"

/// Whether the manager serves devices for media alone: an `NSNumber`.
public let CBCentralManagerOptionDeviceAccessForMedia: String = "kCBInitOptionDeviceAccessForMedia"

/// Whether each advertisement is told: an `NSNumber`.
public let CBCentralManagerScanOptionAllowDuplicatesKey: String = "kCBScanOptionAllowDuplicates"

/// Services that the devices look for: an array of ``CBUUID``.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey: String = "kCBScanOptionSolicitedServiceUUIDs"

/// Whether people are told of a connection while the app is away: an `NSNumber`.
public let CBConnectPeripheralOptionNotifyOnConnectionKey: String = "kCBConnectOptionNotifyOnConnection"

/// Whether people are told of its end while the app is away: an `NSNumber`.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey: String = "kCBConnectOptionNotifyOnDisconnection"

/// Whether people are told of values that come while the app is away: an `NSNumber`.
public let CBConnectPeripheralOptionNotifyOnNotificationKey: String = "kCBConnectOptionNotifyOnNotification"

/// Seconds to wait before the connection is made: an `NSNumber`.
public let CBConnectPeripheralOptionStartDelayKey: String = "kCBConnectOptionStartDelay"

/// Whether a connection over classic Bluetooth is made, too: an `NSNumber`.
public let CBConnectPeripheralOptionEnableTransportBridgingKey: String =
    "kCBConnectOptionEnableTransportBridging"

/// Whether the device needs the phone's notifications: an `NSNumber`.
public let CBConnectPeripheralOptionRequiresANCS: String = "kCBConnectOptionRequiresANCS"

/// Whether a lost connection is made again: an `NSNumber`.
public let CBConnectPeripheralOptionEnableAutoReconnect: String = "kCBConnectOptionEnableAutoReconnect"

/// The devices that were connected, or about to be: an array of ``CBPeripheral``.
public let CBCentralManagerRestoredStatePeripheralsKey: String = "kCBRestoredPeripherals"

/// The services that were scanned for: an array of ``CBUUID``.
public let CBCentralManagerRestoredStateScanServicesKey: String = "kCBRestoredScanServices"

/// The options of the scan: a dictionary.
public let CBCentralManagerRestoredStateScanOptionsKey: String = "kCBRestoredScanOptions"

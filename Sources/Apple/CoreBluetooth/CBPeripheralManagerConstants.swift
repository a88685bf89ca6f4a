// SPDX-License-Identifier: Apache-2.0

// What a peripheral manager takes as options, and what it restores.

/// Whether people are told that Bluetooth is off: an `NSNumber`.
public let CBPeripheralManagerOptionShowPowerAlertKey: String = "kCBInitOptionShowPowerAlert"

/// Under which name the system keeps the manager's state: a `String`.
public let CBPeripheralManagerOptionRestoreIdentifierKey: String = "kCBInitOptionRestoreIdentifier"

/// The services that were published: an array of ``CBMutableService``.
public let CBPeripheralManagerRestoredStateServicesKey: String = "kCBRestoredServices"

/// What was advertised: a dictionary.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey: String = "kCBRestoredAdvertisement"

// SPDX-License-Identifier: Apache-2.0

// Whoever imports BluetoothLE has all that an app needs: addresses and UUIDs, advertising data, error codes, services.
@_exported public import BLEATT
@_exported public import BLEAdvertising
@_exported public import BLEGATT
@_exported public import BLESMP
@_exported public import BLEWire

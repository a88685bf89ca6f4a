// SPDX-License-Identifier: Apache-2.0

// An app that has a hub names what the hub gives it without importing module after module.
@_exported public import BLEWire
@_exported public import BluetoothLE
@_exported public import Companion
@_exported public import CompanionStore
@_exported public import Detections
@_exported public import FlockFinder
@_exported public import HubModel
@_exported public import LEDBulb
@_exported public import LEDBulbCompanion
@_exported public import Nightlight
@_exported public import NightlightCompanion

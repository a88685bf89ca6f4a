// SPDX-License-Identifier: Apache-2.0

// Whoever makes a radio of our own stack has all of BluetoothLE, and what opens a transport.
@_exported public import BLETransport
@_exported public import BluetoothLE

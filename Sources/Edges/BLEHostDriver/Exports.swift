// SPDX-License-Identifier: Apache-2.0

// Whoever makes a radio of our own stack has all of BluetoothLE, what opens a transport, and what a host is configured with.
@_exported public import BLEHost
@_exported public import BLETransport
@_exported public import BluetoothLE

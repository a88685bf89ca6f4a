// SPDX-License-Identifier: Apache-2.0

// Whoever uses the system's radio has all of BluetoothLE, and what a host is configured with.
@_exported public import BLEHostDriver

// SPDX-License-Identifier: Apache-2.0

// Whoever makes a virtual air has what lives on it, and radios: a test of an app needs no other import.
@_exported public import BLEHostDriver
@_exported public import BLESimulation

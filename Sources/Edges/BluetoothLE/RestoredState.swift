// SPDX-License-Identifier: Apache-2.0

/// What the system kept of an app's radio while the app did not run, as it was when the radio was opened.
///
/// `Radio.coreBluetooth(restoring:)` asks for it; no other radio outlives its program.
public struct RestoredState: Equatable, Sendable {
    /// Devices with an open link.
    ///
    /// ``Radio/connect(to:_:)`` takes it up at once; values that were subscribed to wait for whoever
    /// subscribes again.
    public var connected: [Peer] = []
    /// Devices that the system waits for; ``Radio/connect(to:_:)`` without a timeout goes on waiting.
    public var connecting: [Peer] = []
    /// The services that a scan named; `nil` where there was none.
    ///
    /// The scan has ended: scan again to hear of all devices once more.
    public var scannedServices: [BluetoothUUID]?

    package init() {}
}

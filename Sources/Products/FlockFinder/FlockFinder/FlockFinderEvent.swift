// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// What a FlockFinder client reports.
public enum FlockFinderEvent: Hashable, Sendable {
    /// The link's state has changed.
    case state(DeviceLink.Report)
    /// A detection came.
    case detection(Detection)
    /// Something came that cannot be used; listening goes on.
    case parseError(DetectionError, raw: [UInt8])
    /// An object of the live stream came: valid JSON from `{` to `}`.
    case stream([UInt8])
    /// The MTU of the link is now this, in octets.
    case mtu(Int)
    /// A command was written, or why it could not be.
    case command(WireText, GATTRequestError?)
    /// Advice to the person.
    case advice(FlockFinderAdvice)
}

/// Advice to the person.
///
/// Spec: Documentation/Protocols/flockfinder.md, Errors.
public enum FlockFinderAdvice: Hashable, Sendable {
    /// Bluetooth is off.
    case bluetoothOff
    /// This program may not use Bluetooth.
    case unauthorized
    /// The link was lost or could not be opened; the next try comes after this many milliseconds, if ever.
    case noLink(retryMilliseconds: UInt64?)
    /// The device lacks characteristics of a FlockFinder.
    case characteristicsMissing([BluetoothUUID])
    /// The device fits but refused to send its detections.
    case notListening(GATTRequestError)
}

/// Commands that the documentation or real firmware knows.
///
/// Spec: Documentation/Protocols/flockfinder.md, Commands.
public enum FlockFinderCommand {
    /// Keeps the link alive.
    public static let ping: WireText = "PING"
    /// Asks for the device's state.
    public static let status: WireText = "STATUS"
    /// Sets the device's counters to zero.
    public static let reset: WireText = "RESET"
    /// Switches the live stream on.
    public static let streamOn: WireText = "stream_on"
    /// Switches the live stream off.
    public static let streamOff: WireText = "stream_off"

    /// All of them.
    public static let all = [ping, status, reset, streamOn, streamOff]
}

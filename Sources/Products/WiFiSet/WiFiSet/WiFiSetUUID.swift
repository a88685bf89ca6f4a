// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The UUIDs of a WiFiSet device.
///
/// The service is shared with other products, so a device is known by its three characteristics.
///
/// Spec: Documentation/Protocols/wifiset.md, Services and characteristics.
public enum WiFiSetUUID {
    /// The service; countless other devices have it, too.
    public static let service = BluetoothUUID(high: 0x4faf_c201_1fb5_459e, low: 0x8fcc_c5c9_c331_914b)
    /// The networks that the device hears; read, notify.
    public static let wifiList = BluetoothUUID(high: 0x4faf_c202_1fb5_459e, low: 0x8fcc_c5c9_c331_914b)
    /// Credentials and requests for the device; write.
    public static let credentialWrite = BluetoothUUID(
        high: 0x4faf_c203_1fb5_459e, low: 0x8fcc_c5c9_c331_914b)
    /// The state of the device's Wi-Fi, acknowledgments and errors; read, notify.
    public static let status = BluetoothUUID(high: 0x4faf_c204_1fb5_459e, low: 0x8fcc_c5c9_c331_914b)
}

/// What WiFiSet devices call themselves.
public enum WiFiSetName {
    /// The name that real firmware has by default.
    public static let device: WireText = "ESP32-WiFiSet"
}

/// The protocol's times and limits.
///
/// Spec: Documentation/Protocols/wifiset.md, Times.
public enum WiFiSetLimit {
    /// Octets of an SSID.
    public static let ssid = 32
    /// Octets of a password.
    public static let password = 63
    /// Octets of a message's header.
    public static let header = 4
    /// Octets of the longest payload, that of an Error.
    public static let payload = 257
    /// How long the rest of a message may take, in seconds.
    public static let assemblySeconds: UInt64 = 5
    /// How long a list may take, in seconds.
    public static let listSeconds: UInt64 = 30
    /// Networks of a list: its end counts them in an octet.
    public static let networks = 255
    /// How often a list is asked for.
    public static let listTries = 3
    /// How long an acknowledgment may take, in seconds.
    public static let acknowledgmentSeconds: UInt64 = 5
    /// How often credentials are written.
    public static let acknowledgmentTries = 3
    /// How long joining a network may take, in seconds.
    public static let joinSeconds: UInt64 = 30
    /// The MTU from which every message but the longest errors fits one notification.
    public static let comfortableMTU = 128
}

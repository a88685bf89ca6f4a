// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The UUIDs of an Improv device.
///
/// Spec: Improv via BLE 2.2, GATT Services.
public enum ImprovUUID {
    /// The service, which an Improv device has to advertise.
    public static let service = uuid(0)
    /// How far the device is; read, notify.
    public static let state = uuid(1)
    /// What was wrong with the last command; read, notify.
    public static let error = uuid(2)
    /// For commands; write.
    public static let command = uuid(3)
    /// Answers of commands; read, notify.
    public static let result = uuid(4)
    /// What the device can do; read.
    public static let capabilities = uuid(5)
    /// Under what the state and the capabilities stand in the advertisement.
    public static let serviceData = BluetoothUUID(0x4677)

    private static func uuid(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0x0046_7768_6228_2272, low: 0x4663_2774_7826_8000 + number)
    }
}

/// The protocol's times and limits; where the standard has none, they are ours.
///
/// Spec: Documentation/Protocols/improv.md, Times.
public enum ImprovLimit {
    /// Octets of an SSID.
    public static let ssid = 32
    /// Octets of a password; 64 are a WPA key in hexadecimal digits.
    public static let password = 64
    /// Octets of data of a command or result.
    public static let data = 255
    /// How long the rest of a command or result may take, in seconds.
    public static let assemblySeconds: UInt64 = 2
    /// How long a press of the button authorizes, in seconds.
    public static let authorizationSeconds: UInt64 = 60
    /// How long joining a network may take, in seconds.
    public static let joinSeconds: UInt64 = 60
    /// How long the device may take to answer what needs no Wi-Fi, in seconds.
    public static let answerSeconds: UInt64 = 5
    /// How long the device may take to look for networks, in seconds.
    public static let scanSeconds: UInt64 = 30
    /// How long after one result of a scan another may follow, in seconds.
    public static let nextResultSeconds: UInt64 = 1
    /// How long after the state the result may come, in seconds.
    public static let addressSeconds: UInt64 = 2
    /// Networks that a client keeps.
    public static let networks = 255
    /// Networks that a device sends, the strongest.
    public static let sentNetworks = 40
    /// Commands of a client that may wait.
    public static let commands = 8
}

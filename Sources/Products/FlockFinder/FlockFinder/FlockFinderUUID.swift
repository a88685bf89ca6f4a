// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The UUIDs of a FlockFinder device.
///
/// The service is shared with other products, so a device is known by its three characteristics.
///
/// Spec: Documentation/Protocols/flockfinder.md, Services and characteristics.
public enum FlockFinderUUID {
    /// The service; countless other devices have it, too.
    public static let service = BluetoothUUID(high: 0x4faf_c201_1fb5_459e, low: 0x8fcc_c5c9_c331_914b)
    /// Detections, one JSON object each; notify.
    public static let detection = BluetoothUUID(high: 0xbeb5_483e_36e1_4688, low: 0xb7f5_ea07_361b_26a8)
    /// Commands as text; write.
    public static let command = BluetoothUUID(high: 0xbeb5_483e_36e1_4688, low: 0xb7f5_ea07_361b_26a9)
    /// What the device hears, one JSON object each; notify.
    public static let stream = BluetoothUUID(high: 0xbeb5_483e_36e1_4688, low: 0xb7f5_ea07_361b_26aa)
}

/// What FlockFinder devices call themselves.
public enum FlockFinderName {
    /// The name of a properly configured device.
    public static let device: WireText = "FlockFinder-S3"
}

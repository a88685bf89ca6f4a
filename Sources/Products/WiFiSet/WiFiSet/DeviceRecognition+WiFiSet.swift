// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire

extension DeviceRecognition {
    /// How WiFiSet devices are recognized.
    ///
    /// Spec: Documentation/Protocols/wifiset.md, Services and characteristics.
    public static let wifiSet = DeviceRecognition(
        services: [WiFiSetUUID.service], names: ["wifiset"], possibleNames: ["esp32"], beginnings: ["WiFiSet"]
    )
}

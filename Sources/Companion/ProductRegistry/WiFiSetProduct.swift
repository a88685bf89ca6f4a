// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire
import WiFiSet

/// WiFiSet, as the list of products knows it.
public final class WiFiSetProduct: Product {
    /// Its device's name on the command line.
    public let name = "wifiset"
    /// How its devices are recognized.
    public let recognition: DeviceRecognition? = .wifiSet
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.wifiSet

    /// Describes the product.
    public init() {}
}

extension UUIDNames {
    /// A WiFiSet device's.
    static let wifiSet = UUIDNames(
        services: [(WiFiSetUUID.service, "WiFiSet")],
        characteristics: [
            (WiFiSetUUID.wifiList, "WiFiSet WiFi List"),
            (WiFiSetUUID.credentialWrite, "WiFiSet Credential Write"),
            (WiFiSetUUID.status, "WiFiSet Status"),
        ])
}

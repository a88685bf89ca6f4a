// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WiFiSet

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

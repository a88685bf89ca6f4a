// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEWire
import WiFiSet

extension LinkCheck {
    static func wifiSet() {
        var client = WiFiSetClient(options: WiFiSetClient.Options())
        use(client: &client)
        var host = DeviceHost(WiFiSetDevice(station: DeafStation()))
        use(host: &host)
    }
}

/// A Wi-Fi radio that hears nothing.
private struct DeafStation: WiFiStation, ~Copyable, Sendable {
    var stored: WiFiCredentials? { nil }
    var nextDeadline: HostInstant? { nil }

    mutating func keep(_ candidate: WiFiCredentials) -> Bool { false }
    mutating func storeCandidate() -> Bool { false }
    mutating func dropCandidate() {}
    mutating func startScan(at now: HostInstant) {}
    mutating func join(_ credentials: WiFiCredentials, at now: HostInstant) {}
    mutating func leave(at now: HostInstant) {}
    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextEvent() -> WiFiStationEvent? { nil }
}

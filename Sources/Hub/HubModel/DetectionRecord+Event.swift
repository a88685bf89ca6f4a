// SPDX-License-Identifier: Apache-2.0

import FlockFinder

extension DetectionRecord {
    /// The event `detection` as scripts get it: one JSON object without a line end.
    ///
    /// Keys: event, id, type, label, mac, ssid, rssi, confidence, proximity, device_time, device_uptime_ms,
    /// received, latitude, longitude, extra.
    public var eventJSON: String {
        var json = JSONWriter()
        json.object { json in
            json.field("event", "detection")
            json.field("id", id)
            json.field("type", sighting.type.slugString)
            json.field("label", sighting.label)
            json.field("mac", sighting.mac)
            json.field("ssid", sighting.ssid)
            json.field("rssi", sighting.rssi)
            json.field("confidence", sighting.confidence)
            json.field("proximity", proximity.slugString)
            json.field("device_time", deviceClock)
            json.field("device_uptime_ms", deviceUptime)
            json.field("received", sighting.received)
            json.field("latitude", sighting.position?.latitude)
            json.field("longitude", sighting.position?.longitude)
            json.key("extra")
            json.json(sighting.extra.utf8)
        }
        return json.text
    }

    /// What the device's clock said, when it knows the time.
    public var deviceClock: Timestamp? {
        guard case .unix(let seconds) = sighting.deviceTime else { return nil }
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? nil : Timestamp(milliseconds: milliseconds)
    }

    /// Milliseconds since the device was switched on, when that is what its clock counts.
    public var deviceUptime: Int64? {
        guard case .uptime(let milliseconds) = sighting.deviceTime else { return nil }
        return milliseconds
    }
}

// SPDX-License-Identifier: Apache-2.0

import FlockFinder

extension DetectionRecord {
    /// The event `detection` as scripts get it: one JSON object without a line end.
    ///
    /// Keys: event, id, type, label, mac, ssid, rssi, confidence, proximity, device_time, device_uptime_ms,
    /// received, latitude, longitude, extra.
    public var eventJSON: String { sighting.eventJSON(id: id) }

    /// What the device's clock said, when it knows the time.
    public var deviceClock: Timestamp? { sighting.deviceClock }

    /// Milliseconds since the device was switched on, when that is what its clock counts.
    public var deviceUptime: Int64? { sighting.deviceUptime }
}

extension Sighting {
    /// The event `detection` as ``DetectionRecord/eventJSON`` has it.
    ///
    /// - Parameter id: The record's number; `nil` for what is not stored.
    /// - Returns: One JSON object without a line end.
    public func eventJSON(id: Int64?) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("event", "detection")
            json.field("id", id)
            json.field("type", type.keywordString)
            json.field("label", label)
            json.field("mac", mac)
            json.field("ssid", ssid)
            json.field("rssi", rssi)
            json.field("confidence", confidence)
            json.field("proximity", Detection.Proximity(rssi: rssi).keywordString)
            json.field("device_time", deviceClock)
            json.field("device_uptime_ms", deviceUptime)
            json.field("received", received)
            json.field("latitude", position?.latitude)
            json.field("longitude", position?.longitude)
            json.key("extra")
            json.json(extra.utf8)
        }
        return json.text
    }

    /// What the device's clock said, when it knows the time.
    var deviceClock: Timestamp? {
        guard case .unix(let seconds) = deviceTime else { return nil }
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? nil : Timestamp(milliseconds: milliseconds)
    }

    /// Milliseconds since the device was switched on, when that is what its clock counts.
    var deviceUptime: Int64? {
        guard case .uptime(let milliseconds) = deviceTime else { return nil }
        return milliseconds
    }
}

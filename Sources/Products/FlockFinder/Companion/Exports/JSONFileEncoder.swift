// SPDX-License-Identifier: Apache-2.0

/// Detections as one JSON object, a line for each detection.
struct JSONFileEncoder: Sendable {
    private var isFirst = true

    func begin(_ heading: ExportHeading, count: Int, into octets: inout [UInt8]) {
        var json = JSONWriter()
        json.object { json in
            json.field("export_date", heading.date)
            json.field("app_version", heading.appVersion)
            json.field("total_detections", count)
            json.key("detections")
            json.array { _ in }
        }
        // The rows go where the empty array and the object close.
        octets.append(contentsOf: json.octets.dropLast(2))
    }

    mutating func append(_ record: DetectionRecord, into octets: inout [UInt8]) {
        let sighting = record.sighting
        var json = JSONWriter()
        json.object { json in
            json.field("id", record.id)
            json.field("device_type", sighting.label)
            json.field("mac_address", sighting.mac)
            json.field("ssid", sighting.ssid)
            json.field("rssi", sighting.rssi)
            json.field("confidence", sighting.confidence)
            json.key("location")
            json.object { json in
                json.field("latitude", sighting.position?.latitude)
                json.field("longitude", sighting.position?.longitude)
            }
            json.key("motion")
            json.object { json in
                json.field("speed", sighting.motion.speed)
                json.field("heading", sighting.motion.heading)
                json.field("activity", sighting.motion.activity)
            }
            json.field("timestamp", sighting.received)
        }
        octets.append(contentsOf: isFirst ? "\n".utf8 : ",\n".utf8)
        isFirst = false
        octets.append(contentsOf: json.octets)
    }

    func end(into octets: inout [UInt8]) { octets.append(contentsOf: "\n]}\n".utf8) }
}

// SPDX-License-Identifier: Apache-2.0

import Companion

/// Detections with a position as features of one collection, a line for each detection.
///
/// Spec: RFC 7946.
struct GeoJSONEncoder: Sendable {
    private var count = 0

    func begin(into octets: inout [UInt8]) {
        octets.append(contentsOf: #"{"type":"FeatureCollection","features":["#.utf8)
    }

    mutating func append(_ record: DetectionRecord, into octets: inout [UInt8]) -> Bool {
        let sighting = record.sighting
        guard let position = sighting.position else { return false }
        octets.append(contentsOf: count == 0 ? "\n".utf8 : ",\n".utf8)
        count += 1
        // Behind what is there, without a copy of it.
        var own: [UInt8] = []
        swap(&own, &octets)
        var json = JSONWriter(behind: consume own)
        json.object { json in
            json.field("type", "Feature")
            json.field("id", record.id)
            json.key("geometry")
            json.object { json in
                json.field("type", "Point")
                json.key("coordinates")
                json.array { json in
                    json.value(position.longitude)
                    json.value(position.latitude)
                }
            }
            json.key("properties")
            json.object { json in
                json.field("device_type", sighting.label)
                json.field("mac_address", sighting.mac)
                json.field("ssid", sighting.ssid)
                json.field("rssi", sighting.rssi)
                json.field("confidence", sighting.confidence)
                json.field("timestamp", sighting.received)
                json.field("speed", sighting.motion.speed)
                json.field("heading", sighting.motion.heading)
                json.field("activity", sighting.motion.activity)
                json.key("key")
                json.value(record.key)
                json.field("mark", record.mark == .none ? nil : record.mark.rawValue)
                json.field("note", record.note.isEmpty ? nil : record.note)
                let fix = sighting.knownFix
                json.field("fix_source", fix?.sourceWord)
                json.field("fix_age_ms", fix?.age)
                json.field("accuracy", fix?.accuracy)
                // Not in the coordinates: those count from the ellipsoid.
                json.field("altitude", fix?.altitude)
            }
        }
        octets = json.finish()
        return true
    }

    func end(into octets: inout [UInt8]) { octets.append(contentsOf: "\n]}\n".utf8) }
}

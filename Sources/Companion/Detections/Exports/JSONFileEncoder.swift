// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// Detections as one JSON object, a line for each detection.
struct JSONFileEncoder: Sendable {
    private var count = 0

    func begin(_ heading: ExportHeading, into octets: inout [UInt8]) {
        var json = JSONWriter()
        json.object { json in
            json.field("export_date", heading.date)
            json.field("app_version", heading.appVersion)
            json.key("detections")
            json.array { _ in }
        }
        // The rows go where the empty array and the object close.
        octets.append(contentsOf: json.octets.dropLast(2))
    }

    mutating func append(_ record: DetectionRecord, into octets: inout [UInt8]) {
        let sighting = record.sighting
        octets.append(contentsOf: count == 0 ? "\n".utf8 : ",\n".utf8)
        count += 1
        // Behind what is there, without a copy of it.
        var own: [UInt8] = []
        swap(&own, &octets)
        var json = JSONWriter(behind: consume own)
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
            if let fix = sighting.knownFix { Self.write(fix, &json) }
            json.field("timestamp", sighting.received)
            json.key("key")
            json.value(record.key)
            json.field("mark", record.mark == .none ? nil : record.mark.rawValue)
            json.field("note", record.note.isEmpty ? nil : record.note)
            let device = sighting.device.map(Peer.init)
            json.field("address", device.flatMap { $0.isAnonymous ? nil : $0.plain })
            json.field("address_kind", device?.kindWord)
            json.key("octets")
            json.value(octets: sighting.raw.isEmpty ? nil : sighting.raw)
            // What the octets say, too; written where it is known.
            if let clock = sighting.deviceClock { json.field("device_time", clock) }
            if let uptime = sighting.deviceUptime { json.field("device_uptime_ms", uptime) }
            if sighting.extra != "{}" {
                json.key("extra")
                json.json(sighting.extra.utf8)
            }
        }
        octets = json.finish()
    }

    /// Writes what is known of a fix.
    private static func write(_ fix: FixDetails, _ json: inout JSONWriter) {
        json.key("fix")
        json.object { json in
            if let source = fix.sourceWord { json.field("source", source) }
            if let age = fix.age { json.field("age_ms", age) }
            if let accuracy = fix.accuracy { json.field("accuracy", accuracy) }
            if let altitude = fix.altitude { json.field("altitude", altitude) }
        }
    }

    func end(into octets: inout [UInt8]) {
        // Behind the rows: it is not known before how many are still there when their turn comes.
        octets.append(contentsOf: "\n],\"total_detections\":\(count)}\n".utf8)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import FlockFinder

/// A camera or sensor was noticed.
///
/// Its time is when the detection was received.
public struct DetectionEvent: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "detection"
    /// When it happens.
    public static let summary: StaticString = "A FlockFinder device has noticed a camera or sensor."

    /// The number under which it is stored; `nil` for what is not.
    public let id: Int64?
    /// What was seen.
    public let sighting: Sighting

    /// Makes the event of a stored detection.
    ///
    /// - Parameter record: The detection.
    public init(_ record: DetectionRecord) {
        id = record.id
        sighting = record.sighting
    }

    /// Makes the event of a detection that is not stored.
    ///
    /// - Parameter sighting: The detection.
    public init(unstored sighting: Sighting) {
        id = nil
        self.sighting = sighting
    }

    /// The event as one JSON object, without a line end.
    public var json: [UInt8] { json(at: sighting.received) }

    /// The estimated distance of what was noticed.
    public var proximity: Detection.Proximity { Detection.Proximity(rssi: sighting.rssi) }

    /// Declares its fields.
    public static func describe(_ shape: inout EventShape<Self>) {
        shape.integer("id", "The number under which it is stored; null when it is not.") { $0.id }
        shape.word("type", "What kind of device it is.", of: DetectionType.allCases.map { $0.keywordString })
        {
            $0.sighting.type.keywordString
        }
        shape.text("label", "The kind as the device calls it.") { $0.sighting.label }
        shape.text("mac", "The MAC address of what was noticed.") { $0.sighting.mac }
        shape.text("ssid", "The Wi-Fi or Bluetooth name of what was noticed.") { $0.sighting.ssid }
        shape.integer("rssi", "How strong it was, in dBm.") { $0.sighting.rssi }
        shape.number("confidence", "How sure the device is, 0 to 1.") { $0.sighting.confidence }
        shape.word(
            "proximity", "How far away it probably is.",
            of: Detection.Proximity.allCases.map { $0.keywordString }
        ) { $0.proximity.keywordString }
        shape.time("device_time", "What the device's clock said, when it knows the time.") {
            $0.sighting.deviceClock
        }
        shape.integer("device_uptime_ms", "The device's clock, when it counts from when it was switched on.")
        {
            $0.sighting.deviceUptime
        }
        shape.time("received", "When it was received: the event's time.") { $0.sighting.received }
        shape.number("latitude", "Where it was received, in degrees north.") {
            $0.sighting.position?.latitude
        }
        shape.number("longitude", "Where it was received, in degrees east.") {
            $0.sighting.position?.longitude
        }
        shape.number("speed", "How fast the receiver was, in metres a second.") {
            $0.sighting.motion.speed
        }
        shape.number("heading", "Where to it moved, in degrees from north, clockwise.") {
            $0.sighting.motion.heading
        }
        shape.text("activity", "How it moved, in one word.") { $0.sighting.motion.activity }
        shape.device { $0.sighting.device.map(Peer.init) }
        shape.anything("extra", "The keys that the protocol does not name, as one object.") {
            Array($0.sighting.extra.utf8)
        }
        shape.octets("octets", "The detection as received; empty when it was imported.") { $0.sighting.raw }
    }
}

extension DetectionRecord {
    /// What the device's clock said, when it knows the time.
    public var deviceClock: Timestamp? { sighting.deviceClock }

    /// Milliseconds since the device was switched on, when that is what its clock counts.
    public var deviceUptime: Int64? { sighting.deviceUptime }
}

extension Sighting {
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

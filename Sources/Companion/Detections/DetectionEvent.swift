// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
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
    /// The number of its source; `nil` for what is not stored.
    public let source: Int64?
    /// Whether its source was first heard within a day; `nil` for what is not stored.
    public let isNew: Bool?
    /// What a person has said about its source.
    public let mark: SourceMark
    /// A camera nearby that others know, where somebody has looked for one.
    public var knownNearby: KnownNearby?
    /// Whether people are to be alerted to it now.
    public var raisesAlert = false

    /// Makes the event of a stored detection.
    ///
    /// - Parameters:
    ///   - record: The detection.
    ///   - now: The time; `nil` when it has just been received.
    public init(_ record: DetectionRecord, at now: Timestamp? = nil) {
        id = record.id
        sighting = record.sighting
        source = record.source
        let time = now ?? record.sighting.received
        isNew = record.sourceFirstSeen.map {
            time.milliseconds - $0.milliseconds < SourceJSON.newMilliseconds
        }
        mark = record.mark
    }

    /// Makes the event of a detection that is not stored.
    ///
    /// - Parameter sighting: The detection.
    public init(unstored sighting: Sighting) {
        id = nil
        self.sighting = sighting
        source = nil
        isNew = nil
        mark = .none
    }

    /// The event as one JSON object, without a line end.
    public var json: [UInt8] { json(at: sighting.received) }

    /// The estimated distance of what was noticed.
    public var proximity: Detection.Proximity { Detection.Proximity(rssi: sighting.rssi) }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "The number under which it is stored; null when it is not.") { $0.id }
        schema.word("type", "What kind of device it is.", of: DetectionType.allCases.map { $0.keywordString })
        {
            $0.sighting.type.keywordString
        }
        schema.text("label", "The kind as the device calls it.") { $0.sighting.label }
        schema.text("mac", "The MAC address of what was noticed.") { $0.sighting.mac }
        schema.text("ssid", "The Wi-Fi or Bluetooth name of what was noticed.") { $0.sighting.ssid }
        schema.integer("rssi", "How strong it was, in dBm.") { $0.sighting.rssi }
        schema.number("confidence", "How sure the device is, 0 to 1.") { $0.sighting.confidence }
        schema.word(
            "proximity", "How far away it probably is.",
            of: Detection.Proximity.allCases.map { $0.keywordString }
        ) { $0.proximity.keywordString }
        schema.time("device_time", "What the device's clock said, when it knows the time.") {
            $0.sighting.deviceClock
        }
        schema.integer("device_uptime_ms", "The device's clock, when it counts from when it was switched on.")
        {
            $0.sighting.deviceUptime
        }
        schema.time("received", "When it was received: the event's time.") { $0.sighting.received }
        schema.number("latitude", "Where it was received, in degrees north.") {
            $0.sighting.position?.latitude
        }
        schema.number("longitude", "Where it was received, in degrees east.") {
            $0.sighting.position?.longitude
        }
        schema.number("speed", "How fast the receiver was, in metres a second.") {
            $0.sighting.motion.speed
        }
        schema.number("heading", "Where to it moved, in degrees from north, clockwise.") {
            $0.sighting.motion.heading
        }
        schema.text("activity", "How it moved, in one word.") { $0.sighting.motion.activity }
        schema.object("fix", "How the place is known; null where there is none, or where nobody has said.") {
            $0.sighting.knownFix
        }
        schema.device { $0.sighting.device.map(Peer.init) }
        schema.anything("extra", "The keys that the protocol does not name, as one object.") {
            Array($0.sighting.extra.utf8)
        }
        schema.octets("octets", "The detection as received; empty when it was imported.") { $0.sighting.raw }
        schema.integer("source", "The number of its source; null when it is not stored.") { $0.source }
        schema.flag("new", "Whether its source was first received within a day; null when it is not stored.")
        {
            $0.isNew
        }
        schema.flag("mine", "Whether somebody has said that the source is their own.") { $0.mark == .mine }
        schema.flag("muted", "Whether somebody has muted the source.") { $0.mark == .muted }
        schema.flag("false_alarm", "Whether somebody has said that the source is something else.") {
            $0.mark == .falseAlarm
        }
        schema.flag(
            "alert", "Whether it raises an alert, which pages show; only in the stream of a hub's events."
        ) {
            $0.raisesAlert
        }
        schema.object(
            "known_nearby",
            "The nearest camera that others know within 100 m; null where there is none, and in lists and streams."
        ) { $0.knownNearby }
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

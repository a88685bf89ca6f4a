// SPDX-License-Identifier: Apache-2.0

public import Companion
import FlockFinder

/// A source as pages show it.
public struct SourceJSON: EventPart, Hashable, Sendable {
    /// How long a source counts as new, in milliseconds: a day.
    public static let newMilliseconds: Int64 = 86_400_000

    /// The source.
    public let source: DetectionSource
    /// How sure the device was at its last detection, 0 to 1; `nil` when there is none any more.
    public let confidence: Double?
    /// Its Wi-Fi or Bluetooth name at its last detection; `nil` when that has none.
    public let name: String?
    /// Whether it was first heard within a day.
    public let isNew: Bool

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - confidence: How sure the device was at its last detection.
    ///   - name: Its name at its last detection; `nil` for the one that it is told by, if any.
    ///   - now: The time.
    public init(_ source: DetectionSource, confidence: Double?, name: String?, at now: Timestamp) {
        self.source = source
        self.confidence = confidence
        self.name = name ?? source.ssid
        isNew = now.milliseconds - source.firstSeen.milliseconds < Self.newMilliseconds
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "Its number, never used twice.") { $0.source.id }
        schema.word("type", "What kind of device it is.", of: DetectionType.allCases.map { $0.keywordString })
        {
            $0.source.type.keywordString
        }
        schema.text("label", "The kind as the device called it last.") { $0.source.label }
        schema.text("mac", "Its MAC address, where it is told by that.") { $0.source.mac }
        schema.flag("mac_random", "Whether its MAC address was made up, so that it may come as another one.")
        {
            $0.source.isRandomized
        }
        schema.text("ssid", "Its Wi-Fi or Bluetooth name at its last detection.") { $0.name }
        schema.number("confidence", "How sure the device was last, 0 to 1; null when nothing of it is kept.")
        {
            $0.confidence
        }
        schema.integer("count", "How many detections of it there are.") { $0.source.count }
        schema.integer("rssi", "How strong it was at best, in dBm.") { $0.source.strongest }
        schema.number("latitude", "Where it was heard best, in degrees north.") {
            $0.source.strongestPlace?.position.latitude
        }
        schema.number("longitude", "Where it was heard best, in degrees east.") {
            $0.source.strongestPlace?.position.longitude
        }
        schema.object("place", "Where it probably stands; null when it has no place.") {
            $0.source.estimate
        }
        schema.time("first", "When it was received first.") { $0.source.firstSeen }
        schema.time("last", "When it was received last.") { $0.source.lastSeen }
        schema.flag("new", "Whether it was first received within a day.") { $0.isNew }
        schema.flag("mine", "Whether somebody has said that it is their own.") { $0.source.mark == .mine }
        schema.flag("muted", "Whether somebody has muted it.") { $0.source.mark == .muted }
        schema.flag("false_alarm", "Whether somebody has said that it is something else.") {
            $0.source.mark == .falseAlarm
        }
        schema.text("note", "What somebody has noted; empty when nothing.") { $0.source.note }
    }
}

extension DetectionSource {
    /// Its MAC address, where it is told by that.
    public var mac: String? { if case .address(let mac) = identity { mac } else { nil } }

    /// Its SSID or name, where it is told by that.
    public var ssid: String? { if case .name(let name) = identity { name } else { nil } }
}

/// Somebody has said something about a source.
public struct SourceChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "source_changed"
    /// When it happens.
    public static let summary: StaticString = "Somebody has marked a source, or noted something about it."

    /// The source as it is now.
    public let source: SourceJSON

    /// Makes the event.
    public init(_ source: SourceJSON) { self.source = source }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("source", "The source as it is now.") { $0.source }
    }
}

/// Detections that were deleted are there again.
public struct DetectionsRestored: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "detections_restored"
    /// When it happens.
    public static let summary: StaticString = "Detections that were deleted are there again."

    /// Their numbers.
    public let ids: [Int64]

    /// Makes the event.
    public init(_ ids: [Int64]) { self.ids = ids }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.list("restored", "The numbers that are there again.") { $0.ids }
    }
}

// SPDX-License-Identifier: Apache-2.0

public import Companion
public import FlockFinder

/// A sighting that is stored, with its number.
public struct DetectionRecord: Hashable, Sendable, Identifiable {
    /// Its number: 1 or more, higher than that of every record stored before, never used twice.
    public let id: Int64
    /// What was seen.
    public let sighting: Sighting

    /// What names it in every file; `nil` when it is not known.
    public let key: DetectionKey?
    /// The number of its source; `nil` when it is not known.
    public let source: Int64?
    /// When its source was received first; `nil` when it is not known.
    public let sourceFirstSeen: Timestamp?
    /// The mark that a person has given its source.
    public var mark: SourceMark
    /// What a person has noted about its source; empty when nothing.
    public var note: String

    /// Makes a record.
    public init(
        id: Int64,
        sighting: Sighting,
        key: DetectionKey? = nil,
        source: Int64? = nil,
        sourceFirstSeen: Timestamp? = nil,
        mark: SourceMark = .none,
        note: String = ""
    ) {
        self.id = id
        self.sighting = sighting
        self.key = key
        self.source = source
        self.sourceFirstSeen = sourceFirstSeen
        self.mark = mark
        self.note = note
    }

    /// The same with every character of its texts escaped that could end a line, steer a terminal or hide what is there.
    var printable: DetectionRecord {
        var sighting = sighting
        sighting.label = PrintableText.escaped(sighting.label)
        sighting.mac = sighting.mac.map { PrintableText.escaped($0) }
        sighting.ssid = sighting.ssid.map { PrintableText.escaped($0) }
        sighting.motion.activity = sighting.motion.activity.map { PrintableText.escaped($0) }
        return DetectionRecord(
            id: id, sighting: sighting, key: key, source: source, sourceFirstSeen: sourceFirstSeen,
            mark: mark,
            note: PrintableText.escaped(note))
    }

    /// The estimated distance of what was noticed.
    public var proximity: Detection.Proximity { Detection.Proximity(rssi: sighting.rssi) }
}

/// Octets that came from a device and could not be understood.
public struct ParseFailure: Hashable, Sendable {
    /// When they were received.
    public var received: Timestamp
    /// Why they could not be understood.
    public var reason: String
    /// The octets.
    public var raw: [UInt8]

    /// Makes a failure.
    public init(received: Timestamp, reason: String, raw: [UInt8]) {
        self.received = received
        self.reason = reason
        self.raw = raw
    }
}

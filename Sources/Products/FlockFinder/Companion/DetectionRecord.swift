// SPDX-License-Identifier: Apache-2.0

public import FlockFinder

/// A sighting that is stored, with its number.
public struct DetectionRecord: Hashable, Sendable, Identifiable {
    /// Its number: 1 or more, higher than that of every record stored before, never used twice.
    public let id: Int64
    /// What was seen.
    public let sighting: Sighting

    /// Makes a record.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - sighting: What was seen.
    public init(id: Int64, sighting: Sighting) {
        self.id = id
        self.sighting = sighting
    }

    /// How far away what was noticed probably is.
    public var proximity: Detection.Proximity { Detection.Proximity(rssi: sighting.rssi) }

    /// Where it stands among the records in order of receive time.
    public var cursor: Cursor { Cursor(received: sighting.received, id: id) }

    /// A place between records in order of receive time; those of one millisecond are in order of number.
    public struct Cursor: Hashable, Sendable {
        /// The receive time of the record at which it stands.
        public let received: Timestamp
        /// The number of the record at which it stands.
        public let id: Int64

        /// Makes a cursor.
        ///
        /// - Parameters:
        ///   - received: A record's receive time.
        ///   - id: Its number.
        public init(received: Timestamp, id: Int64) {
            self.received = received
            self.id = id
        }
    }
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
    ///
    /// - Parameters:
    ///   - received: When they were received.
    ///   - reason: Why they could not be understood.
    ///   - raw: The octets.
    public init(received: Timestamp, reason: String, raw: [UInt8]) {
        self.received = received
        self.reason = reason
        self.raw = raw
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire
public import Companion
public import Detections
public import FlockFinder
public import FlockFinderCompanion

/// An event of a client, with the time at which it came.
public struct TimedEvent: Sendable {
    /// The event.
    public var event: FlockFinderEvent
    /// When it came.
    public var time: Timestamp

    /// Makes an event.
    public init(event: FlockFinderEvent, time: Timestamp) {
        self.event = event
        self.time = time
    }
}

/// Stores the detections among a client's events, then turns the events into reports to show.
///
/// One task at a time may call it, as ``FlockFinderRecorder`` does.
public actor FlockRecorder {
    /// Stores detections and octets that could not be understood, in one commit; when it returns they are durable.
    ///
    /// It returns the record of each sighting, in order; `nil` where one breaks a rule and is kept as octets that could
    /// not be understood. `DetectionDatabase.save(each:failures:)` of CompanionStore is one.
    public typealias Store =
        @Sendable ([Sighting], [ParseFailure]) async throws(StoreError) -> [DetectionRecord?]

    /// What was received so far.
    public struct Tally: Hashable, Sendable {
        /// Detections stored.
        public var detections = 0
        /// Detections stored, by kind.
        public var kinds: [DetectionType: Int] = [:]
        /// Octets that could not be understood.
        public var parseErrors = 0
        /// Whether a device has ever been connected and ready.
        public var wasConnected = false
        /// Whether a link to a device was ever tried.
        public var wasTried = false
        /// Whether the radio was gone, also when it came back.
        public var wasRadioLost = false
        /// Commands that were written on request.
        public var commandsWritten = 0
        /// Why the last command could not be written.
        public var commandFailure: GATTRequestError?
        /// What the device said when it did not know a command.
        public var refusal: String?
        /// The last advice.
        public var advice: FlockFinderAdvice?

        /// Makes a tally of nothing.
        public init() {}
    }

    /// What was received so far.
    public private(set) var tally = Tally()
    private let store: Store?
    private let limit: Int?
    private let keeps: @Sendable (Detection) -> Bool
    private let place: @Sendable (Timestamp) -> LocationSample?
    private let stored: @Sendable ([DetectionRecord]) -> Void
    private var peer: Peer?

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - store: Stores detections; without it they are only shown.
    ///   - limit: After how many detections the rest is dropped.
    ///   - place: Where this radio was at a time, and how it moved.
    ///   - stored: Gets the detections once they are stored; `PlaceRecorder.receive(_:)` of Locating is one.
    ///   - keeps: Whether somebody wants a detection; others are dropped, as if they had not come.
    public init(
        into store: Store? = nil,
        limit: Int? = nil,
        place: @escaping @Sendable (Timestamp) -> LocationSample? = { _ in nil },
        stored: @escaping @Sendable ([DetectionRecord]) -> Void = { _ in },
        keeps: @escaping @Sendable (Detection) -> Bool = { _ in true }
    ) {
        self.store = store
        self.limit = limit
        self.keeps = keeps
        self.place = place
        self.stored = stored
    }

    /// Whether as many detections have come as were wanted.
    public var isFull: Bool { limit.map { tally.detections >= $0 } ?? false }

    /// Stores detections and parse errors in one commit, and returns what to show.
    ///
    /// - Parameter events: What came, in order.
    /// - Returns: What to show, in the same order.
    /// - Throws: ``StoreError``; then nothing of the events may be shown.
    public func receive(_ events: [TimedEvent]) async throws(StoreError) -> [FlockReport] {
        var sightings: [Sighting] = []
        var failures: [ParseFailure] = []
        // With holes where the detections will stand.
        var reports: [FlockReport?] = []
        for timed in events {
            let content: FlockReport.Content?
            switch timed.event.usable {
            case .detection(let detection):
                guard keeps(detection), limit.map({ tally.detections + sightings.count < $0 }) ?? true else {
                    continue
                }
                // By the wall clock, which may have been set since the session was made.
                let place = place(timed.time)
                sightings.append(
                    Sighting(
                        detection, received: timed.time, device: peer?.address, position: place?.position,
                        motion: place?.motion ?? Sighting.Motion(), fix: place?.fix))
                content = nil
            case .parseError(let error, let raw):
                let failure = ParseFailure(received: timed.time, reason: "\(error)", raw: raw)
                failures.append(failure)
                content = .parseError(FlockParseError(peer, failure))
            case .state(let report):
                note(report)
                content = .state(LinkStateChanged(report))
            case .stream(let octets):
                let object = FlockStreamObject(peer, octets)
                // It may overtake the answer to the write.
                tally.refusal = object.refusal ?? tally.refusal
                content = .stream(object)
            case .command(let command, let failure):
                if let failure { tally.commandFailure = failure } else { tally.commandsWritten += 1 }
                content = .command(FlockCommandWritten(peer, command, failure: failure))
            case .advice(let advice):
                tally.advice = advice
                content = .notice(FlockNotice(peer, advice))
            case .mtu: continue
            }
            reports.append(content.map { FlockReport(timed.time, $0) })
        }
        var records: [DetectionRecord?]? = []
        if !sightings.isEmpty || !failures.isEmpty { records = try await store?(sightings, failures) }
        if let records { stored(records.compactMap(\.self)) }
        tally.parseErrors += failures.count
        var contents = sightings.enumerated().map { index, sighting in
            content(of: sighting, records.map { $0[index] })
        }[...]
        return reports.compactMap { report in
            report ?? contents.popFirst().map { FlockReport($0.0, $0.1) }
        }
    }

    /// What to show of a sighting.
    ///
    /// - Parameters:
    ///   - sighting: The sighting.
    ///   - record: Its record, `nil` when it was refused; all of it `nil` when nothing is kept.
    /// - Returns: When it came, and what it is.
    private func content(
        of sighting: Sighting, _ record: DetectionRecord??
    ) -> (Timestamp, FlockReport.Content) {
        if case .some(nil) = record {
            tally.parseErrors += 1
            let failure = ParseFailure(
                received: sighting.received, reason: "it breaks a rule of the database", raw: sighting.raw)
            return (sighting.received, .parseError(FlockParseError(peer, failure)))
        }
        tally.detections += 1
        tally.kinds[sighting.type, default: 0] += 1
        let event = record?.map { DetectionEvent($0) } ?? DetectionEvent(unstored: sighting)
        return (sighting.received, .detection(event))
    }

    private func note(_ report: DeviceLink.Report) {
        if let peer = report.peer { self.peer = peer }
        switch report.state {
        case .connecting: tally.wasTried = true
        case .connected: tally.wasConnected = true
        case .bluetoothOff: tally.wasRadioLost = true
        default: break
        }
    }
}

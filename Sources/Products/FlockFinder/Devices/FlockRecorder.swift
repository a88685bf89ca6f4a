// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import FlockFinder
import Companion

/// Where detections are kept.
protocol DetectionSink: Sendable {
    /// Stores sightings in one commit; when this returns they are durable.
    func save(_ sightings: [Sighting]) async throws(StoreError) -> [DetectionRecord]

    /// Stores octets that could not be understood, in one commit.
    func save(_ failures: [ParseFailure]) async throws(StoreError)
}

/// What is shown of an event.
enum FlockNews: Hashable, Sendable {
    /// The link's state has changed.
    case state(DeviceLink.Report)
    /// A detection came and is stored.
    case detection(DetectionRecord)
    /// Something came that cannot be used; it is kept.
    case parseError(ParseFailure)
    /// An object of the live stream came.
    case stream([UInt8])
    /// A command was written, or why it could not be.
    case command(WireText, RequestFailure?)
    /// Something that the person should do or know.
    case advice(FlockFinderAdvice)
}

/// An event with the moment at which it came.
struct TimedEvent: Sendable {
    /// What came.
    var event: FlockFinderEvent
    /// When.
    var time: Timestamp
}

/// Turns a client's events into news, and stores what must be stored before it is shown.
struct FlockRecorder: Sendable {
    /// What has come so far.
    struct Tally: Hashable, Sendable {
        /// Detections stored.
        var detections = 0
        /// Detections stored, by kind.
        var kinds: [DetectionType: Int] = [:]
        /// What came and could not be used.
        var parseErrors = 0
        /// Whether a device has ever been connected and ready.
        var wasConnected = false
        /// Whether a link to a device was ever tried.
        var wasTried = false
        /// Whether the radio was gone, also when it came back.
        var wasRadioLost = false
        /// Commands written because the person wanted so.
        var commandsWritten = 0
        /// Why the last command could not be written.
        var commandFailure: RequestFailure?
        /// The last advice.
        var advice: FlockFinderAdvice?
    }

    /// What has come so far.
    private(set) var tally = Tally()
    private let sink: any DetectionSink
    private let limit: Int?
    private let place: @Sendable (Timestamp) -> Position?
    private var device: BluetoothAddress?

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - sink: Where detections are kept.
    ///   - limit: After how many detections the rest is dropped.
    ///   - place: Where we were at a moment.
    init(
        into sink: any DetectionSink,
        limit: Int? = nil,
        place: @escaping @Sendable (Timestamp) -> Position? = { _ in nil }
    ) {
        self.sink = sink
        self.limit = limit
        self.place = place
    }

    /// Whether as many detections have come as were wanted.
    var isFull: Bool { limit.map { tally.detections >= $0 } ?? false }

    /// Stores what is to be stored, all in one commit, and then says what to show.
    ///
    /// - Parameter events: What came, in order.
    /// - Returns: What to show, in the same order.
    /// - Throws: ``StoreError``; then nothing of the events may be shown.
    mutating func take(_ events: [TimedEvent]) async throws(StoreError) -> [FlockNews] {
        var sightings: [Sighting] = []
        var failures: [ParseFailure] = []
        // The news with holes where the records will stand.
        var news: [FlockNews?] = []
        for timed in events {
            switch timed.event {
            case .detection(let detection):
                guard limit.map({ tally.detections + sightings.count < $0 }) ?? true else { continue }
                // By the wall clock, which may have been set since the session was made.
                sightings.append(
                    Sighting(detection, received: timed.time, device: device, position: place(timed.time)))
                news.append(nil)
            case .parseError(let error, let raw):
                let failure = ParseFailure(received: timed.time, reason: "\(error)", raw: raw)
                failures.append(failure)
                news.append(.parseError(failure))
            case .state(let report):
                note(report)
                news.append(.state(report))
            case .stream(let octets): news.append(.stream(octets))
            case .command(let command, let failure):
                if let failure { tally.commandFailure = failure } else { tally.commandsWritten += 1 }
                news.append(.command(command, failure))
            case .advice(let advice):
                tally.advice = advice
                news.append(.advice(advice))
            case .mtu: break
            }
        }
        var records: ArraySlice<DetectionRecord> = []
        if !sightings.isEmpty { records = try await sink.save(sightings)[...] }
        if !failures.isEmpty { try await sink.save(failures) }
        tally.detections += sightings.count
        for sighting in sightings { tally.kinds[sighting.type, default: 0] += 1 }
        tally.parseErrors += failures.count
        return news.compactMap { $0 ?? records.popFirst().map(FlockNews.detection) }
    }

    private mutating func note(_ report: DeviceLink.Report) {
        if let address = report.peer?.address { device = address }
        if report.state == .connecting { tally.wasTried = true }
        if report.state == .connected { tally.wasConnected = true }
        if report.state == .bluetoothOff { tally.wasRadioLost = true }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import Detections
import FlockFinder
import FlockFinderCompanion
import FlockFinderDevices
import Synchronization

@testable import CommandIO

/// A sink that notes what happens, and stores when it is told.
actor NotingSink {
    private(set) var commits: [[String]] = []
    private(set) var failureCommits: [Int] = []
    private(set) var keeps = 0
    private var count: Int64 = 0
    private let log: HappeningLog?
    private let failure: StoreError?

    init(log: HappeningLog? = nil, failure: StoreError? = nil) {
        self.log = log
        self.failure = failure
    }

    func save(
        _ sightings: [Sighting], _ failures: [ParseFailure]
    ) async throws(StoreError) -> [DetectionRecord?] {
        if let failure { throw failure }
        if !sightings.isEmpty { commits.append(sightings.map { $0.ssid ?? "" }) }
        if !failures.isEmpty { failureCommits.append(failures.count) }
        keeps += 1
        let records = sightings.map { sighting in
            count += 1
            return DetectionRecord(id: count, sighting: sighting)
        }
        for record in records { log?.note("stored \(record.id)") }
        return records
    }
}

/// What happened, in order.
final class HappeningLog: Sendable {
    private let happenings = Mutex<[String]>([])

    var all: [String] { happenings.withLock { $0 } }

    func note(_ happening: String) { happenings.withLock { $0.append(happening) } }
}

/// An output whose text can be looked at.
final class TextOutput: Sendable {
    private let octets = Mutex<[UInt8]>([])

    var text: String { octets.withLock { String(decoding: $0, as: UTF8.self) } }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    func output(_ terminal: Terminal = .none) -> Output {
        Output(terminal: terminal) { new throws(OutputError) in self.octets.withLock { $0 += new } }
    }
}

extension Terminal {
    static func plain(columns: Int) -> Terminal {
        Terminal(isInteractive: true, hasColor: false, columns: columns, rows: 24)
    }
}

extension Detection {
    static func numbered(_ number: Int) -> Detection {
        Detection(
            type: .flockSafety, label: "Flock Safety", mac: 0x588E_8100_0000 + UInt64(number),
            ssid: WireText("n\(number)"), rssi: -60, confidence: 0.9, raw: Array("{}".utf8))
    }
}

extension FlockReport {
    init(_ content: Content) { self.init(.noon, content) }

    static func state(_ report: DeviceLink.Report) -> FlockReport {
        FlockReport(.state(LinkStateChanged(report)))
    }
    static func detection(_ record: DetectionRecord) -> FlockReport {
        FlockReport(record.sighting.received, .detection(DetectionEvent(record)))
    }
    static func parseError(_ failure: ParseFailure) -> FlockReport {
        FlockReport(.parseError(FlockParseError(Peer(device), failure)))
    }
    static func stream(_ text: String) -> FlockReport {
        FlockReport(.stream(FlockStreamObject(Peer(device), Array(text.utf8))))
    }
    static func command(_ command: WireText, _ failure: GATTRequestError?) -> FlockReport {
        FlockReport(.command(FlockCommandWritten(Peer(device), command, failure: failure)))
    }
    static func notice(_ advice: FlockFinderAdvice) -> FlockReport {
        FlockReport(.notice(FlockNotice(nil, advice)))
    }
}

extension Timestamp {
    static let noon = Timestamp("2026-11-21T12:00:00.000Z") ?? Timestamp(milliseconds: 0)
}

func timed(_ events: FlockFinderEvent...) -> [TimedEvent] {
    events.map { TimedEvent(event: $0, time: .noon) }
}

func detected(_ number: Int) -> FlockFinderEvent { .detection(.numbered(number)) }

let device = BluetoothAddress(0xC0FF_EEF1_0C01, kind: .random)

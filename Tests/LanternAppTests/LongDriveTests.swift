// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import Foundation
import LanternApp
import Testing

/// A long drive with the app open: its hub, and the models of the screens that follow what is noticed.
@Suite("The app on a long drive", .timeLimit(.minutes(10)), .serialized) @MainActor struct LongDriveTests {
    /// A detection a second for an hour; the hub takes what is in its store, whoever has put it there, so that an hour is a
    /// minute here.
    ///
    /// In a process of its own: memory is counted, and other tests have theirs.
    @Test func aDetectionASecondForAnHourLeavesMemoryFlat() async {
        await #expect(processExitsWith: .success) { try await Drive.anHour() }
    }
}

/// Detections one after the other, a second apart.
@MainActor private final class Drive {
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)
    private let bench: AppBench
    private let history: HistoryModel
    private var count = 0

    init(_ bench: AppBench, _ history: HistoryModel) { (self.bench, self.history) = (bench, history) }

    /// Drives for an hour, and counts what of it stays in memory.
    static func anHour() async throws {
        let bench = try await AppBench { [] }
        let scanner = ScannerModel(bench.app), history = HistoryModel(bench.app)
        let debug = DebugModel(bench.app)
        let following = [
            Task { await scanner.run() }, Task { await history.run() }, Task { await debug.run() },
        ]
        try await bench.until { bench.app.state != nil }
        let drive = Drive(bench, history)
        // What is kept within bounds is full then: events, rows, statements, pages of the database.
        drive.fillFeed()
        try await drive.go(on: 600)
        let before = HeapSize.now
        try await drive.go(on: 3600)
        let grown = HeapSize.now - before
        // Less than half of one detection for each that came.
        #expect(grown < 3600 * 256, "\(grown) octets more for 3600 detections, of \(before)")
        #expect(try await bench.app.hub.store.count() == 4200)
        #expect(debug.lines.count == DebugModel.limit)
        #expect(scanner.detections.count == ScannerModel.latest && history.sources?.count == 100)
        for task in following { task.cancel() }
        try await bench.end()
    }

    /// Stores a minute of them at a time, and waits until the history has them.
    func go(on seconds: Int) async throws {
        for _ in 0..<seconds / 60 {
            let minute = (count..<count + 60).map(sighting)
            _ = try await bench.app.hub.store.save(minute)
            count += 60
            try await bench.until { history.counts.all == count / 2 }
        }
    }

    /// Has the feed hold as much as it keeps.
    func fillFeed() {
        for number in 0..<9000 {
            bench.app.hub.feed.publish(DetectionEvent(unstored: sighting(number)), at: bench.app.hub.now)
        }
    }

    /// Each is heard twice.
    private func sighting(_ number: Int) -> Sighting {
        let mac = String(format: "58:8E:81:00:%02X:%02X", (number / 2) >> 8, (number / 2) & 255)
        let types = DetectionType.allCases
        let type = types[number / 2 % types.count]
        let extra = "{\"channel\":\(number % 13),\"method\":\"probe\"}"
        return Sighting(
            type: type, label: type.labelString, mac: mac, ssid: "FLOCK-\(number / 2)",
            rssi: -100 + number % 60, confidence: 0.8,
            received: Timestamp(milliseconds: Self.start.milliseconds + Int64(number) * 1000),
            position: Position(latitude: 52.5 + Double(number) / 50_000, longitude: 13.4), extra: extra,
            raw: Array(extra.utf8))
    }
}

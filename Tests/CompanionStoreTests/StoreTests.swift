// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import GRDB
import Testing

@testable import CompanionStore

@Suite struct StoreTests {
    private let store: DetectionDatabase
    init() throws { store = try DetectionDatabase() }

    @Test func everythingComesBack() async throws {
        let full = Sighting(
            type: .raven, label: "Raven\u{0}(Gunshot)", mac: "AA:BB:CC:DD:EE:FF",
            ssid: "e\u{301}\u{0}\u{1F4F7}\r\n",
            rssi: -127, confidence: 0.1 + 0.2, deviceTime: .unix(seconds: 1_704_307_200),
            received: Timestamp(milliseconds: 1_704_307_201_234),
            position: Position(latitude: -0.1, longitude: 180),
            motion: Sighting.Motion(speed: 0, heading: 360, activity: "dri\u{0}ving"),
            extra: "{\"a\":[1,\"\\u0000\"]}",
            raw: [0, 255, 10, 13], device: BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random))
        var empty = Sighting.sample(ssid: "")
        empty.label = ""
        empty.raw = []
        // The largest whole number that every program reads alike.
        empty.deviceTime = .uptime(milliseconds: 9_007_199_254_740_991)
        empty.device = BluetoothAddress(1, kind: .public)
        var bare = Sighting.sample(ssid: nil)
        bare.device = BluetoothAddress(2, kind: .anonymous)
        for sighting in [full, empty, bare] {
            let saved = try await store.save(sighting)
            let read = try await store.record(id: saved.id)
            #expect(saved.sighting == sighting)
            #expect(saved.key != nil && saved.source != nil)
            #expect(read == saved)
            #expect(read.map { Array($0.sighting.label.utf8) } == Array(sighting.label.utf8))
            #expect(read?.sighting.ssid.map { Array($0.utf8) } == sighting.ssid.map { Array($0.utf8) })
        }
        #expect(try await store.record(id: 4) == nil)
    }

    @Test func hostileTextComesBackAndIsFound() async throws {
        var random = SplitMix64(seed: 11)
        let pieces = [
            "'", "\"", "%", "_", "\\", "*", "(", ")", "AND", "NEAR", ";--", "é", "😀", "\n", "ab", "^", "-",
        ]
        let sightings = (0..<500).map { number -> Sighting in
            let text = (0..<4).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            return .sample(number, ssid: text)
        }
        let saved = try await store.save(sightings)
        #expect(try await store.records(page: DetectionPage(order: .oldestFirst)) == saved)
        for sighting in sightings.prefix(100) {
            let text = try #require(sighting.ssid)
            let found = try await store.records(matching: DetectionFilter(text: text))
            #expect(
                Set(found.map(\.sighting.ssid))
                    == Set(sightings.map(\.ssid).filter { $0?.contains(text) == true }))
        }
    }

    @Test func refusesSightingsThatAreNotFit() async throws {
        for bad in [
            Sighting.sample(rssi: 21), .sample(rssi: -128), .sample(confidence: 1.01),
            .sample(confidence: .nan),
            .sample(mac: "aa:bb:cc:dd:ee:ff"),
        ] {
            let error = await #expect(throws: StoreError.self) { try await store.save(bad) }
            guard case .refused = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try await store.count() == 0)
    }

    @Test func aBatchIsStoredWhollyOrNotAtAll() async throws {
        await #expect(throws: StoreError.self) {
            try await store.save([.sample(1), .sample(2), .sample(rssi: 99)])
        }
        // This one only the table refuses, after two rows.
        await #expect(throws: StoreError.self) {
            try await store.save([.sample(1), .sample(2), .sample(extra: "[]")])
        }
        #expect(try await store.count() == 0)
        #expect(try await store.save([]) == [])
        #expect(try await store.save([.sample(1), .sample(2)]).map(\.id) == [1, 2])
    }

    @Test func deletesRowsAndWhatWasDerived() async throws {
        _ = try await store.save((0..<10).map { .sample($0, ssid: "camera\u{0}x", at: (1, 1)) })
        #expect(try await store.delete(ids: [3, 11, 5, 3, -1]) == [3, 5])
        #expect(try await store.delete(ids: []) == [])
        #expect(try await store.count() == 8)
        #expect(try await store.count(matching: DetectionFilter(text: "amer")) == 8)
        try await store.deriveAll()
        #expect(try await store.derivedTablesFit())
        #expect(try await store.delete(ids: Array(1...10)).count == 8)
        try await store.deriveAll()
        #expect(try await store.derivedTablesFit())
        #expect(try await store.save(.sample()).id == 11, "A number is never used twice.")
    }

    @Test func keepsTheNewestTenThousandParseFailures() async throws {
        let failure = ParseFailure(
            received: Timestamp(milliseconds: 5), reason: "is not JSON", raw: [1, 2, 3])
        try await store.save(failure)
        try await store.connections.write { database in
            try database.execute(sql: "UPDATE sqlite_sequence SET seq = 12000 WHERE name = 'parse_error'")
        }
        try await store.save(failure)
        #expect(try await store.parseFailureCount() == 1)
    }

    @Test func derivedTablesFollowLargeCommits() async throws {
        let saved = try await store.save(
            (0..<700).map { .sample($0, ssid: "FLOCK-\($0)", at: (50, Double($0) / 100)) })
        // Whether derived yet or not, the answer is the same; one row from each end is deleted meanwhile.
        #expect(try await store.count(matching: DetectionFilter(text: "flock-69")) == 11)
        #expect(try await store.delete(ids: [1, 700]) == [1, 700])
        #expect(try await store.count(matching: DetectionFilter(text: "flock-69")) == 10)
        let near = try #require(
            Position(latitude: 50, longitude: 6.985).flatMap { Vicinity(center: $0, metres: 400) })
        #expect(try await store.records(matching: DetectionFilter(near: near)).map(\.id) == [699])
        try await store.deriveAll()
        #expect(try await store.count(matching: DetectionFilter(text: "flock-69")) == 10)
        #expect(try await store.records(matching: DetectionFilter(near: near)).map(\.id) == [699])
        #expect(saved.count == 700)
        try await store.deriveAll()
        #expect(try await store.derivedTablesFit())
    }

    @Test(arguments: ExportFormat.allCases)
    func exportsWhatIsWanted(format: ExportFormat) async throws {
        let macs = ["AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02"]
        _ = try await store.save([
            .sample(1, mac: macs[0], at: (1, 1)), .sample(2, type: .ring),
            .sample(3, mac: macs[1], at: (2, 2)),
        ])
        let summary = try await store.export(
            matching: DetectionFilter(types: [.flockSafety]), as: format,
            heading: ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1")
        ) { octets in #expect(!String(decoding: octets, as: UTF8.self).contains("Ring")) }
        #expect(summary.written == 2)
    }
}

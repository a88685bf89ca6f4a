// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder
import GRDB
import Testing

@testable import CompanionStore

@Suite struct FilterTests {
    private static let sightings: [Sighting] = [
        .sample(
            1, type: .flockSafety, ssid: "FLOCK-S3", mac: "AA:BB:CC:00:00:01", confidence: 0.9,
            at: (52.52, 13.405)),
        .sample(2, type: .ring, ssid: "Ring Doorbell", confidence: 0.5, at: (52.521, 13.405)),
        .sample(3, type: .unknown, ssid: nil, confidence: 0.45, extra: "{\"fw\":\"9.1\"}"),
        .sample(
            4, type: .raven, ssid: "", mac: "AA:BB:CC:00:00:02", confidence: 1, received: 500,
            at: (0, 179.9999)),
        .sample(
            5, type: .flockSafety, ssid: "ÉCLAIR 50%_off\\", confidence: 0, received: 1002, at: (0, -179.9999)
        ),
    ]

    @Test(
        arguments: [
            (DetectionFilter(), [3, 5, 2, 1, 4]),
            (DetectionFilter(types: [.ring]), [2]),
            (DetectionFilter(types: [.flockSafety, .raven]), [5, 1, 4]),
            (DetectionFilter(types: [.axis]), []),
            (DetectionFilter(since: Timestamp(milliseconds: 1002)), [3, 5, 2]),
            (DetectionFilter(until: Timestamp(milliseconds: 1002)), [1, 4]),
            (
                DetectionFilter(since: Timestamp(milliseconds: 1001), until: Timestamp(milliseconds: 1003)),
                [5, 2, 1]
            ),
            (DetectionFilter(minimumConfidence: 0.5), [2, 1, 4]),
            (DetectionFilter(minimumConfidence: 1), [4]),
            (DetectionFilter(text: ""), [3, 5, 2, 1, 4]),
            (DetectionFilter(text: "flock"), [5, 1]),
            (DetectionFilter(text: "FLOCK-S3"), [1]),
            (DetectionFilter(text: "bb:cc:00"), [1, 4]),
            (DetectionFilter(text: "éclair"), [5]),
            (DetectionFilter(text: "9.1"), [3]),
            (DetectionFilter(text: "in"), [2]),
            (DetectionFilter(text: "\""), []),
            (DetectionFilter(text: "{"), []),
            (DetectionFilter(text: "%"), [5]),
            (DetectionFilter(text: "_"), [5]),
            (DetectionFilter(text: "\\"), [5]),
            (DetectionFilter(text: "50%_off\\"), [5]),
            (DetectionFilter(text: "\" OR 1 --"), []),
            (DetectionFilter(text: "a\u{0}"), []),
            (DetectionFilter(types: [.flockSafety], minimumConfidence: 0.5, text: "flock"), [1]),
        ] as [(DetectionFilter, [Int])])
    func findsWhatFits(filter: DetectionFilter, numbers: [Int]) async throws {
        let store = try await filled()
        #expect(try await store.records(matching: filter).map { Int($0.id) } == numbers)
        #expect(try await store.count(matching: filter) == numbers.count)
    }

    @Test(arguments: ["éclair", "ÉCLAIR", "Éc", "éC", "straße", "STRASSE", "ΣΊΣΥΦΟΣ", "σίσυφος", "к", "K"])
    func caseIsFoldedInTheSameWayBeforeAndAfterTheIndexHasARow(text: String) async throws {
        let store = try DetectionDatabase()
        _ = try await store.save(
            ["ÉCLAIR", "éclair", "Straße", "STRASSE", "ΣΊΣΥΦΟΣ", "σίσυφος", "Kamera К", "\u{212A}2"].map {
                .sample(ssid: $0)
            })
        await store.writer.drain()
        let filter = DetectionFilter(text: text)
        try await store.connections.write { while try DerivedTables.advance($0) > 0 {} }
        let after = try await store.records(matching: filter).map(\.id)
        try await store.connections.write { try $0.execute(sql: "UPDATE derived SET up_to = 0") }
        let before = try await store.records(matching: filter).map(\.id)
        #expect(before == after)
        #expect(!after.isEmpty)
    }

    @Test(arguments: [
        ("52.52,13.405,10", [1]), ("52.52,13.405,111", [1]), ("52.52,13.405,112", [1, 2]),
        ("52.52,13.405,0", [1]),
        ("0,180,20", [4, 5]), ("0,-180,20", [4, 5]), ("0,180,5", []), ("90,0,1", []),
        ("0,0,20100000", [1, 2, 4, 5]),
    ])
    func findsWhatIsNear(circle: String, numbers: [Int]) async throws {
        let store = try await filled()
        let filter = DetectionFilter(near: try Vicinity(parsing: circle))
        #expect(try await store.records(matching: filter).map { Int($0.id) }.sorted() == numbers)
    }

    @Test func pagesFitTogetherInBothOrders() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save((0..<25).map { .sample(received: Int64($0 / 4)) })
        for order in [DetectionPage.Order.newestFirst, .oldestFirst] {
            var page = DetectionPage(order: order, limit: 4)
            var ids: [Int64] = []
            while true {
                let records = try await store.records(page: page)
                ids += records.map(\.id)
                guard let last = records.last else { break }
                page.after = last.cursor
            }
            #expect(ids == (order == .oldestFirst ? Array(1...25) : Array(1...25).reversed()))
        }
        #expect(try await store.records(page: DetectionPage(limit: 0)).isEmpty)
        #expect(try await store.records(page: DetectionPage(limit: -1)).isEmpty)
    }

    private func filled() async throws -> DetectionDatabase {
        let store = try DetectionDatabase()
        _ = try await store.save(Self.sightings)
        return store
    }
}

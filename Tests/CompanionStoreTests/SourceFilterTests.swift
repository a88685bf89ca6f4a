// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Detections
import FlockFinder
import Testing

@Suite("Filters of the map, of marks and of whole sources", .timeLimit(.minutes(5)))
struct SourceFilterTests {
    private let store: DetectionDatabase

    init() async throws {
        store = try DetectionDatabase()
        _ = try await store.save([
            .sample(ssid: "a", mac: "0A:00:00:00:00:01", confidence: 0.9, received: 1000, at: (10, 20)),
            .sample(ssid: "Ä2", mac: "0A:00:00:00:00:01", confidence: 0.4, received: 3000),
            .sample(type: .ring, ssid: "b", confidence: 0.8, received: 2000, at: (-10, 179)),
            .sample(type: .axis, ssid: "c", confidence: 0.6, received: 5000, at: (-10, -179)),
        ])
        _ = try await store.mark(source: 2, as: .mine, note: "My own Doorbell")
    }

    private func detections(_ change: (inout DetectionFilter) -> Void) async throws -> [Int64] {
        var filter = DetectionFilter()
        change(&filter)
        let found = try await store.records(matching: filter).map(\.id)
        #expect(try await store.count(matching: filter) == found.count)
        return found
    }

    private func sources(_ change: (inout DetectionFilter) -> Void) async throws -> [Int64] {
        var filter = DetectionFilter()
        change(&filter)
        let found = try await store.sources(matching: filter, page: SourcePage()).map(\.source.id)
        #expect(try await store.sourceCount(matching: filter) == found.count)
        return found
    }

    @Test func aBoxMayLieAcrossTheDateLine() async throws {
        let here = MapBox(west: 19, south: 9, east: 21, north: 11)
        #expect(try await detections { $0.box = here } == [1])
        #expect(try await sources { $0.box = here } == [1])
        let across = MapBox(west: 170, south: -20, east: -170, north: 0)
        #expect(try await detections { $0.box = across } == [4, 3])
        #expect(try await sources { $0.box = across } == [3, 2])
        #expect(try await detections { $0.box = MapBox(west: 20, south: 11, east: 20, north: 9) } == [])
    }

    /// A list of what is in a box has what the map shows in it, not what was heard best in it.
    @Test func aBoxOfAListIsAboutWhatTheMapShows() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save([
            .sample(ssid: "a", mac: "0A:00:00:00:00:01", rssi: -60, received: 1000, at: (52, 8)),
            .sample(ssid: "a", mac: "0A:00:00:00:00:01", rssi: -59, received: 2000, at: (52.0004, 8)),
        ])
        try await store.mapAll()
        let around = MapBox(west: 7, south: 51, east: 9, north: 53)
        let pin = try #require(try await store.map(around, zoom: 4).pins.first)
        let shown = try #require(pin.source.estimate).position.latitude
        #expect(shown > 52.0001 && shown < 52.0003)
        for (latitude, count) in [(shown, 1), (52.0004, 0), (52, 0)] {
            var filter = DetectionFilter()
            filter.box = MapBox(west: 7.9, south: latitude - 0.00001, east: 8.1, north: latitude + 0.00001)
            #expect(try await store.sources(matching: filter, page: SourcePage()).count == count)
        }
    }

    @Test func withAndWithoutAPlace() async throws {
        #expect(try await detections { $0.hasPosition = true } == [4, 3, 1])
        #expect(try await detections { $0.hasPosition = false } == [2])
        #expect(try await sources { $0.hasPosition = false } == [])
    }

    @Test func numbersOfDetectionsAndOfSources() async throws {
        #expect(try await detections { $0.ids = [1, 3, 99] } == [3, 1])
        #expect(try await detections { $0.sources = [1, 3] } == [4, 2, 1])
        #expect(try await sources { $0.ids = [1, 2, 99] } == [1, 2])
        #expect(try await sources { $0.sources = [3] } == [3])
    }

    @Test func newOrMarkedIsEitherOfBoth() async throws {
        let moment = Timestamp(milliseconds: 4000)
        #expect(try await detections { $0.newSince = moment } == [4])
        #expect(
            try await detections {
                $0.newSince = moment; $0.marks = [.mine]
            } == [4, 3])
        #expect(try await sources { $0.newSince = moment } == [3])
        #expect(
            try await sources {
                $0.newSince = moment; $0.marks = [.mine]
            } == [3, 2])
        #expect(try await sources { $0.marks = [.muted] } == [])
    }

    @Test func aSourceFitsByWhatItIsAsAWhole() async throws {
        #expect(try await sources { _ in } == [3, 1, 2])
        #expect(try await sources { $0.types = [.ring, .axis] } == [3, 2])
        // Its last detection was less sure than the one before.
        #expect(try await sources { $0.minimumConfidence = 0.5 } == [3, 2])
        #expect(try await sources { $0.since = Timestamp(milliseconds: 2500) } == [3, 1])
        #expect(try await sources { $0.until = Timestamp(milliseconds: 2000) } == [1])
        #expect(
            try await sources {
                $0.since = Timestamp(milliseconds: 1500)
                $0.until = Timestamp(milliseconds: 2500)
            } == [1, 2])
        for (text, found) in [("ä2", [1]), ("0a:00", [1]), ("doorbell", [2]), ("axis", [3]), ("zz", [])] {
            #expect(try await sources { $0.text = text } == found.map(Int64.init), "\(text)")
        }
        let listed = try #require(try await store.listedSource(id: 1))
        #expect((listed.confidence, listed.ssid) == (0.4, "Ä2"))
        #expect(try await store.listedSource(id: 99) == nil)
    }

    @Test func whatWasDeletedIsInNoList() async throws {
        _ = try await store.discard(ids: [2, 3], at: Timestamp(milliseconds: 9000))
        #expect(try await sources { _ in } == [3, 1])
        #expect(try await store.listedSource(id: 1)?.confidence == 0.9)
        #expect(try await store.listedSource(id: 2)?.confidence == nil)
    }

    @Test func theLastDetectionIsTheOneStoredLastWhateverTheClock() async throws {
        let mac = "0A:00:00:00:00:09"
        let stored = try await store.save([
            .sample(ssid: "new", mac: mac, rssi: -40, confidence: 0.9, received: 8000),
            .sample(ssid: "old", mac: mac, rssi: -50, confidence: 0.3, received: 7000),
            .sample(ssid: nil, mac: mac, rssi: -60, confidence: 0.2, received: 7500),
        ])
        let source = try #require(stored.first?.source)
        let told = { () async throws -> [String] in
            let listed = try #require(try await store.listedSource(id: source))
            return ["\(listed.confidence ?? -1)", listed.ssid ?? "none"]
        }
        #expect(try await told() == ["0.2", "none"])
        // Neither the latest, nor the strongest, but the last.
        let one = try await store.discard(ids: [stored[2].id], at: Timestamp(milliseconds: 9000))
        #expect(try await told() == ["0.3", "old"])
        #expect(try await sources { $0.text = "old" } == [source])
        let other = try await store.discard(ids: [stored[1].id], at: Timestamp(milliseconds: 9000))
        #expect(try await told() == ["0.9", "new"])
        #expect(try await sources { $0.text = "old" } == [])
        _ = try await store.restore(deletion: one.id)
        #expect(try await told() == ["0.2", "none"])
        try await store.purge(deletion: other.id)
        _ = try await store.discard(ids: [stored[2].id], at: Timestamp(milliseconds: 9000))
        #expect(try await told() == ["0.9", "new"])
    }

    /// Whether the text index has a row or not, and whether few or many have the text.
    @Test func sourcesAreFoundByTextHoweverManyThereAre() async throws {
        let rows = (0..<10_050).map { number in
            Sighting.sample(
                ssid: number == 77 ? "rare bird" : "common \(number)", mac: nil,
                received: Int64(10_000 + number))
        }
        for piece in stride(from: 0, to: rows.count, by: 5000) {
            _ = try await store.save(Array(rows[piece..<min(rows.count, piece + 5000)]))
        }
        let found = { try await sources { $0.text = "rare" } }
        let before = try await found()
        #expect(before.count == 1)
        try await store.deriveAll()
        #expect(try await found() == before)
        #expect(try await store.sourceCount(matching: DetectionFilter(text: "common")) == 10_049)
        #expect(try await store.sourceCount(matching: DetectionFilter(text: "common 77")) == 110)
        #expect(try await sources { $0.text = "doorbell" } == [2])
    }

    @Test func aListOfSourcesComesInPages() async throws {
        var page = SourcePage(limit: 2)
        let first = try await store.sources(matching: DetectionFilter(), page: page)
        page.after = first.last.map { .init($0.source) }
        let second = try await store.sources(matching: DetectionFilter(), page: page)
        #expect((first + second).map(\.source.id) == [3, 1, 2])
    }

    @Test(arguments: SourceOrder.allCases)
    func aListOfSourcesIsInOrder(of order: SourceOrder) async throws {
        let rows = (0..<40).map { row in
            Sighting.sample(
                row, ssid: "\(row * 7 % 13)", rssi: -40 - row * 11 % 30, received: Int64(row * 17 % 40))
        }
        _ = try await store.save(rows)
        let all = try await store.sources(matching: DetectionFilter(), page: SourcePage(order: order))
        let values = all.map { order.value(of: $0) }
        #expect(values == values.sorted(by: >) && Set(values).count > 1)
        var page = SourcePage(order: order, limit: 3)
        var paged: [ListedSource] = []
        while case let part = try await store.sources(matching: DetectionFilter(), page: page),
            let last = part.last
        {
            paged += part
            page.after = .init(last, in: order)
        }
        #expect(paged.map(\.source.id) == all.map(\.source.id))
    }
}

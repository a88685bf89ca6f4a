// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
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
            (DetectionFilter(), [5, 4, 3, 2, 1]),
            (DetectionFilter(types: [.ring]), [2]),
            (DetectionFilter(types: [.flockSafety, .raven]), [5, 4, 1]),
            (DetectionFilter(types: [.axis]), []),
            (DetectionFilter(since: Timestamp(milliseconds: 1002)), [5, 3, 2]),
            (DetectionFilter(until: Timestamp(milliseconds: 1002)), [4, 1]),
            (
                DetectionFilter(since: Timestamp(milliseconds: 1001), until: Timestamp(milliseconds: 1003)),
                [5, 2, 1]
            ),
            (DetectionFilter(minimumConfidence: 0.5), [4, 2, 1]),
            (DetectionFilter(minimumConfidence: 1), [4]),
            (DetectionFilter(text: ""), [5, 4, 3, 2, 1]),
            (DetectionFilter(text: "flock"), [5, 1]),
            (DetectionFilter(text: "FLOCK-S3"), [1]),
            (DetectionFilter(text: "bb:cc:00"), [4, 1]),
            (DetectionFilter(text: "0:00:01"), [1]),
            (DetectionFilter(text: "c:"), [4, 1]),
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
            (DetectionFilter(text: "flock safety\u{1F}flock"), []),
            (DetectionFilter(types: [.flockSafety], minimumConfidence: 0.5, text: "flock"), [1]),
        ] as [(DetectionFilter, [Int])])
    func findsWhatFits(filter: DetectionFilter, numbers: [Int]) async throws {
        let store = try await filled()
        #expect(try await store.records(matching: filter).map { Int($0.id) } == numbers)
        #expect(try await store.count(matching: filter) == numbers.count)
    }

    /// SQLite's functions end a text there, and a deletion would find what was not meant.
    @Test func aTextWithAZeroIsRefused() async throws {
        let store = try await filled()
        let filter = DetectionFilter(text: "a\u{0}")
        let refusal = StoreError.zeroCharacter(in: "The text to look for")
        await #expect(throws: refusal) { _ = try await store.records(matching: filter) }
        await #expect(throws: refusal) { _ = try await store.count(matching: filter) }
        await #expect(throws: refusal) { _ = try await store.sources(matching: filter, page: SourcePage()) }
        await #expect(throws: refusal) {
            _ = try await store.discard(matching: filter, at: Timestamp(milliseconds: 1))
        }
    }

    @Test(arguments: ["éclair", "ÉCLAIR", "Éc", "éC", "straße", "STRASSE", "ΣΊΣΥΦΟΣ", "σίσυφος", "к", "K"])
    func caseIsFoldedInTheSameWayBeforeAndAfterTheIndexHasARow(text: String) async throws {
        let store = try DetectionDatabase()
        _ = try await store.save(
            ["ÉCLAIR", "éclair", "Straße", "STRASSE", "ΣΊΣΥΦΟΣ", "σίσυφος", "Kamera К", "\u{212A}2"].map {
                .sample(ssid: $0)
            })
        let filter = DetectionFilter(text: text)
        try await store.deriveAll()
        let after = try await store.records(matching: filter).map(\.id)
        try await store.underive()
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
                page.after = last.id
            }
            #expect(ids == (order == .oldestFirst ? Array(1...25) : Array(1...25).reversed()))
        }
        #expect(try await store.records(page: DetectionPage(limit: 0)).isEmpty)
        #expect(try await store.records(page: DetectionPage(limit: -1)).isEmpty)
    }

    /// What stands escaped in JSON, what one or two characters long, and what another case: the same before and after.
    @Test(
        arguments: [
            ("é", [1, 2]), ("éc", [1]), ("éclair-9", [1]), ("ÉCLAIR", [1]), ("straße\n1", [2]), ("ch", [2]),
            ("9.1", [2]),
            ("6", [2]), ("\\u00e9", []), ("{", []), ("a\"b", [2]), ("aa:bb", [3]), ("BB:CC:DD", [3]),
            ("dd", [3]),
            ("AA:BB:CC:DD:EE:F", [3]), ("abc", [4]), ("bc:", []), ("false", [2]),
        ] as [(String, [Int64])])
    func findsTheSameBeforeAndAfterDerivation(text: String, ids: [Int64]) async throws {
        let store = try DetectionDatabase()
        let extra = #"{"ch":6,"fw":9.1,"n":"stra\u00dfe\n1","q":"a\"b","e":"\u00e9","f":[false,null]}"#
        _ = try await store.save([
            .sample(1, ssid: "ÉCLAIR-9"), .sample(2, ssid: nil, extra: extra),
            .sample(3, ssid: nil, mac: "AA:BB:CC:DD:EE:FF"), .sample(4, ssid: "abc"),
        ])
        let filter = DetectionFilter(text: text)
        let before = try await store.records(matching: filter, page: DetectionPage(order: .oldestFirst)).map(
            \.id)
        let count = try await store.count(matching: filter)
        try await store.deriveAll()
        let after = try await store.records(matching: filter, page: DetectionPage(order: .oldestFirst)).map(
            \.id)
        #expect(before == ids)
        #expect(after == ids)
        #expect(count == ids.count)
        #expect(try await store.count(matching: filter) == ids.count)
    }

    @Test func pagesOfWhatIsFoundFitTogetherWhileHalfIsDerived() async throws {
        let store = try DetectionDatabase()
        for start in [0, 500] {
            _ = try await store.save((start..<(start + 500)).map(Self.numbered))
            if start == 0 { try await store.deriveAll() }
        }
        let here = try #require(
            Position(latitude: 10, longitude: 10).flatMap { Vicinity(center: $0, metres: 10) })
        let late = Timestamp(milliseconds: 4500)
        let cases: [(filter: DetectionFilter, wanted: [Int])] = [
            (DetectionFilter(text: "camera"), Array(stride(from: 0, to: 1000, by: 3))),
            (DetectionFilter(text: "ca:fe"), Array(stride(from: 0, to: 1000, by: 5))),
            (DetectionFilter(text: "e:"), Array(stride(from: 0, to: 1000, by: 5))),
            (DetectionFilter(near: here), Array(stride(from: 0, to: 1000, by: 2))),
            (DetectionFilter(near: here, text: "mera"), Array(stride(from: 0, to: 1000, by: 6))),
            (DetectionFilter(since: late, text: "camera"), Array(stride(from: 0, to: 501, by: 3))),
        ]
        for (filter, numbers) in cases {
            let wanted = numbers.map { Int64($0 + 1) }
            for order in [DetectionPage.Order.newestFirst, .oldestFirst] {
                let ids = try await all(filter, order, in: store)
                #expect(ids == (order == .oldestFirst ? wanted : Array(wanted.reversed())))
            }
            #expect(try await store.count(matching: filter) == wanted.count)
        }
    }

    private static func numbered(_ number: Int) -> Sighting {
        .sample(
            number, ssid: number % 3 == 0 ? "camera \(number)" : "other",
            mac: number % 5 == 0 ? "CA:FE:00:00:00:01" : nil, received: Int64(5000 - number),
            at: number % 2 == 0 ? (10, 10) : nil)
    }

    private func all(
        _ filter: DetectionFilter, _ order: DetectionPage.Order, in store: DetectionDatabase
    ) async throws -> [Int64] {
        var page = DetectionPage(order: order, limit: 37)
        var ids: [Int64] = []
        while true {
            let records = try await store.records(matching: filter, page: page)
            guard let last = records.last else { return ids }
            ids += records.map(\.id)
            page.after = last.id
        }
    }

    @Test func aTextThatIsTooLongIsRefused() async throws {
        let store = try await filled()
        let filter = DetectionFilter(text: String(repeating: "é", count: DetectionFilter.longestText / 2 + 1))
        await #expect(throws: StoreError.self) { try await store.records(matching: filter) }
        await #expect(throws: StoreError.self) { try await store.count(matching: filter) }
        #expect(try await store.records(page: DetectionPage(limit: .max)).count == 5)
    }

    private func filled() async throws -> DetectionDatabase {
        let store = try DetectionDatabase()
        _ = try await store.save(Self.sightings)
        return store
    }
}

// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import NightlightCompanion
import Synchronization
import Testing

@testable import CompanionStore

/// Copies with settings that no hub has made.
extension RestoredCopyTests {
    private static func numbers(to last: Int) -> String {
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(last))"
    }

    /// The names of the settings that begin so.
    private func names(_ prefix: String) async throws -> [String] {
        try await store.settings().values.keys.filter { $0.hasPrefix(prefix) }.sorted()
    }

    @Test func settingsThatNoHubHasAreLeftOutAndWhoMayUseItCanBeChanged() async throws {
        let copy = try await copied()
        try Self.change(
            copy, "\(Self.numbers(to: 1000)) INSERT INTO setting SELECT 'junk' || i, '1' FROM n")
        let told = Mutex<[String]>([])
        store.tellOfUnusableRows { sentence in told.withLock { $0.append(sentence) } }
        _ = try await store.change(settings: ["access": "\"mine\""])
        try await store.replaceContent(
            with: try await store.readCopy(copy, leavingOut: ["access"]), keeping: ["access"])
        #expect(try await names("") == ["access", "theme", "units"])
        let sentences = told.withLock { $0 }
        #expect(
            sentences.count == 1 && sentences.first?.hasPrefix("1000 settings of the copy are none") == true)
        let after = try await store.change(settings: ["access": "\"other\"", "map": "{}"])
        #expect(after.values["access"] == "\"other\"" && after.values["map"] == "{}")
        try await works()
    }

    @Test func noMoreLampsAndChangesAreTakenThanAHubKeeps() async throws {
        let copy = try await copied()
        let changes = (1...200).map {
            #"{"id":\#($0),"made":"2026-01-01T00:00:00Z","change":{"power":true}}"#
        }.joined(separator: ",")
        var statements = "INSERT INTO setting VALUES ('lamp.words', '1');"
        for number in 100..<200 {
            let address = "C0:DE:00:00:00:" + String(number, radix: 16, uppercase: true)
            let seen = number % 2 == 0 ? "null" : #""2026-01-01T00:00:00Z""#
            let lamp =
                #"{"address":"\#(address)","address_kind":"random","name":"x","seen":\#(seen),"pending":[\#(changes)]}"#
            statements += "INSERT INTO setting VALUES ('lamp.\(address)/R', '\(lamp)');"
        }
        try Self.change(copy, statements)
        try await store.replaceContent(with: try await store.readCopy(copy))
        let lamps = try await store.settings().values.filter { $0.key.hasPrefix("lamp.") }.map {
            try RememberedLamp($0.value)
        }
        #expect(lamps.count == RememberedLamp.limits.all)
        #expect(lamps.count { $0.seen == nil } == RememberedLamp.limits.unseen)
        #expect(
            lamps.allSatisfy { $0.pendingChanges.count == RememberedLamp.changeLimit && $0.nextChange == 11 })
    }

    @Test func noMoreWeeksAreTakenThanAHubKeeps() async throws {
        let copy = try await copied()
        let week =
            #"{"name":"x","groups":[{"days":["mon","tue","wed","thu","fri","sat","sun"],"periods":[]}]}"#
        try Self.change(
            copy,
            """
            \(Self.numbers(to: 60)) INSERT INTO setting SELECT 'schedule.' || i,
                '{"id":' || i || ',"kept":"2026-01-01T00:00:00Z","week":\(week)}' FROM n
            """)
        try await store.replaceContent(with: try await store.readCopy(copy))
        #expect(try await names("schedule.").count == 50)
    }

    @Test func settingsThatHaveTooMuchTogetherAreRefused() async throws {
        let copy = try await copied()
        try Self.change(
            copy,
            """
            INSERT INTO setting SELECT name, '"' || hex(zeroblob(30000)) || '"' FROM (SELECT 'bulbs' AS name UNION SELECT 'devices');
            \(Self.numbers(to: 64)) INSERT INTO setting SELECT printf('lamp.C0:DE:00:00:00:%02X/R', i), printf(
                '{"address":"C0:DE:00:00:00:%02X","address_kind":"random","name":"x","seen":"2026-01-01T00:00:00Z","known":"%s"}',
                i, hex(zeroblob(32400))) FROM n
            """)
        let fault = await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
        #expect(fault?.description.contains("settings have more than 4 MiB") == true)
        try await works()
    }
}

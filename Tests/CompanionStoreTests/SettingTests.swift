// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB
import Testing

@testable import CompanionStore

@Suite(.timeLimit(.minutes(5))) struct SettingTests {
    private let folder: Folder
    init() throws { folder = try Folder() }

    @Test func settingsAreChangedTogetherOrNotAtAll() async throws {
        let store = try DetectionDatabase()
        #expect(try await store.settings() == StoredSettings(revision: 0, values: [:]))
        let first = try await store.change(settings: ["theme": "\"dark\"", "volume": "0.5"], ifRevision: 0)
        #expect(first == StoredSettings(revision: 1, values: ["theme": "\"dark\"", "volume": "0.5"]))
        await #expect(throws: StoreError.conflict) {
            try await store.change(settings: ["theme": nil], ifRevision: 0)
        }
        await #expect(throws: StoreError.self) { try await store.change(settings: ["a": "1", "b": "{"]) }
        #expect(try await store.settings() == first)
        #expect(try await store.change(settings: ["theme": nil]).values == ["volume": "0.5"])
        await #expect(throws: StoreError.self) {
            try await store.change(settings: ["a": "\"\(String(repeating: "x", count: 70_000))\""])
        }
    }

    /// SQLite would cut them there.
    @Test func namesAndValuesWithAZeroAreRefused() async throws {
        let store = try DetectionDatabase()
        for changes in [["theme\u{0}": "1"], ["theme": "\"a\u{0}b\""]] as [[String: String?]] {
            await #expect(throws: StoreError.self) { try await store.change(settings: changes) }
        }
        await #expect(throws: StoreError.zeroCharacter(in: "The name")) {
            try await store.rename(savedDevice: 1, to: "a\u{0}b")
        }
        #expect(try await store.settings().values.isEmpty)
    }

    @Test func namesThatDifferBehindAZeroAreOfTwoSources() async throws {
        let store = try DetectionDatabase()
        let records = try await store.save(["a", "a\u{0}b", "a\u{0}c", "a\u{0}b"].map { .sample(ssid: $0) })
        #expect(Set(records.map(\.source)).count == 3)
        #expect(records[1].source == records[3].source)
    }

    @Test func whereThereAreTooManyTheyCanBecomeFewerAndWhoMayUseTheHubCanBeChanged() async throws {
        let store = try DetectionDatabase()
        try await store.connections.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
                    INSERT INTO setting SELECT 'junk' || i, '1' FROM n
                    """)
        }
        await #expect(throws: StoreError.tooMuch(reason: "there are at most 1000 settings")) {
            try await store.change(settings: ["theme": "\"dark\""])
        }
        #expect(try await store.change(settings: ["access": "1"]).values.count == 1002)
        #expect(try await store.change(settings: ["junk1": "2"]).values["junk1"] == "2")
        #expect(try await store.change(settings: ["junk1": nil]).values.count == 1001)
        _ = try await store.change(settings: ["junk2": nil, "junk3": nil, "theme": "\"dark\""])
        #expect(try await store.change(settings: ["access": nil]).values.count == 999)
    }

    @Test func allTogetherHaveALimit() async throws {
        let store = try DetectionDatabase()
        let long = "\"\(String(repeating: "x", count: 64_000))\""
        let most = Dictionary(uniqueKeysWithValues: (1...65).map { ("n\($0)", Optional(long)) })
        _ = try await store.change(settings: most)
        await #expect(throws: StoreError.tooMuch(reason: "all settings together have at most 4 MiB")) {
            try await store.change(settings: ["more": long])
        }
        _ = try await store.change(settings: ["access": long])
        _ = try await store.change(settings: ["n1": nil, "more": long])
        #expect(try await store.settings().values.count == 66)
    }

    @Test func whatAnotherProgramWritesIsNoticed() async throws {
        let mine = try DetectionDatabase(path: folder.file(), createIfMissing: true)
        let theirs = try DetectionDatabase(path: folder.file(), createIfMissing: false)
        var states = mine.states(every: .milliseconds(1)).makeAsyncIterator()
        var wanted = StoreState(lastDetection: 0, deletions: 0, marks: 0, settings: 0)
        #expect(await states.next() == wanted)
        _ = try await theirs.save([.sample(1), .sample(2)])
        wanted.lastDetection = 2
        #expect(await states.next() == wanted)
        _ = try await theirs.mark(source: 1, as: .mine)
        wanted.marks = 1
        #expect(await states.next() == wanted)
        _ = try await mine.change(settings: ["a": "1"])
        wanted.settings = 1
        #expect(await states.next() == wanted)
        _ = try await theirs.discard(ids: [1], at: Timestamp(milliseconds: 0))
        while let state = await states.next(), state.deletions < 2 {}
        #expect(try await mine.state().deletions == 2)
        try await theirs.close()
        try await mine.close()
        while await states.next() != nil {}
    }

    @Test(.timeLimit(.minutes(5))) func allWhoFollowAreToldOfEachChange() async throws {
        let store = try DetectionDatabase(path: folder.file(), createIfMissing: true)
        var first = store.states(every: .milliseconds(1)).makeAsyncIterator()
        var second = store.states(every: .milliseconds(1)).makeAsyncIterator()
        #expect(await first.next()?.lastDetection == 0)
        #expect(await second.next()?.lastDetection == 0)
        _ = try await store.save(.sample())
        #expect(await first.next()?.lastDetection == 1)
        #expect(await second.next()?.lastDetection == 1)
        try await store.close()
        while await first.next() != nil {}
        while await second.next() != nil {}
    }
}

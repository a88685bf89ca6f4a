// SPDX-License-Identifier: Apache-2.0

import Companion
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

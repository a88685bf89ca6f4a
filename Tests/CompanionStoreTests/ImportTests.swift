// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder
import Foundation
import Testing

@testable import CompanionStore

@Suite struct ImportTests {
    /// Two that are alike, of one millisecond.
    private static let sightings: [Sighting] = [
        .sample(1, ssid: "a", at: (1, 2)), .sample(1, ssid: "a", at: (1, 2)), .sample(1, ssid: nil),
        .sample(2, type: .ring, ssid: "ÉCLAIR"),
    ]

    @Test func aSecondImportDoesNothing() async throws {
        let store = try DetectionDatabase()
        for wanted in [4, 0, 0] {
            var run = ImportRun()
            var trial = ImportRun()
            #expect(try await store.importing(Self.sightings, after: &trial, isTrial: true) == wanted)
            // In commits of any size.
            var count = 0
            for sighting in Self.sightings { count += try await store.importing([sighting], after: &run) }
            #expect(count == wanted)
        }
        try await store.finishImport()
        #expect(try await store.count() == 4)
        #expect(try await store.count(matching: DetectionFilter(text: "éclair")) == 1)
    }

    @Test func whatIsThereIsNotImportedAgain() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save(Array(Self.sightings.dropFirst()))
        var run = ImportRun()
        #expect(try await store.importing(Self.sightings, after: &run) == 1)
    }
}

@Suite struct ReadOnlyTests {
    private let folder: Folder
    init() throws { folder = try Folder() }

    @Test func aFileThatMayNotBeWrittenIsRead() async throws {
        let path = folder.file("a b%?#.sqlite")
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        let saved = try await store.save((0..<10).map { .sample($0, ssid: "Éclair \($0)") })
        try await store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let reader = try DetectionDatabase(unwritable: path)
        #expect(try await reader.records(page: DetectionPage(order: .oldestFirst)) == saved)
        #expect(try await reader.count(matching: DetectionFilter(text: "éclair")) == 10)
        #expect(try await reader.record(id: 3) == saved[2])
        let count = try await reader.withRecords { records in try records.count() }
        #expect(count == 10)
        await #expect(throws: StoreError.readOnly(path: path)) { try await reader.save(.sample()) }
        try await reader.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a b%?#.sqlite"])
    }

    @Test func aFileThatWasNotClosedIsNotTakenForWhole() async throws {
        let path = folder.file()
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        _ = try await store.save(.sample())
        #expect(throws: StoreError.readOnly(path: path)) { try DetectionDatabase(unwritable: path) }
        try await store.close()
    }
}

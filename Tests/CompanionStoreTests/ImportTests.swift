// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import Foundation
import Synchronization
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
            let run = ImportSession()
            let trial = ImportSession()
            #expect(
                try await store.importing(
                    Self.sightings.map { ImportedDetection($0) }, after: trial, isTrial: true) == wanted)
            // In commits of any size.
            var count = 0
            for sighting in Self.sightings {
                count += try await store.importing([ImportedDetection(sighting)], after: run)
            }
            #expect(count == wanted)
        }
        try await store.deriveAll()
        #expect(try await store.count() == 4)
        #expect(try await store.count(matching: DetectionFilter(text: "éclair")) == 1)
    }

    /// What others store meanwhile counts, too; the rows of a file need not be in order.
    @Test func manyOfOneMomentAreKeptApartAcrossCommits() async throws {
        let store = try DetectionDatabase()
        let rows = (0..<1200).map { number in
            ImportedDetection(
                .sample(
                    1, ssid: number % 3 == 0 ? nil : "n\(number % 40)", received: 1000 + Int64(number % 2)))
        }
        let run = ImportSession()
        for start in stride(from: 0, to: rows.count, by: 400) {
            #expect(try await store.importing(Array(rows[start..<start + 400]), after: run) == 400)
        }
        let again = ImportSession()
        #expect(try await store.importing(Array(rows[..<500]), after: again) == 0)
        #expect(try await store.importing(Array(rows[500..<1000]), after: again) == 0)
        let last = Array(rows[1000...]) + [rows[0], rows[1]]
        #expect(try await store.importing(last, after: again) == 2)
        #expect(try await store.count() == 1202)
    }

    /// Export, import and export again: the same but for the numbers and the date.
    @Test(arguments: [ExportFormat.csv, .json])
    func whatWasExportedAndImportedIsExportedAlike(format: ExportFormat) async throws {
        let first = try DetectionDatabase()
        _ = try await first.save(
            [.sample(0), .sample(5, mac: "AA:BB:CC:DD:EE:FF")] + Self.sightings + Self.sightings)
        _ = try await first.delete(ids: [1])
        _ = try await first.mark(source: 2, as: .mine, note: "=ours")
        let file = try await exported(first, format)
        #expect(file.contains("=ours"))
        let second = try DetectionDatabase()
        let rows = try Self.rows(file)
        let run = ImportSession()
        #expect(try await second.importing(rows, after: run) == 9)
        let copy = try await exported(second, format)
        #expect(copy != file, "Numbers are given anew.")
        #expect(Self.withoutNumbers(copy) == Self.withoutNumbers(file))
        for store in [first, second] {
            let again = ImportSession()
            #expect(try await store.importing(rows, after: again) == 0)
        }
        // Deleted and not yet purged, it does not come back by the way.
        _ = try await second.discard(ids: [1], at: Timestamp(milliseconds: 0))
        let again = ImportSession()
        #expect(try await second.importing(rows, after: again) == 0)
    }

    private func exported(_ store: DetectionDatabase, _ format: ExportFormat) async throws -> String {
        let octets = Mutex<[UInt8]>([])
        let heading = ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1")
        _ = try await store.export(as: format, heading: heading) { piece in octets.withLock { $0 += piece } }
        return octets.withLock { String(decoding: $0, as: UTF8.self) }
    }

    private static func withoutNumbers(_ file: String) -> [Substring] {
        file.split(separator: "\n").map { line in
            let rest = line.hasPrefix("{\"id\":") ? line.dropFirst(6) : line
            return rest.drop { $0.isNumber }
        }
    }

    private static func rows(_ text: String) throws -> [ImportedDetection] {
        var file = DetectionFile()
        file.receive(Array(text.utf8))
        file.finish()
        var rows: [ImportedDetection] = []
        while let row = file.next() {
            guard case .detection(let detection) = row else { throw BadInput("\(row)") }
            rows.append(detection)
        }
        return rows
    }

    @Test func whatIsThereIsNotImportedAgain() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save(Array(Self.sightings.dropFirst()))
        let run = ImportSession()
        #expect(try await store.importing(Self.sightings.map { ImportedDetection($0) }, after: run) == 1)
    }
}

@Suite struct KindOfFileTests {
    @Test func whatIsNoFileIsNoDiskThatFails() throws {
        let folder = try Folder()
        for isMade in [true, false] {
            #expect(throws: StoreError.notAFile(path: folder.path, isFolder: true)) {
                _ = try DetectionDatabase(path: folder.path, createIfMissing: isMade)
            }
        }
        #expect(throws: StoreError.notAFile(path: "/dev/null", isFolder: false)) {
            _ = try DetectionDatabase(reading: "/dev/null")
        }
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
        await #expect(throws: StoreError.readOnly(path: path)) { try await reader.save(.sample()) }
        try await reader.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a b%?#.sqlite"])
    }

    @Test func whatIsOnlyInTheLogIsRead() async throws {
        let path = folder.file()
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        let saved = try await store.save([.sample(1), .sample(2)])
        let reader = try DetectionDatabase(unwritable: path)
        #expect(try await reader.records(page: DetectionPage(order: .oldestFirst)) == saved)
        await #expect(throws: StoreError.readOnly(path: path)) { try await reader.save(.sample()) }
        try await reader.close()
        try await store.close()
    }
}

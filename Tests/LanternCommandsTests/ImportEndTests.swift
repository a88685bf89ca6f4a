// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionStore
import Foundation
import Testing

@testable import CommandIO
@testable import FlockFinderCommands

@Suite("Imports that end before their files do", .timeLimit(.minutes(5)))
struct ImportEndTests {
    private static let heading = "device_type,rssi,confidence,timestamp\n"
    private static let row = "Ring,-60,1,2024-01-01\n"

    /// A folder of its own with a pipe that never ends.
    private struct Place {
        let folder: URL
        let pipe: String
        let database: String
        let writer: Int32

        init() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let pipe = folder.appending(path: "pipe").path
            try #require(mkfifo(pipe, 0o600) == 0)
            (self.folder, self.pipe) = (folder, pipe)
            database = folder.appending(path: "detections.sqlite").path
            writer = open(pipe, O_RDWR)
        }

        func remove() {
            close(writer)
            try? FileManager.default.removeItem(at: folder)
        }

        /// Writes something, and waits until it was taken.
        func write(_ text: String) async throws {
            let octets = Array(text.utf8)
            let count = octets.withUnsafeBytes { Foundation.write(writer, $0.baseAddress, $0.count) }
            try #require(count == octets.count)
            while true {
                var state = pollfd(fd: writer, events: Int16(POLLIN), revents: 0)
                if poll(&state, 1, 0) == 0 { return }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    @Test(arguments: [false, true])
    func `what was imported before Control-C stays, and that is said`(isTrial: Bool) async throws {
        let place = try Place()
        defer { place.remove() }
        let arguments = [place.pipe, "--database", place.database] + (isTrial ? ["--dry-run"] : [])
        let (screen, errors) = (TextOutput(), TextOutput())
        let work = Task {
            let command = try DetectionsImportCommand.parse(arguments)
            try await command.perform(atMost: 1 << 20, to: screen.output(), errors: errors.output())
        }
        try await place.write(Self.heading + String(repeating: Self.row, count: 600))
        // What is taken now is so after all before it was read, and more is waited for.
        try await place.write("\n")
        work.cancel()
        let result = await work.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(screen.text.hasPrefix("500 detections"), "\(screen.text)")
        let rest = isTrial ? "" : " What was imported stays; import it again for the rest."
        #expect(errors.text == "lantern: The file was not read to its end.\(rest)\n")
        guard !isTrial else { return }
        let store = try DetectionDatabase(reading: place.database)
        #expect(try await store.count() == 500)
        try await store.close()
    }

    @Test func `a set of cameras that is not read to its end changes nothing`() async throws {
        let place = try Place()
        defer { place.remove() }
        let arguments = [place.pipe, "--database", place.database, "--name", "a"]
        let errors = TextOutput()
        let work = Task {
            try await KnownImportCommand.parse(arguments).perform(errors: errors.output())
        }
        try await place.write(#"{"features":[{"id":"node/1","properties":{"man_made":"surveillance"},"#)
        work.cancel()
        let result = await work.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(errors.text == "lantern: The import was ended before it was done. Nothing was changed.\n")
        #expect(!FileManager.default.fileExists(atPath: place.database))
    }

    /// One member of gzip with a heading and a row, and one with 100 000 line ends.
    private static let members = (
        "H4sIAAAAAAACA0tJLctMTo0vqSxI1SkqLs7USc7PS8tMSc1LTtUpycxNLS5JzC3gCsrMS9fRNTPQMdQxMjAy0TUwBCIuACsRET08AAAA",
        "H4sIAAAAAAACA+3BIQEAAADDIL/+gV/jAigAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADg1QB8Cm3SoIYBAA=="
    )

    @Test func `a file that is mostly empty is refused with a way out`() async throws {
        let first = try #require(Data(base64Encoded: Self.members.0))
        let blank = try #require(Data(base64Encoded: Self.members.1))
        let file = try TemporaryFile(Array(first) + (0..<20).flatMap { _ in Array(blank) })
        let database = file.path + ".sqlite"
        defer { try? FileManager.default.removeItem(atPath: database) }
        let screen = TextOutput()
        let command = try DetectionsImportCommand.parse([file.path, "--database", database])
        let error = await #expect(throws: CommandError.self) {
            try await command.perform(atMost: 1 << 30, to: screen.output())
        }
        #expect(error?.status == .failed && screen.text.hasPrefix("1 detection"), "\(screen.text)")
        let sentence = error?.sentence ?? ""
        #expect(sentence.contains("cannot be read any further"), "\(sentence)")
        #expect(sentence.contains("it unpacks to far more than any file of detections"), "\(sentence)")
        #expect(sentence.contains("gunzip") && sentence.hasSuffix("The rows before it were imported."))
    }
}

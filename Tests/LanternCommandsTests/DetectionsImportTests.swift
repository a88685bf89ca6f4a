// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionStore
import Detections
import Foundation
import Testing

@testable import CommandIO
@testable import FlockFinderCommands

@Suite struct DetectionsImportTests {
    /// A pipe does not say how much comes; what fits is not lost.
    @Test func `of a pipe that brings too much, what fits is imported, and that is said`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appending(path: "pipe").path
        let database = folder.appending(path: "detections.sqlite").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        let text = """
            timestamp,device_type,mac_address,rssi,confidence
            2026-11-21T12:00:00.000Z,Ring,A4:83:E7:36:3C:A5,-60,0.9
            2026-11-21T12:00:01.000Z,Ring,A4:83:E7:36:3C:A6,-60,0.9

            """ + String(repeating: "\n", count: 2000)
        let octets = Array(text.utf8)
        try #require(octets.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } == octets.count)
        let screen = TextOutput()
        let command = try DetectionsImportCommand.parse([pipe, "--database", database])
        let error = await #expect(throws: CommandError.self) {
            try await command.perform(atMost: 1024, to: screen.output())
        }
        #expect(error?.status == .wrongUsage)
        #expect(
            error?.sentence
                == "\(pipe.shortenedPath) is larger than 1 KB, the most that such a file may have. "
                + "The rows within it were imported.")
        #expect(screen.text.hasPrefix("2 detections"), "\(screen.text)")
    }
}

extension DetectionsImportTests {
    /// A folder of its own, in which a file lies.
    private static func folder(_ name: String, _ text: String) throws -> (
        folder: URL, file: String, database: String
    ) {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return (folder, file.path, folder.appending(path: "detections.sqlite").path)
    }

    private static func run(_ text: String) async throws -> (
        error: CommandError?, text: String, isThere: Bool
    ) {
        let (folder, file, database) = try folder("file", text)
        defer { try? FileManager.default.removeItem(at: folder) }
        let screen = TextOutput()
        let command = try DetectionsImportCommand.parse([file, "--database", database])
        var failure: CommandError?
        do { try await command.perform(atMost: 1 << 20, to: screen.output()) } catch let error as CommandError
        { failure = error }
        return (failure, screen.text, FileManager.default.fileExists(atPath: database))
    }

    private static let heading = "device_type,rssi,confidence,timestamp\n"

    @Test(arguments: [
        "", "hello\n", "<kml/>", "PK\u{3}\u{4} and more of it", heading + "Ring,x,1,2024-01-01\n",
        "<gpx><wpt lat=\"1\" lon=\"2\"><name>Home</name></wpt></gpx>",
        #"{"type":"FeatureCollection","features":[]}"#,
    ])
    func `a file that brings nothing fails and leaves no database`(text: String) async throws {
        let (error, _, isThere) = try await Self.run(text)
        #expect(error?.status == .failed && !isThere, "\(error?.sentence ?? "it is taken")")
    }

    @Test func `what is of no use is passed over and counted, and is no failure`() async throws {
        let (error, text, isThere) = try await Self.run(
            """
            <gpx><wpt lat="1" lon="2"><name>Home</name></wpt><trk><trkseg>
            <trkpt lat="48" lon="11"><time>2026-05-02T10:00:00Z</time></trkpt>
            <trkpt lat="48.1" lon="11"><time>2026-05-02T10:00:10Z</time></trkpt></trkseg></trk></gpx>
            """)
        #expect(error == nil && isThere)
        #expect(text.contains("1 drive") && text.contains("1 row of other kinds passed over"), "\(text)")
    }

    @Test(arguments: [
        heading, #"{"detections":[]}"#, "<gpx></gpx>",
        "WigleWifi-1.4,a=b\nMAC,SSID,FirstSeen,RSSI,CurrentLatitude,CurrentLongitude,Type\n",
    ])
    func `a file that has nothing in it says so`(text: String) async throws {
        let (error, text, isThere) = try await Self.run(text)
        #expect(error?.status == .failed && text.isEmpty && !isThere)
        #expect(
            error?.sentence.hasSuffix(": there is nothing in it, neither a detection nor a drive.") == true)
    }

    @Test func `one row that cannot be used is mended by itself`() async throws {
        let error = try await Self.run(Self.heading + "Ring,x,1,2024-01-01\nRing,-1,1,2024-01-01\n").error
        #expect(
            error?.sentence.hasSuffix(": 1 row cannot be used. Correct it and import the file again.") == true
        )
    }

    @Test func `rows that cannot be used are told once for each reason`() async throws {
        let (folder, file, database) = try Self.folder(
            "rows.csv",
            Self.heading
                + "Ring,x,1,2024-01-01\nRing,-1,1,2024-01-01\nRing,y,1,2024-01-01\nRing,z,1,2024-01-01\n")
        defer { try? FileManager.default.removeItem(at: folder) }
        let screen = TextOutput()
        let command = try DetectionsImportCommand.parse([file, "--database", database, "--json"])
        let error = await #expect(throws: CommandError.self) {
            try await command.perform(atMost: 1 << 20, to: screen.output())
        }
        #expect(error?.status == .failed && error?.sentence.contains("3 rows cannot be used") == true)
        let lines = screen.text.split(separator: "\n").filter { $0.contains("detection_refused") }
        #expect(
            lines.count == 1 && lines[0].contains(#""line":2"#) && lines[0].contains(#""rows":3"#),
            "\(screen.text)")
    }
}

@Suite struct DetectionsExportTests {
    @Test func `a file that is there stays unless it is forced`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appending(path: "a.sqlite").path
        let store = try DetectionDatabase(path: database, createIfMissing: true)
        try await store.close()
        let file = folder.appending(path: "a.csv")
        try Data("mine".utf8).write(to: file)
        let refused = try DetectionsExportCommand.parse(["--output", file.path, "--database", database])
        let error = await #expect(throws: CommandError.self) { try await refused.run() }
        #expect(error?.sentence.contains("--force") == true)
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
        let forced = try DetectionsExportCommand.parse([
            "--output", file.path, "--database", database, "--force",
        ])
        try await forced.run()
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("id,device_type"))
    }

    @Test func `a hyphen is the standard output and names no format`() throws {
        #expect(throws: (any Error).self) { try DetectionsExportCommand.parse(["--output", "-"]) }
        #expect(try DetectionsExportCommand.parse(["--output", "-", "--format", "csv"]).format == .csv)
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import Foundation
import Testing

@testable import LanternCommands

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
                + "What stands within that was imported.")
        #expect(screen.text.hasPrefix("2 detections"), "\(screen.text)")
    }
}

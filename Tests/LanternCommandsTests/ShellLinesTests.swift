// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import Testing

@testable import CommandIO

@Suite struct ShellLinesTests {
    @Test func linesOfAPipe() async throws {
        try await withPipe("mtu\r\n\nread 2a19\nlast") { lines in
            let lines = lines
            #expect(await lines.next() == "mtu")
            #expect(await lines.next() == "")
            #expect(await lines.next() == "read 2a19")
            #expect(await lines.next() == "last")
            #expect(await lines.next() == nil)
            #expect(await lines.next() == nil)
        }
    }

    @Test func anEndlessLineIsCut() async throws {
        try await withPipe(String(repeating: "a", count: 300_000) + "\nmtu\n") { lines in
            let lines = lines
            #expect(await lines.next()?.utf8.count == 65_536)
            #expect(await lines.next() == "mtu")
            #expect(await lines.next() == nil)
        }
    }

    /// Hands over the lines of what somebody writes into a pipe.
    private func withPipe(_ text: String, _ body: (ShellLines) async throws -> Void) async throws {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        // A pipe holds less than the longest text.
        Thread.detachNewThread {
            writer.write(Data(text.utf8))
            try? writer.close()
        }
        try await body(ShellLines(StandardInput(descriptor: pipe.fileHandleForReading.fileDescriptor)))
    }
}

// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import Testing

@testable import CommandIO

@Suite struct ShellHistoryTests {
    private static func mode(of path: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.posixPermissions] as? Int
    }

    @Test(arguments: [
        ("read 2a19", true), (" write 2a19 736563726574", false), ("", false), ("\t", false),
        ("read \u{1B}[2J", false), (String(repeating: "a", count: 4096), true),
        (String(repeating: "a", count: 4097), false),
    ])
    func whatIsKept(line: String, isKept: Bool) { #expect(LineFile.isKept(line) == isKept) }

    @Test func linesComeBackAndTheFileIsPrivate() throws {
        try AtomicFileTests.withFolder { folder in
            let path = folder + "/history"
            let history = LineFile(path: path)
            #expect(history.load() == [])
            for line in ["connect", "read 2a19", " hidden"] { history.append(line) }
            #expect(LineFile(path: path).load() == ["connect", "read 2a19"])
            #expect(Self.mode(of: path) == 0o600)
        }
    }

    @Test func aLongHistoryIsCut() throws {
        try AtomicFileTests.withFolder { folder in
            let path = folder + "/history"
            let history = LineFile(path: path)
            for number in 0..<2500 { history.append("read 0x\(UInt16(number).hexadecimal)") }
            let kept = history.load()
            #expect(kept.count == LineFile.limit)
            #expect(kept.last == "read 0x09c3")
            #expect(AtomicFileTests.text(path) == kept.map { $0 + "\n" }.joined())
            #expect(Self.mode(of: path) == 0o600)
            #expect(history.load() == kept)
        }
    }

    @Test func whatIsNoTextIsLeftOut() throws {
        try AtomicFileTests.withFolder { folder in
            let path = folder + "/history"
            try Data("read 2a19\n\u{1B}]0;title\u{7}\n\nmtu\n".utf8).write(to: URL(fileURLWithPath: path))
            #expect(LineFile(path: path).load() == ["read 2a19", "mtu"])
        }
    }

    @Test func ofAHugeFileOnlyTheEndIsRead() throws {
        try AtomicFileTests.withFolder { folder in
            let path = folder + "/history"
            let long = String(repeating: "x", count: 4000) + "\n"
            let text = String(repeating: long, count: 300) + "mtu\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let lines = LineFile(path: path).load()
            #expect(lines.last == "mtu")
            #expect((1...200).contains(lines.count))
            #expect(lines.dropLast().allSatisfy { $0.utf8.count == 4000 })
        }
    }

    @Test func aFolderInItsPlaceIsNoHarm() throws {
        try AtomicFileTests.withFolder { folder in
            LineFile(path: folder).append("read 2a19")
            #expect(LineFile(path: folder).load() == [])
        }
    }

    @Test(arguments: [
        (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/lantern"),
        (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/lantern"),
        (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/h/.local/state/lantern"),
    ])
    func itLiesInTheStateFolder(environment: [String: String], path: String) {
        #expect(DataFolder.state(environment: environment) == path)
    }
}

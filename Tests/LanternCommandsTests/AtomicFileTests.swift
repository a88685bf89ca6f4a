// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import Testing

@testable import CommandIO
@testable import LanternCommands

@Suite("Files that are whole or not there")
struct AtomicFileTests {
    static func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/lantern-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aFileAppearsWhenItIsFinished() throws {
        try Self.withFolder { folder in
            let path = folder + "/out.csv"
            let file = try AtomicFile(path: path)
            try file.write(Array("abc".utf8))
            #expect(Self.text(path) == nil)
            try file.write(Array("def".utf8))
            try file.finish()
            #expect(Self.text(path) == "abcdef")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["out.csv"])
        }
    }

    @Test func aDatabaseIsNotWrittenOverWhateverNameLeadsToIt() throws {
        try Self.withFolder { folder in
            let path = folder + "/store"
            let link = folder + "/link.csv"
            let octets = Data("SQLite format 3\0 and more".utf8)
            try octets.write(to: URL(fileURLWithPath: path))
            try FileManager.default.linkItem(atPath: path, toPath: link)
            for name in [path, link, folder + "/./store"] {
                let error = #expect(throws: CommandError.self) { try AtomicFile(path: name) }
                #expect(
                    error?.sentence.hasSuffix("is a database, which would be lost. Name another file.")
                        == true)
                #expect(throws: CommandError.self) { try RecordingFile(path: name) }
            }
            #expect(FileManager.default.contents(atPath: path) == octets)
            // What only begins like one is no database.
            try Data("SQLite format 3".utf8).write(to: URL(fileURLWithPath: link + "2"))
            _ = try AtomicFile(path: link + "2")
        }
    }

    @Test func aFileThatIsNotFinishedLeavesTheOldOne() throws {
        try Self.withFolder { folder in
            let path = folder + "/out.csv"
            try Data("old".utf8).write(to: URL(fileURLWithPath: path))
            do {
                let file = try AtomicFile(path: path)
                try file.write(Array("new".utf8))
                #expect(Self.text(path) == "old")
            }
            #expect(Self.text(path) == "old")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["out.csv"])
        }
    }

    @Test func aLinkStaysALink() throws {
        try Self.withFolder { folder in
            try Data("old".utf8).write(to: URL(fileURLWithPath: folder + "/real"))
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/link", withDestinationPath: folder + "/real")
            let file = try AtomicFile(path: folder + "/link")
            try file.write(Array("new".utf8))
            try file.finish()
            #expect(Self.text(folder + "/real") == "new")
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link")
            #expect(target == folder + "/real")
        }
    }

    @Test func whatCannotBeWrittenIsRefusedWithItsName() throws {
        try Self.withFolder { folder in
            for path in [folder, folder + "/missing/out.csv"] {
                let error = #expect(throws: CommandError.self) { _ = try AtomicFile(path: path) }
                #expect(error?.status == .failed)
                #expect(error?.sentence.contains(path) == true)
            }
        }
    }

    @Test func aDeviceIsWrittenToAsItIs() throws {
        let file = try AtomicFile(path: "/dev/null")
        try file.write(Array("abc".utf8))
        try file.finish()
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
    }
}

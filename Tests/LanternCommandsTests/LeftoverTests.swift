// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LanternCommands

@Suite("What killed programs have left behind")
struct LeftoverTests {
    @Test func itGoesFromFoldersOfCopiesAndCapturesToo() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/lantern-left-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = ".lantern-\(UUID().uuidString)", old = Date().addingTimeInterval(-100_000)
        let names = [
            copy, copy + "-journal", "drive.btsnoop.partial", "drive.btsnoop", "lantern-2026.sqlite",
            "other.partial",
        ]
        for name in names {
            _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data([1]))
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: "\(folder)/\(name)")
        }
        let fresh = ".lantern-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: "\(folder)/\(fresh)", contents: Data([1]))
        Leftovers.remove(beside: folder + "/copy")
        var left = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        #expect(
            left
                == Set([
                    fresh, "drive.btsnoop.partial", "drive.btsnoop", "lantern-2026.sqlite", "other.partial",
                ]))
        Leftovers.remove(beside: folder + "/drive.btsnoop")
        left = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        #expect(left == Set([fresh, "drive.btsnoop", "lantern-2026.sqlite", "other.partial"]))
    }
}

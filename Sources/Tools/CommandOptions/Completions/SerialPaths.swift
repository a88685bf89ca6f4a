// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a path of a serial port may become.
enum SerialPaths {
    /// What sticks and boards are called.
    private static let usual = ["ttyUSB", "ttyACM", "cu."]

    /// The devices and folders of a folder, those first that are likely meant.
    ///
    /// - Parameter typed: The beginning of a path, with its folder.
    /// - Returns: Whole paths, those of folders with `/` at the end; in `/dev` itself, only likely ones where there are any.
    static func completing(_ typed: String) -> [String] {
        guard let slash = typed.lastIndex(of: "/") else { return [] }
        let folder = String(typed[...slash])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let isOpen = typed.hasSuffix("/")
        let likely = names.filter { name in usual.contains { name.hasPrefix($0) } }
        let wanted = isOpen && folder == "/dev/" && !likely.isEmpty ? likely : names
        return wanted.sorted().compactMap { name in
            let path = folder + name
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: return path + "/"
            case S_IFCHR: return path
            default: return nil
            }
        }
    }
}

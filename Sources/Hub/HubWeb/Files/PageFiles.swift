// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The pages, read once: what is served is what is in here, so no address leads out of their folder.
struct PageFiles: Sendable {
    private var files: [String: PageFile] = [:]

    /// Reads a folder; what is not of a known kind stays out.
    init(folder: URL) throws {
        let root = folder.standardizedFileURL.resolvingSymlinksInPath().path
        let walk = FileManager.default.enumerator(atPath: root)
        while let path = walk?.nextObject() as? String {
            files["/\(path)"] = try PageFile(URL(fileURLWithPath: "\(root)/\(path)"))
        }
        guard files["/index.html"] != nil else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "\(root)/index.html"])
        }
    }

    /// Where the pages that need no hub are served.
    static let browserPrefix = "/browser/"

    /// The folder of the pages that need no hub, where a package has put it.
    static func browserFolder(beside program: URL?) -> URL? {
        guard let folder = program?.resolvingSymlinksInPath().deletingLastPathComponent() else { return nil }
        let place = folder.deletingLastPathComponent().appendingPathComponent("share/lantern/browser")
        return FileManager.default.fileExists(atPath: place.path) ? place : nil
    }

    /// The folder of the pages: beside the program, where a package has put it, or where SwiftPM has.
    static func folder(beside program: URL?) -> URL? {
        var places: [URL] = []
        if let folder = program?.resolvingSymlinksInPath().deletingLastPathComponent() {
            places.append(folder.appendingPathComponent("pages"))
            places.append(
                folder.deletingLastPathComponent().appendingPathComponent("share/lantern/pages"))
            // What `Bundle.module` finds, which ends the program where there is none.
            places.append(folder.appendingPathComponent("Lantern_HubWeb.resources/Public"))
            places.append(
                folder.appendingPathComponent("Lantern_HubWeb.bundle/Contents/Resources/Public"))
        }
        return places.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("index.html").path)
        }
    }

    /// The file for an address; `nil` when there is no such file.
    func file(_ path: Substring) -> PageFile? {
        PercentCoding.decoded(path).flatMap { files[$0 == "/" ? "/index.html" : $0] }
    }
}

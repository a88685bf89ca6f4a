// SPDX-License-Identifier: Apache-2.0

import Companion
import Crypto
import Foundation

/// The pages, read once: what is served is what is in here, so no address leads out of their folder.
struct PageFiles: Sendable {
    private static let versionPrefix = "/v/"

    private var files: [String: PageFile] = [:]
    /// Names what is in all of them together.
    let version: String

    /// Reads a folder; what is not of a known kind stays out.
    ///
    /// - Parameters:
    ///   - folder: Where they are.
    ///   - isVersioned: Whether the first page asks for its parts where they never change: `/v/5e884898da280471/app.js`.
    ///     Those ask for theirs there by themselves, since the addresses in them are relative.
    /// - Throws: What keeps them from being read.
    init(folder: URL, isVersioned: Bool = false) throws {
        let root = folder.standardizedFileURL.resolvingSymlinksInPath().path
        let walk = FileManager.default.enumerator(atPath: root)
        while let path = walk?.nextObject() as? String {
            files["/\(path)"] = try PageFile(URL(fileURLWithPath: "\(root)/\(path)"))
        }
        guard let first = files["/index.html"] else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "\(root)/index.html"])
        }
        let all = files.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.tag)\n" }.joined()
        version = SHA256.hash(data: Data(all.utf8)).prefix(8).map { String($0, radix: 16) }.joined()
        if isVersioned { files["/index.html"] = first.naming(version: version) }
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

    /// An address without a version, and for how long browsers may keep what is there.
    ///
    /// A page that stays open while the hub is replaced by a newer one goes on to ask for the older version. It gets what
    /// there is now, and has to ask again.
    func unversioned(_ path: Substring) -> (path: Substring, keeping: String) {
        let rest = path.dropFirst(Self.versionPrefix.count)
        guard path.hasPrefix(Self.versionPrefix), let end = rest.firstIndex(of: "/") else {
            return (path, "no-cache")
        }
        return (rest[end...], rest[..<end] == version ? "public, max-age=31536000, immutable" : "no-cache")
    }

    /// The file for an address; `nil` when there is no such file.
    func file(_ path: Substring) -> PageFile? {
        PercentCoding.decoded(path).flatMap { files[$0 == "/" ? "/index.html" : $0] }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOPosix
import Synchronization

/// Leaflet, which draws the map, from where the system's package has put it.
///
/// It is looked for with each request, so that it need not be there when the hub starts, and read and packed again only
/// when it has changed. Only the two files that the pages ask for are answered, so no address leads elsewhere.
final class LeafletFiles: Sendable {
    /// Where Debian's libjs-leaflet is.
    static let system = URL(fileURLWithPath: "/usr/share/javascript/leaflet")
    /// Where pages find it.
    static let prefix = "/leaflet/"
    private static let names = ["leaflet.esm.min.js", "leaflet.css"]

    /// The folder with its files.
    private let folder: URL
    private let read = Mutex<[String: (changed: Date, file: PageFile)]>([:])

    init(folder: URL = LeafletFiles.system) { self.folder = folder }

    /// The file for an address; `nil` when there is none.
    func file(_ path: Substring) async -> PageFile? {
        guard path.hasPrefix(Self.prefix), let name = Self.names.first(where: { path.dropFirst(9) == $0 })
        else { return nil }
        return try? await NIOThreadPool.singleton.runIfActive { try self.file(named: name) }
    }

    private func file(named name: String) throws -> PageFile? {
        let place = folder.appendingPathComponent(name).resolvingSymlinksInPath()
        let changed = try FileManager.default.attributesOfItem(atPath: place.path)[.modificationDate] as? Date
        if let known = read.withLock({ $0[name] }), known.changed == changed { return known.file }
        let file = try PageFile(place)
        if let changed, let file { read.withLock { $0[name] = (changed, file) } }
        return file
    }
}

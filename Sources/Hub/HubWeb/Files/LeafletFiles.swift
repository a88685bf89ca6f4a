// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOPosix

/// Leaflet, which draws the map, from where the system's package has put it.
///
/// It is looked for with each request, so that it need not be there when the hub starts. Only the two files that the
/// pages ask for are answered, so no address leads elsewhere.
struct LeafletFiles: Sendable {
    /// Where Debian's libjs-leaflet is.
    static let system = URL(fileURLWithPath: "/usr/share/javascript/leaflet")
    /// Where pages find it.
    static let prefix = "/leaflet/"
    private static let names = ["leaflet.esm.min.js", "leaflet.css"]

    /// The folder with its files.
    var folder = Self.system

    /// The file for an address; `nil` when there is none.
    func file(_ path: Substring) async -> PageFile? {
        guard path.hasPrefix(Self.prefix), let name = Self.names.first(where: { path.dropFirst(9) == $0 })
        else { return nil }
        return try? await NIOThreadPool.singleton.runIfActive { [folder] in
            try PageFile(folder.appendingPathComponent(name))
        }
    }
}

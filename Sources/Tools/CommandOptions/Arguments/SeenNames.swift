// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import CommandIO
package import Companion
import Foundation

/// The names of devices that were seen lately, which stand for their addresses.
///
/// The file has a line each: the address with its kind, a blank, the name. The latest lines stand last.
package struct SeenNames {
    private let file: LineFile

    /// Uses a file.
    package init(_ file: LineFile) { self.file = file }

    /// The names in the person's state folder; `nil` where there can be none.
    package static func inStateFolder() -> SeenNames? {
        LineFile.inStateFolder("devices-seen").map(SeenNames.init)
    }

    /// What was seen, the latest last: each address once, with the name that it had then.
    package var all: [(peer: Peer, name: String)] {
        var seen: [(peer: Peer, name: String)] = []
        for line in file.load() {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let peer = Peer(String(parts[0])),
                let name = WireText(name: Array(parts[1].utf8))
            else { continue }
            seen.removeAll { $0.peer == peer }
            seen.append((peer, name.string))
        }
        return seen
    }

    /// The devices of a name, in whatever case.
    package func devices(called name: String) -> [Peer] {
        let wanted = name.lowercased()
        return all.filter { $0.name.lowercased() == wanted }.map(\.peer)
    }

    /// Keeps the names of devices that have addresses.
    ///
    /// - Parameter devices: The devices.
    package func keep(_ devices: [SeenDevice]) {
        let known = all
        for device in devices where !device.peer.isAnonymous {
            guard let name = device.advertised.name,
                !known.contains(where: { $0 == (device.peer, name) })
            else { continue }
            file.append("\(device.peer) \(name)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire

/// Everything that a device offers, with all that can be read.
package struct GATTTree: Sendable {
    /// What came of reading an attribute.
    package enum Reading: Hashable, Sendable {
        /// It is not there to be read.
        case notReadable
        /// It is not read: it says only what this program itself has switched on, and nothing about the device.
        case ours
        /// Its value.
        case value([UInt8])
        /// Why the device did not give it; without the code when its answer made no sense.
        case refused(String, ATT.ErrorCode?)
    }

    /// The device.
    package let peer: Peer
    /// The MTU that was agreed, in octets.
    package let mtu: Int
    /// The services in handle order.
    package let services: [GATT.Service]
    /// What was read, by handle.
    package let readings: [AttributeHandle: Reading]

    /// Makes a tree.
    package init(
        peer: Peer, mtu: Int, services: [GATT.Service], readings: [AttributeHandle: Reading]
    ) {
        self.peer = peer
        self.mtu = mtu
        self.services = services
        self.readings = readings
    }

    /// What came of reading an attribute.
    package subscript(handle: AttributeHandle) -> Reading { readings[handle] ?? .notReadable }

    /// Whether a descriptor is the one by which this program has the device tell when its services change.
    package static func isOurs(_ descriptor: BluetoothUUID, of characteristic: BluetoothUUID) -> Bool {
        characteristic == BluetoothUUID(0x2A05) && descriptor == BluetoothUUID(0x2902)
    }
}

extension GATT.Properties {
    /// The properties as JSON spells them, in the order of their bits.
    package var words: [String] {
        let all: [(GATT.Properties, String)] = [
            (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write_without_response"),
            (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
            (.authenticatedSignedWrites, "authenticated_signed_writes"),
            (.extendedProperties, "extended_properties"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }

    /// The property that JSON spells so.
    ///
    /// - Parameter word: One of ``words``.
    package init?(word: String) {
        let all = (0..<8).lazy.map { GATT.Properties(rawValue: 1 << $0) }
        guard let property = all.first(where: { $0.words == [word] }) else { return nil }
        self = property
    }
}

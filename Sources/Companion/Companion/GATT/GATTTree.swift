// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE

/// Everything that a device offers, with all that can be read.
struct GATTTree: Sendable {
    /// What came of reading an attribute.
    enum Reading: Hashable, Sendable {
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
    let peer: Peer
    /// The MTU that was agreed, in octets.
    let mtu: Int
    /// The services in handle order.
    let services: [GATT.Service]
    /// What was read, by handle.
    let readings: [AttributeHandle: Reading]

    /// Makes a tree.
    init(
        peer: Peer, mtu: Int, services: [GATT.Service], readings: [AttributeHandle: Reading]
    ) {
        self.peer = peer
        self.mtu = mtu
        self.services = services
        self.readings = readings
    }

    /// Finds and reads everything.
    ///
    /// - Parameter connection: The link.
    /// - Throws: ``BluetoothError`` when the link is lost or the device does not answer.
    init(over connection: Connection) async throws(BluetoothError) {
        let services = try await connection.discoverServices()
        var readings: [AttributeHandle: Reading] = [:]
        for characteristic in services.flatMap(\.characteristics) {
            if characteristic.properties.contains(.read) {
                readings[characteristic.valueHandle] = try await Self.read(
                    characteristic.valueHandle, over: connection)
            }
            for descriptor in characteristic.descriptors {
                readings[descriptor.handle] =
                    Self.isOurs(descriptor.uuid, of: characteristic.uuid)
                    ? .ours : try await Self.read(descriptor.handle, over: connection)
            }
        }
        self.init(peer: connection.peer, mtu: connection.mtu, services: services, readings: readings)
    }

    /// What came of reading an attribute.
    subscript(handle: AttributeHandle) -> Reading { readings[handle] ?? .notReadable }

    /// Whether a descriptor is the one by which this program has the device tell when its services change.
    static func isOurs(_ descriptor: BluetoothUUID, of characteristic: BluetoothUUID) -> Bool {
        characteristic == BluetoothUUID(0x2A05) && descriptor == BluetoothUUID(0x2902)
    }

    private static func read(
        _ handle: AttributeHandle, over connection: Connection
    ) async throws(BluetoothError) -> Reading {
        do {
            return .value(try await connection.read(ValueHandle(handle)))
        } catch .refused(let code) {
            return .refused(code.description, code)
        } catch .servicesChanged {
            // A device may say so of one attribute; if it is true of all, what is saved is still what was there.
            return .refused(ATT.ErrorCode.databaseOutOfSync.description, .databaseOutOfSync)
        } catch .badResponse {
            return .refused("the answer makes no sense", nil)
        }
    }
}

extension GATT.Properties {
    /// The properties as JSON spells them, in the order of their bits.
    var words: [String] {
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
    init?(word: String) {
        let all = (0..<8).lazy.map { GATT.Properties(rawValue: 1 << $0) }
        guard let property = all.first(where: { $0.words == [word] }) else { return nil }
        self = property
    }
}

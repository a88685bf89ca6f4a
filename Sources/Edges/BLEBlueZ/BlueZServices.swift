// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import DBus

/// The services of a device as BlueZ's objects tell them.
struct BlueZServices {
    /// An object whose value can be read or written.
    struct Value {
        let path: String
        /// Its interface.
        let interface: String
    }

    /// In handle order.
    private(set) var services: [GATT.Service] = []
    /// The objects of values and descriptors.
    private(set) var values: [AttributeHandle: Value] = [:]
    /// The MTU that a characteristic tells, in octets.
    private(set) var mtu: Int?

    /// Reads the objects below a device's; those that make no sense are left out.
    init(_ objects: DBusObjects, of device: String) {
        func children(_ parent: String, _ interface: String, _ kind: String) -> [(
            UInt16, String, BluetoothUUID
        )] {
            objects.all(interface).compactMap { path, properties in
                guard path.hasPrefix(parent + "/"), let handle = BlueZ.handle(path, after: kind),
                    let uuid = properties["UUID"]?.string.flatMap({ BluetoothUUID($0) })
                else { return nil }
                return (handle, path, uuid)
            }
            .sorted { $0.0 < $1.0 }
        }
        let found = children(device, BlueZ.gattService, "service")
        for (index, (start, path, uuid)) in found.enumerated() {
            // The last handle is not told: it is as far as the next service at most.
            let end = index + 1 < found.count ? found[index + 1].0 - 1 : UInt16.max
            let inside = children(path, BlueZ.characteristic, "char").filter { $0.0 > start && $0.0 < end }
            var characteristics: [GATT.Characteristic] = []
            for (index, (declaration, path, uuid)) in inside.enumerated() {
                let end = index + 1 < inside.count ? inside[index + 1].0 - 1 : end
                let properties = objects.properties(path, BlueZ.characteristic) ?? [:]
                if let mtu = properties["MTU"]?.integer, (23...517).contains(mtu) { self.mtu = mtu }
                let descriptors = children(path, BlueZ.descriptor, "desc")
                    .filter { $0.0 > declaration + 1 && $0.0 <= end }
                for (handle, path, _) in descriptors {
                    values[AttributeHandle(rawValue: handle)] = Value(path: path, interface: BlueZ.descriptor)
                }
                values[AttributeHandle(rawValue: declaration + 1)] = Value(
                    path: path, interface: BlueZ.characteristic)
                characteristics.append(
                    GATT.Characteristic(
                        uuid: uuid, handle: AttributeHandle(rawValue: declaration),
                        valueHandle: AttributeHandle(rawValue: declaration + 1),
                        endHandle: AttributeHandle(rawValue: end),
                        properties: BlueZ.properties(properties["Flags"]?.strings ?? []),
                        descriptors: descriptors.map { handle, _, uuid in
                            GATT.Descriptor(uuid: uuid, handle: AttributeHandle(rawValue: handle))
                        }))
            }
            services.append(
                GATT.Service(
                    uuid: uuid, handle: AttributeHandle(rawValue: start),
                    endHandle: AttributeHandle(rawValue: end),
                    isPrimary: objects.properties(path, BlueZ.gattService)?["Primary"]?.bool ?? true,
                    characteristics: characteristics))
        }
    }
}

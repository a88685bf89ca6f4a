// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire

extension GATT.Database {
    /// What a client finds in a server with this database.
    ///
    /// - Parameter step: How much higher the handles are that the client finds.
    /// - Returns: The primary services, with their characteristics.
    public func discovered(movedBy step: UInt16 = 0) -> [GATT.Service] {
        var found: [GATT.Service] = []
        func moved(_ handle: AttributeHandle) -> AttributeHandle {
            AttributeHandle(rawValue: handle.rawValue &+ step)
        }
        for attribute in attributes {
            let handle = moved(attribute.handle)
            switch attribute.content {
            case .constant(let octets) where attribute.type == GATT.AttributeType.primaryService:
                found.append(
                    GATT.Service(
                        uuid: Self.uuid(octets), handle: handle, endHandle: moved(attribute.groupEnd),
                        characteristics: []))
            case .value(let properties, _):
                guard !found.isEmpty else { break }
                // The declaration stands right before the value.
                found[found.count - 1].characteristics.append(
                    GATT.Characteristic(
                        uuid: attribute.type, handle: AttributeHandle(rawValue: handle.rawValue &- 1),
                        valueHandle: handle, endHandle: handle, properties: properties))
            case .clientConfiguration:
                guard let service = found.indices.last,
                    let characteristic = found[service].characteristics.indices.last
                else { break }
                found[service].characteristics[characteristic].endHandle = handle
                found[service].characteristics[characteristic].descriptors.append(
                    GATT.Descriptor(uuid: attribute.type, handle: handle))
            default: break
            }
        }
        return found
    }

    private static func uuid(_ octets: [UInt8]) -> BluetoothUUID {
        var reader = ByteReader(octets.octetSpan.bytes)
        do throws(DecodeError) {
            return try BluetoothUUID(decodingAttributeType: &reader)
        } catch {
            // The database has encoded it itself.
            return BluetoothUUID(0)
        }
    }
}

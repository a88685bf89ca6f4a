// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

extension GATT.Database {
    /// Gives the Database Hash its value, where there is one.
    mutating func updateHash() {
        for index in attributes.indices
        where attributes[index].type == GATT.CharacteristicType.databaseHash {
            attributes[index].content = .value(.read, .stored(hash))
        }
    }

    /// What the Database Hash says of these attributes: 16 octets, the least significant first.
    ///
    /// It covers what a client finds out by discovery: the declarations with their values, and that the other
    /// descriptors of the specification are there; not the values of characteristics.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 7.3.1; Part F, 3.3.1 (which octet comes first).
    public var hash: [UInt8] {
        var message = ByteWriter(capacity: attributes.count * 8)
        for attribute in attributes {
            switch attribute.type.short {
            case 0x2800?, 0x2801?, 0x2802?, 0x2803?, 0x2900?:
                message.write(attribute.handle.rawValue)
                attribute.type.encodeAttributeType(into: &message)
                if case .constant(let value) = attribute.content { message.write(value) }
            case 0x2901?, 0x2902?, 0x2903?, 0x2904?, 0x2905?:
                message.write(attribute.handle.rawValue)
                attribute.type.encodeAttributeType(into: &message)
            default: break
            }
        }
        return AES128(key: [UInt8](repeating: 0, count: 16)).cmac(message.octets).reversed()
    }
}

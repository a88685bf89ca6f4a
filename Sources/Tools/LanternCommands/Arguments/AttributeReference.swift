// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion

/// A characteristic or descriptor as a person names it: by UUID (`2a19`) or by handle (`0x001f`).
enum AttributeReference: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
    case uuid(BluetoothUUID)
    case handle(AttributeHandle)

    init?(argument: String) {
        let digits = argument.dropFirst(2)
        if argument.lowercased().hasPrefix("0x"), digits.utf8.count <= 4 {
            guard let number = UInt16(digits, radix: 16), number > 0, digits.first != "+" else { return nil }
            self = .handle(AttributeHandle(rawValue: number))
        } else {
            guard let uuid = BluetoothUUID(argument) else { return nil }
            self = .uuid(uuid)
        }
    }

    /// As it is written.
    var description: String {
        switch self {
        case .uuid(let uuid): uuid.description
        case .handle(let handle): handle.text
        }
    }
}

extension BluetoothUUID {
    /// Reads a UUID that stands behind an option; for `transform:`.
    static func argument(_ text: String) throws -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else {
            throw ValidationError("A UUID has 4, 8 or 32 hex digits.")
        }
        return uuid
    }
}

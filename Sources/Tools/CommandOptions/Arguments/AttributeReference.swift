// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
package import BLEWire
public import Companion
import ProductRegistry

extension AttributeReference: ExpressibleByArgument {
    /// Reads the value of an option.
    public init?(argument: String) { self.init(argument) }
}

extension BluetoothUUID {
    /// Reads a UUID, or the name of a standard service or of one of our products; for `transform:`.
    package static func service(_ text: String) throws -> BluetoothUUID {
        if let uuid = BluetoothUUID(text) { return uuid }
        let wanted = AttributeTarget.word(text)
        let found = UUIDNames.services.filter { AttributeTarget.word($0.name) == wanted }
        guard let service = found.first, found.count == 1 else {
            throw ValidationError(
                "A service is a UUID of 4, 8 or 32 hex digits, or a name such as heart-rate.")
        }
        return service.uuid
    }
}

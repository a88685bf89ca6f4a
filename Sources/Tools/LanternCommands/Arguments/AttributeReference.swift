// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion

extension AttributeReference: ExpressibleByArgument {
    /// Reads what stands behind an option.
    package init?(argument: String) { self.init(argument) }
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

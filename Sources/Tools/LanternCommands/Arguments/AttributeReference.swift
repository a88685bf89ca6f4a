// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import Companion
import CompanionText

extension AttributeReference: ExpressibleByArgument {
    /// Reads a UUID, a handle with `0x` before it, or else a name.
    package init?(argument: String) {
        let digits = argument.dropFirst(2)
        if argument.lowercased().hasPrefix("0x") {
            guard digits.utf8.count <= 4, let number = UInt16(digits, radix: 16), number > 0,
                digits.first != "+"
            else { return nil }
            self = .handle(AttributeHandle(rawValue: number))
        } else if let uuid = BluetoothUUID(argument) {
            self = .uuid(uuid)
        } else {
            // What has nothing but digits was meant as a UUID.
            guard argument.contains(where: { $0.isLetter && !$0.isHexDigit }) else { return nil }
            self = .name(argument)
        }
    }
}

extension AttributeTarget {
    /// Finds what a person means.
    ///
    /// - Parameters:
    ///   - reference: What was written.
    ///   - services: What the device has.
    ///   - list: The command that shows all there is.
    /// - Returns: The attribute.
    /// - Throws: ``CommandError`` when there is none, or more than one.
    static func named(
        _ reference: AttributeReference, in services: [GATT.Service], list: String = "lantern gatt tree"
    ) throws(CommandError) -> AttributeTarget {
        do throws(AttributeFault) {
            return try find(reference, in: services)
        } catch {
            let sentence = error.sentence(list: list)
            if case .missing = error { throw .nothingFound(sentence) } else { throw .wrongUsage(sentence) }
        }
    }
}

extension BluetoothUUID {
    /// Reads a UUID, or the name of a standard service or of one of our products; for `transform:`.
    static func service(_ text: String) throws -> BluetoothUUID {
        if let uuid = BluetoothUUID(text) { return uuid }
        let wanted = AttributeTarget.word(text)
        let found = UUIDNames.services.filter { AttributeTarget.word($0.name) == wanted }
        guard let service = found.first, found.count == 1 else {
            throw ValidationError(
                "A service is a UUID of 4, 8 or 32 hex digits, or a name such as heart-rate.")
        }
        return service.uuid
    }

    /// Reads a UUID that stands behind an option; for `transform:`.
    static func argument(_ text: String) throws -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else {
            throw ValidationError("A UUID has 4, 8 or 32 hex digits.")
        }
        return uuid
    }
}

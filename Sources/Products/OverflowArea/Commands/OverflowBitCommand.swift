// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import OverflowArea

/// `lantern overflow bit`: which bit a service sets.
struct OverflowBitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bit",
        abstract: "Say which bit a service sets, and who else is known to set it.",
        discussion: """
            The bit is the CRC-8 of the UUID's 16 octets (polynomial 0x09) without its top bit: octet bit / 8 of \
            the map, mask 1 << bit % 8. The table index is that of the published table, which counts from the \
            other end of each octet.
            """)

    @OptionGroup var format: FormatOptions

    @Argument(
        help: ArgumentHelp("The services: 4, 8 or 32 hex digits each.", valueName: "uuid"),
        transform: BluetoothUUID.argument)
    var uuids: [BluetoothUUID]

    func run() throws {
        let output = Output.standard()
        for uuid in uuids {
            try output.line(format.isJSON ? Self.json(uuid) : Self.text(uuid, on: output.terminal))
        }
    }

    /// The bit as one JSON object.
    static func json(_ uuid: BluetoothUUID) -> String {
        let bit = OverflowBit(of: uuid)
        var json = JSONWriter()
        json.object { json in
            json.field("uuid", uuid.description)
            json.field("bit", bit.number)
            json.field("octet", bit.octet)
            json.field("mask", [bit.mask].mask)
            json.field("table_index", bit.tableIndex)
        }
        return json.text
    }

    /// The bit as a line for a person.
    static func text(_ uuid: BluetoothUUID, on terminal: Terminal) -> String {
        let bit = OverflowBit(of: uuid)
        let place =
            "bit \(bit.number), octet \(bit.octet), mask \([bit.mask].mask), table index \(bit.tableIndex)"
        let names = bit.names.isEmpty ? "nobody known" : bit.names.joined(separator: ", ")
        return terminal.styled(uuid.description, .bold) + "  " + place + "  " + terminal.styled(names, .cyan)
    }
}

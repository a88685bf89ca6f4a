// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import OverflowArea
import OverflowAreaCompanion

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
        help: ArgumentHelp(
            "The services: 4, 8 or 32 hex digits each, or names such as heart-rate.", valueName: "uuid|name"),
        completion: .serviceNames, transform: BluetoothUUID.service)
    var uuids: [BluetoothUUID]

    func run() throws {
        let printer = EventPrinter(to: .standard(), isJSON: format.isJSON)
        for found in uuids.map(OverflowBitFound.init) { try printer.show(found) { _ in [found.styledLine] } }
    }
}

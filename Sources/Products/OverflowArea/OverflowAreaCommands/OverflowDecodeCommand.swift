// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEAdvertising
import BLEWire
import CommandIO
import CommandOptions
import Companion
import OverflowArea
import OverflowAreaCompanion

/// `lantern overflow decode`: what a map says.
struct OverflowDecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Read a map: its bits, the services that may have set them, and payloads.",
        discussion: """
            Takes advertising data, one structure of Apple with or without its length and type (14FF4C0001…, \
            FF4C0001…, 4C0001…), or the 16 octets of a map. One map has no history, so every payload is shown; \
            `polluted` says whether the half without it is occupied.
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var judging: PollutionOptions

    @Argument(help: ArgumentHelp("The octets.", valueName: "hex"))
    var hex: String

    func run() throws {
        let map = try Self.map(in: hex)
        let read = OverflowMapRead(map, judging.pollution.reading)
        try EventPrinter(to: .standard(), isJSON: format.isJSON).show(read) { _ in read.lines }
    }

    /// Finds the map in what a person has given.
    ///
    /// - Parameter hex: The octets as hex, as people type them.
    /// - Returns: The map.
    /// - Throws: ``CommandError`` when it is no hex, is cut off, or has no map.
    static func map(in hex: String) throws(CommandError) -> OverflowMap {
        guard let octets = [UInt8](typed: hex), !octets.isEmpty else {
            throw .wrongUsage("These are not octets in hex: write pairs of the digits 0 to 9 and a to f.")
        }
        if let map = OverflowMap(octets: octets) { return map }
        // No advertisement with a map has so few.
        if octets.count < OverflowMap.octetCount, !octets.starts(with: [0x4C, 0x00]),
            !octets.starts(with: [0xFF, 0x4C, 0x00])
        {
            throw .failed(
                "A map has 16 octets, and \(octets.count == 1 ? "this is 1" : "these are \(octets.count)"). Copy the whole map, or the whole advertisement."
            )
        }
        let found: OverflowAdvertisement
        if octets.starts(with: [0x4C, 0x00]) {
            found = OverflowAdvertisement(appleData: Array(octets.dropFirst(2)))
        } else if octets.starts(with: [0xFF, 0x4C, 0x00]) {
            found = OverflowAdvertisement(appleData: Array(octets.dropFirst(3)))
        } else {
            found = OverflowAdvertisement(advertisingData: octets)
            if found.fault == nil, let start = AdvertisingData(octets).fault {
                throw .failed("The advertising structure at octet \(start) is longer than what is there.")
            }
        }
        if let count = found.octetsOfCutMap {
            throw .failed("The map is too short: \(count) of its 16 octets are there.")
        }
        if let fault = found.fault { throw .failed("Apple's data are cut off: \(fault).") }
        guard let map = found.map else {
            throw .failed("There is no overflow area in it: no message of type 01 in Apple's data.")
        }
        return map
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEAdvertising
import BLEWire
import Companion
import OverflowArea

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
        let output = Output.standard()
        let report = Report(map, judging.pollution.reading)
        if format.isJSON {
            try output.line(report.json)
        } else {
            for line in report.lines(on: output.terminal) { try output.line(line) }
        }
    }

    /// Finds the map in what a person has given.
    ///
    /// - Parameter hex: The octets as hex; `0x` before them and blanks between them are passed over.
    /// - Returns: The map.
    /// - Throws: ``CommandError`` when it is no hex, is cut off, or has no map.
    static func map(in hex: String) throws(CommandError) -> OverflowMap {
        let digits = hex.lowercased().hasPrefix("0x") ? hex.dropFirst(2) : hex[...]
        guard let octets = [UInt8](hexadecimal: digits), !octets.isEmpty else {
            throw .wrongUsage("These are no octets in hex: pairs of the digits 0 to 9 and a to f.")
        }
        if let map = OverflowMap(octets: octets) { return map }
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
        if let fault = found.fault { throw .failed("Apple's data are cut off: \(fault).") }
        guard let map = found.map else {
            throw .failed("There is no overflow area in it: no message of type 01 in Apple's data.")
        }
        return map
    }

    /// What a map says by itself.
    struct Report {
        /// The map.
        let map: OverflowMap
        /// The messages in it, with whether the half without them is occupied.
        let messages: [(message: OverflowMessage, isPolluted: Bool)]

        /// Reads a map.
        ///
        /// - Parameters:
        ///   - map: The map.
        ///   - reading: What counts as pollution.
        init(_ map: OverflowMap, _ reading: OverflowBanks.Reading) {
            self.map = map
            messages = [OverflowBanks.message(in: map), OverflowHamming.message(in: map)].compactMap {
                message in
                guard let message else { return nil }
                // The bit that v2 sets by itself in the other half is its own.
                let own = message.codec == .v2 ? OverflowHamming.map(of: message.payload) : OverflowMap()
                let others = map.subtracting(own)
                return (message, OverflowBanks.isOccupied(message.position.other, in: others, reading))
            }
        }

        /// As one JSON object.
        var json: String {
            var json = JSONWriter()
            json.object { json in
                json.field("map", map.description)
                json.bits(of: map)
                json.candidates(for: map)
                json.key("payloads")
                json.array { json in
                    for (message, isPolluted) in messages {
                        json.object { json in
                            json.field("codec", message.codec.description)
                            json.field("position", message.position.rawValue)
                            json.field("payload", message.payload.description)
                            json.field("polluted", isPolluted)
                            json.field("corrected_bits", message.correctedBits)
                        }
                    }
                }
            }
            return json.text
        }

        /// For a person.
        func lines(on terminal: Terminal) -> [String] {
            var lines = ["map      \(terminal.styled(map.description, .bold))"]
            for (message, isPolluted) in messages {
                var words = "\(message.codec)"
                if message.codec == .v1 { words += ", position \(message.position.rawValue)" }
                if message.correctedBits > 0 { words += ", one bit corrected" }
                if isPolluted { words += ", other bits in the other half" }
                lines.append("payload  \(terminal.styled(message.payload.description, .green))  \(words)")
            }
            for bit in map {
                let names = bit.names
                var text = names.isEmpty ? "nobody known" : names.joined(separator: ", ")
                if names.count > 1 { text += " (these collide)" }
                let number = TerminalText.padded("\(bit.number)", columns: 3)
                lines.append("bit \(number)  \(terminal.styled(text, names.isEmpty ? .dim : .cyan))")
            }
            return lines + [""] + OverflowPicture(map: map, terminal: terminal).lines
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import OverflowArea
import OverflowAreaCompanion

/// `lantern overflow encode`: the map of services or of a payload.
struct OverflowEncodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Make the map of services, or of a payload.",
        discussion: """
            `advertisement_octets` is the advertising structure as an iPhone sends it, without the flags before \
            it. The UUIDs of a payload are those that the demo app advertises.
            """)

    @OptionGroup var format: FormatOptions

    @Argument(
        help: ArgumentHelp(
            "The services: 4, 8 or 32 hex digits each, or names such as heart-rate.", valueName: "uuid|name"),
        completion: .serviceNames, transform: BluetoothUUID.service)
    var uuids: [BluetoothUUID] = []

    @Option(
        help: ArgumentHelp("Four octets to put into the map.", valueName: "hex"),
        transform: OverflowPayload.option)
    var payload: OverflowPayload?

    @Option(help: ArgumentHelp("How to put the payload there: v1 (default) or v2.", valueName: "codec"))
    var codec: CodecChoice?

    @Option(help: ArgumentHelp("v1: at octet 0 (0, the default) or 8 (1).", valueName: "0|1"))
    var position: Int?

    func validate() throws {
        guard uuids.isEmpty != (payload == nil) else {
            throw ValidationError("Give either UUIDs or --payload.")
        }
        if payload == nil, codec != nil || position != nil {
            throw ValidationError("--codec and --position are for --payload.")
        }
        if let position {
            if codec == .v2 { throw ValidationError("v2 has one place only; --position is for v1.") }
            guard OverflowPosition(rawValue: position) != nil else {
                throw ValidationError("A position is 0 or 1.")
            }
        }
    }

    func run() throws {
        let made = made
        OverflowWarning.show(for: made.map, position == 1 ? "Position 1 of v1" : "This")
        try EventPrinter(to: .standard(), isJSON: format.isJSON).show(made) { _ in made.lines }
    }

    /// What was made of what was given.
    var made: OverflowMapMade {
        let map = map
        return OverflowMapMade(map, uuids: payload == nil ? uuids : map.tableUUIDs)
    }

    /// The map of what was given.
    private var map: OverflowMap {
        guard let payload else { return OverflowMap(services: uuids) }
        switch codec ?? .v1 {
        case .v1:
            return OverflowBanks.map(of: payload, at: OverflowPosition(rawValue: position ?? 0) ?? .first)
        case .v2: return OverflowHamming.map(of: payload)
        }
    }
}

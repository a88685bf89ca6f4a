// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
public import OverflowArea

/// A bit of a map with the known services that set it.
struct OverflowCandidate: EventPart {
    let bit: OverflowBit

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("bit", "The bit's number on the air.") { $0.bit.number }
        schema.list("services", "The known services that set it.") { $0.bit.known }
    }
}

/// A service of which it is known that an app advertises it.
struct OverflowKnownService: EventPart {
    let uuid: BluetoothUUID
    let name: String

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "The service.") { $0.uuid.description }
        schema.text("name", "What it belongs to.") { $0.name }
    }
}

extension OverflowBit {
    /// `0x` and two hex digits: which bit of its octet it is.
    public var maskText: String { "0x" + [mask].hexadecimal }

    /// The names of the known services that set it, those that collide together.
    public var names: [String] { known.map { $0.name } }

    var known: [OverflowKnownService] {
        OverflowCatalogue.services(setting: self).map {
            OverflowKnownService(uuid: $0.uuid, name: $0.name.description)
        }
    }
}

extension OverflowCodec {
    static var words: [String] { [OverflowCodec.v1, .v2].map { $0.description } }
}

extension EventSchema {
    mutating func sighting(_ value: (Part) -> OverflowSighting) {
        device { Optional(value($0).peer) }
        integer("rssi", "How strong it was, in dBm.") { value($0).rssi }
    }

    mutating func map(_ value: (Part) -> OverflowMap) {
        octets("octets", "The map, 16 octets as on the air.") { value($0).octets }
        list("bits", "The numbers of the bits that are set.") { value($0).map { $0.number } }
        list("candidates", "Each bit with the known services that set it.") {
            OverflowCatalogue.candidates(for: value($0)).map { OverflowCandidate(bit: $0.bit) }
        }
    }

    mutating func message(_ value: (Part) -> OverflowMessage) {
        word("codec", "How it is put into the map.", of: OverflowCodec.words) { value($0).codec.description }
        integer("position", "Where it stands in the map.") { value($0).position.rawValue }
        octets("octets", "What it says, four octets.") { value($0).payload.octets }
    }

    mutating func made(_ value: (Part) -> (map: OverflowMap, uuids: [BluetoothUUID])) {
        octets("octets", "The map, 16 octets as on the air.") { value($0).map.octets }
        octets("advertisement_octets", "The advertising structure, without the flags before it.") {
            value($0).map.structure
        }
        list("uuids", "Services that set the bits.") { value($0).uuids.map { $0.description } }
    }
}

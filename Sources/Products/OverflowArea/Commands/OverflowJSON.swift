// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import OverflowArea

// The JSON of `lantern overflow`.

extension JSONWriter {
    /// The bits of a map as numbers on the air.
    mutating func bits(of map: OverflowMap) {
        key("bits")
        array { json in
            for bit in map { json.value(bit.number) }
        }
    }

    /// Each bit of a map with the known services that set it.
    mutating func candidates(for map: OverflowMap) {
        key("candidates")
        array { json in
            for candidate in OverflowCatalogue.candidates(for: map) {
                json.object { json in
                    json.field("bit", candidate.bit.number)
                    json.key("services")
                    json.array { json in
                        for service in candidate.services {
                            json.object { json in
                                json.field("uuid", service.uuid.description)
                                json.field("name", service.name.description)
                            }
                        }
                    }
                }
            }
        }
    }

    /// A list of UUIDs.
    mutating func uuids(_ uuids: [BluetoothUUID]) {
        key("uuids")
        array { json in
            for uuid in uuids { json.value(uuid.description) }
        }
    }

    /// An address; `null` for advertisers that give none.
    mutating func address(_ address: BluetoothAddress) {
        field("address", address.kind == .anonymous ? nil : address.description)
    }
}

extension OverflowReceiver.Output {
    /// The event as scripts get it.
    ///
    /// - Parameter time: When it happened.
    /// - Returns: One JSON object without a line end; `nil` when scripts are not told.
    func json(at time: Timestamp) -> String? {
        var json = JSONWriter()
        switch event {
        case .map(let map):
            json.object { json in
                json.field("event", "map")
                json.device(Peer(address))
                json.field("rssi", rssi)
                json.field("map", map.description)
                json.bits(of: map)
                json.candidates(for: map)
                json.field("time", time)
            }
        case .payload(let message):
            json.object { json in
                json.field("event", "payload")
                json.address(address)
                json.field("codec", message.codec.description)
                json.field("position", message.position.rawValue)
                json.field("payload", message.payload.description)
                json.field("rssi", rssi)
                json.field("time", time)
            }
        case .ignored(let reason):
            json.object { json in
                json.field("event", "ignored")
                json.address(address)
                json.field("reason", reason.description)
            }
        case .gone: return nil
        }
        return json.text
    }
}

extension OverflowSender.Transmission {
    /// What is advertised from now on, as scripts get it.
    ///
    /// - Parameters:
    ///   - codec: How the payload is put into the map, if there is one.
    ///   - time: The moment.
    /// - Returns: One JSON object without a line end.
    func json(_ codec: OverflowCodec?, at time: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("event", "advertising")
            json.field("codec", codec?.description)
            json.field("position", position?.rawValue)
            json.field("map", map.description)
            json.field("ad", map.structure.hexadecimal)
            json.uuids(uuids)
            json.field("time", time)
        }
        return json.text
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion

/// Something about a link that whoever watches a device should know, as nothing else may come of it.
enum LinkNote: Hashable, Sendable {
    /// The device wants to be paired, which was refused.
    case securityRefused
    /// The device has sent something that makes no sense; its first octets.
    case malformed([UInt8])

    /// Takes a change that is worth a note.
    init?(_ change: LinkChange) {
        switch change {
        case .securityRefused: self = .securityRefused
        case .malformedPDU(let octets): self = .malformed(octets)
        case .mtu, .parameters, .phy, .dataLength: return nil
        }
    }

    /// One sentence for a person.
    var sentence: String {
        switch self {
        case .securityRefused:
            "The device asks for pairing, which is not in this version: it may send nothing, or end the connection."
        case .malformed(let octets):
            "The device has sent something that makes no sense: \(octets.hexadecimal)."
        }
    }

    /// The event as scripts get it: one JSON object without a line end.
    func json(at time: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .securityRefused: json.field("event", "security_refused")
            case .malformed(let octets):
                json.field("event", "malformed")
                json.field("octets", octets.hexadecimal)
            }
            json.field("time", time)
        }
        return json.text
    }
}

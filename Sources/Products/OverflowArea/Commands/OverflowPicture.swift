// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionText
import OverflowArea

/// A map as 16 columns, its octets, of 8 dots, their bits.
struct OverflowPicture {
    /// The map.
    let map: OverflowMap
    /// What the picture goes to.
    let terminal: Terminal

    /// The lines: a heading with the octets, then a line for each bit of an octet with its mask.
    ///
    /// Bits that a known service sets are green, others yellow.
    var lines: [String] {
        let heading = (0..<16).map { $0 < 10 ? " \($0)" : "\($0)" }.joined(separator: " ")
        var lines = [terminal.styled("      " + heading + "  octet", .dim)]
        for place in (0..<8).reversed() {
            let mask = terminal.styled("0x" + [UInt8(1) << UInt8(place)].hexadecimal + "  ", .dim)
            let dots = (0..<16).map { octet in
                guard let bit = OverflowBit(number: octet * 8 + place), map.contains(bit) else {
                    return terminal.styled(" ·", .dim)
                }
                let isKnown = !OverflowCatalogue.services(setting: bit).isEmpty
                return terminal.styled(" ●", isKnown ? .green : .yellow)
            }
            lines.append(mask + dots.joined(separator: " "))
        }
        return lines
    }

    /// The columns that it takes.
    static let columns = 60
}

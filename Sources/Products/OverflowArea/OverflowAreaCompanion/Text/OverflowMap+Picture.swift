// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionText
public import OverflowArea

extension OverflowMap {
    /// The columns that its picture takes.
    public static let pictureColumns = 60

    /// The map as 16 columns, its octets, of 8 dots, their bits: a heading, then a line for each bit with its mask.
    ///
    /// Bits that a known service sets are green, others yellow.
    public var picture: [StyledText] {
        let heading = (0..<16).map { $0 < 10 ? " \($0)" : "\($0)" }.joined(separator: " ")
        return [StyledText("      " + heading + "  octet", .dim)] + (0..<8).reversed().map(line)
    }

    private func line(ofBit place: Int) -> StyledText {
        var line = StyledText("0x" + [UInt8(1) << UInt8(place)].hexadecimal + " ", .dim)
        for octet in 0..<16 { line = line + " " + dot(octet, place) }
        return line
    }

    private func dot(_ octet: Int, _ place: Int) -> StyledText {
        guard let bit = OverflowBit(number: octet * 8 + place), contains(bit) else {
            return StyledText(" ·", .dim)
        }
        return StyledText(" ●", OverflowCatalogue.services(setting: bit).isEmpty ? .yellow : .green)
    }
}

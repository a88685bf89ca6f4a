// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion

extension TextTable {
    /// Networks: bars, lock, name, strength, channel, security.
    ///
    /// - Parameters:
    ///   - networks: The networks, in order.
    ///   - isNumbered: Whether each line begins with its number, from 1.
    package init(_ networks: [HeardNetwork], isNumbered: Bool = false) {
        let number = isNumbered ? [Column("", .right)] : []
        self.init(
            number + [.init(""), .init(""), .init("", least: 12, isCutFirst: true), .init("")],
            hasHeading: false)
        for (index, network) in networks.enumerated() {
            let number = isNumbered ? [Cell(FixedWidthText.rightAligned("\(index + 1)", columns: 3))] : []
            let style: TextStyle = network.bars >= 3 ? .green : network.bars == 2 ? .yellow : .red
            add(
                number + [
                    Cell(network.barsText, style), Cell(network.security == .open ? "  " : "🔒"),
                    Cell(WiFiText.name(network.ssid)), Cell(network.details, .dim),
                ])
        }
    }
}

extension HeardNetwork {
    /// The strength as up to four bars.
    fileprivate var barsText: String {
        ["▁", "▃", "▅", "▇"].enumerated().map { $0.offset < bars ? $0.element : " " }.joined()
    }

    /// The strength, the channel and the security.
    fileprivate var details: String {
        FixedWidthText.rightAligned(rssi.map { "\($0)" } ?? "?", columns: 3) + " dBm  "
            + (channel.map { "channel " + FixedWidthText.rightAligned("\($0)", columns: 3) + "  " } ?? "")
            + securityWords
    }
}

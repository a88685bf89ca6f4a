// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionText
public import Detections
package import FlockFinder

extension DetectorStarted: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            .good,
            "listening by \(count == 1 ? "1 signature" : "\(count) signatures") (\(table)); only Bluetooth is heard, "
                + "what uses Wi-Fi alone goes unnoticed")
    }
}

extension TextTable {
    /// The signatures of a table, in its order.
    ///
    /// - Parameter table: The table.
    package init(_ table: SignatureTable) {
        self.init([
            .init("MARK", fixed: 7, rank: 6), .init("VALUE", fixed: 36, rank: 7),
            .init("KIND", fixed: 12, rank: 4), .init("WEIGHT", .right, fixed: 6, rank: 5),
            .init("VERSION", fixed: 10, rank: 1), .init("SOURCE", fixed: 40, rank: 2),
        ])
        for signature in table.signatures {
            let word =
                switch signature.mark {
                case .name: "name"
                case .service: "service"
                case .maker: "maker"
                case .prefix: "prefix"
                }
            let kind = signature.type?.keywordString ?? "all"
            let sign = signature.weight > 0 ? "+" : ""
            add([
                .init(word), .init(signature.mark.text.string),
                .init(signature.weight > 0 ? kind : "not \(kind)"), .init("\(sign)\(signature.weight)"),
                .init(signature.version.string), .init(signature.source.string),
            ])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import OverflowArea
import OverflowAreaCompanion
import SwiftUI

/// The overflow area of one phone: its message, and its bits with the services that may have set them.
struct OverflowSourceView: View {
    let model: OverflowModel
    let peer: Peer

    var body: some View {
        List {
            if let source {
                Section("Message") {
                    if let payload = source.payload {
                        OverflowPayloadRows(payload: payload)
                    } else {
                        Text("This map holds no message of either codec.")
                    }
                    if let count = source.octetsOfCutMap {
                        Text("Its last map had \(count) of 16 octets; the map here is the last whole one.")
                    }
                }
                Section("Map") {
                    OverflowMapView(map: source.map, message: source.payload?.map ?? OverflowMap())
                    Text(DeviceWords.octets(source.map.octets)).font(.caption.monospaced())
                    LabeledContent("Changes", value: source.changes, format: .number)
                }
                Section("Bits") {
                    ForEach(Array(source.map), id: \.self) { bit in
                        VStack(alignment: .leading) {
                            Text("Bit \(bit.number), octet \(bit.octet), \(bit.maskText)")
                            Text(OverflowWords.candidates(bit)).font(.caption).foregroundStyle(.secondary)
                        }
                        .accessibilityElement(children: .combine)
                    }
                }
            }
        }
        .navigationTitle(peer.plain)
        // The page below does not follow while this one is on it.
        .task { await model.run() }
    }

    private var source: OverflowSource? { model.sources.first { $0.peer == peer } }
}

/// What a message says, and how far it can be believed.
private struct OverflowPayloadRows: View {
    let payload: OverflowSource.Payload

    var body: some View {
        LabeledContent("Payload") {
            Text(DeviceWords.octets(payload.message.payload.octets)).font(.body.monospaced())
        }
        LabeledContent("Codec") {
            Text(
                "\(OverflowWords.name(payload.message.codec)), found at octet \(payload.message.position.octet)"
            )
        }
        LabeledContent("Quality") { Text(OverflowWords.reason(payload)) }
        LabeledContent("Moves") { Text(OverflowWords.moves(payload)) }
    }
}

/// A map as a picture: 16 columns, its octets, of 8 bits, the highest on top.
private struct OverflowMapView: View {
    let map: OverflowMap
    /// The bits of the message, which are drawn as squares.
    let message: OverflowMap

    var body: some View {
        Canvas { context, size in
            let side = min(size.width / 16, size.height / 8)
            for number in 0..<128 {
                guard let bit = OverflowBit(number: number) else { continue }
                let cell = CGRect(
                    x: CGFloat(bit.octet) * side, y: CGFloat(7 - number % 8) * side, width: side, height: side
                ).insetBy(dx: side * 0.15, dy: side * 0.15)
                if message.contains(bit) {
                    context.fill(
                        Path(roundedRect: cell, cornerRadius: side * 0.15), with: .color(.accentColor))
                } else if map.contains(bit) {
                    let isKnown = !OverflowCatalogue.services(setting: bit).isEmpty
                    let circle = Path(ellipseIn: cell)
                    if isKnown {
                        context.fill(circle, with: .color(.orange))
                    } else {
                        context.stroke(circle, with: .color(.primary), lineWidth: 1)
                    }
                } else {
                    context.stroke(
                        Path(roundedRect: cell, cornerRadius: side * 0.15), with: .color(.secondary),
                        lineWidth: 0.5)
                }
            }
        }
        .aspectRatio(2, contentMode: .fit)
        .accessibilityLabel("Map of 128 bits")
        .accessibilityValue("\(map.count) bits set, \(message.count) of them by the message")
    }
}

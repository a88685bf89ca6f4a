// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
import CompanionText
package import Detections
import FlockFinder

extension TextTable {
    /// Detections, with what finds a camera again where room is short.
    ///
    /// - Parameters:
    ///   - records: The detections.
    ///   - columns: Columns that there will be.
    ///   - localTime: A moment as people here write it: `2026-11-21 18:30:59`.
    package init(_ records: [DetectionRecord], columns: Int, localTime: (Timestamp) -> String) {
        let number = max(5, "\(records.map { $0.id }.max() ?? 0)".utf8.count)
        let all: [(title: String, alignment: Column.Alignment, columns: Int, rank: Int)] = [
            ("ID", .right, number, 9), ("RECEIVED", .left, 19, 5), ("KIND", .left, 12, 8),
            ("DISTANCE", .left, 10, 4), ("dBm", .right, 4, 1), ("SURE", .right, 4, 2), ("MAC", .left, 17, 7),
            ("PLACE", .left, 20, 6), ("SSID", .left, 12, 3),
        ]
        // Without the seconds another column may stay.
        let isNarrow = all.reduce(0) { $0 + $1.columns } + 2 * (all.count - 1) > columns
        self.init(
            all.map { column in
                let isShortened = isNarrow && column.title == "RECEIVED"
                return Column(
                    column.title, column.alignment, fixed: column.columns - (isShortened ? 3 : 0),
                    rank: column.rank)
            })
        for record in records {
            let sighting = record.sighting
            let time = localTime(sighting.received)
            add([
                .init("\(record.id)"), .init(isNarrow ? String(time.dropLast(3)) : time),
                .init(sighting.label, TextStyle(sighting.type)),
                .init(sighting.isStrengthKnown ? record.proximity.words : "–"),
                .init(sighting.isStrengthKnown ? "\(sighting.rssi)" : "–"), .init(sighting.percent + "%"),
                .init(sighting.mac ?? "–"),
                .init(sighting.position?.text ?? "–"), .init(sighting.ssid ?? "–"),
            ])
        }
    }
}

extension DetectionRecord {
    /// All that is known of a detection, a name and a value each.
    ///
    /// - Parameters:
    ///   - near: A camera nearby that others know.
    ///   - localTime: A moment as people here write it.
    /// - Returns: The facts; "–" where nothing is known.
    package func facts(
        near: KnownNearby? = nil, localTime: (Timestamp) -> String
    ) -> [(name: String, value: String)] {
        var facts: [(String, String?)] = [
            ("number", "\(id)"),
            ("kind", sighting.label),
            ("what it is", sighting.type.explanationString),
            ("received", "\(localTime(sighting.received)) (\(sighting.received))"),
            ("distance", sighting.isStrengthKnown ? "\(proximity.words), \(sighting.rssi) dBm" : "not known"),
            ("confidence", "\(sighting.confidence)"),
            ("MAC", sighting.mac),
            ("SSID", sighting.ssid),
            ("place", sighting.position?.text),
        ]
        if let fix = sighting.position.flatMap({ _ in sighting.fix }) { facts.append(("fix", fix.words)) }
        if let near { facts.append(("known nearby", near.words)) }
        let motion = sighting.motion
        if motion.speed != nil || motion.heading != nil || motion.activity != nil {
            let parts = [
                motion.activity, motion.speed.map { "\($0) m/s" }, motion.heading.map { "to \($0)°" },
            ]
            facts.append(("motion", parts.compactMap { $0 }.joined(separator: ", ")))
        }
        if let clock = deviceClock { facts.append(("device time", clock.description)) }
        if let uptime = deviceUptime { facts.append(("device uptime", "\(Double(uptime) / 1000) s")) }
        let isHeardHere = sighting.isHeardHere
        facts.append(("heard by", isHeardHere ? "this radio" : sighting.device?.description))
        if isHeardHere { facts.append(("why", sighting.reasonSentences.joined(separator: " "))) }
        facts.append(("extra keys", sighting.extra == "{}" ? nil : sighting.extra))
        // What was imported as CSV has not kept it.
        let raw = sighting.raw.isEmpty ? nil : String(decoding: sighting.raw, as: UTF8.self)
        facts.append(("as received", raw))
        return facts.map { ($0.0, $0.1 ?? "–") }
    }
}

extension Sighting {
    /// How sure the device is, in percent.
    var percent: String { "\(Int((confidence * 100).rounded()))" }
}

extension FixDetails {
    /// For people: `±4 m, gpsd, 1.2 s old`, `filled in from a fix 12 s later`.
    package var words: String {
        let parts = [
            accuracy.map { "±\(Self.short($0)) m" },
            altitude.map { "\(Self.short($0)) m above the sea" },
            sourceWord,
            age.map {
                $0 < 0 ? "filled in from a fix \(Self.seconds($0)) s later" : "\(Self.seconds($0)) s old"
            },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// Tenths below ten, and whole numbers above.
    private static func short(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        guard tenths.magnitude < 10, tenths != tenths.rounded() else {
            return Int(exactly: value.rounded()).map { "\($0)" } ?? "\(value)"
        }
        return "\(tenths)"
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        short(Double(milliseconds.magnitude) / 1000)
    }
}

extension Position {
    /// For people: five digits behind the point, which is a metre.
    package var text: String { "\(Self.rounded(latitude)),\(Self.rounded(longitude))" }

    private static func rounded(_ degrees: Double) -> String { "\((degrees * 100_000).rounded() / 100_000)" }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder

/// Sightings with the worst strings that a device can send.
struct HostileSightings {
    private var random: SplitMix64
    private static let pieces = [
        "", "FLOCK-CAM", "=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "'", "''", "\"", "\"\"", ",", ";", " ",
        "\\",
        "\u{0}", "\u{1}", "\u{8}", "\u{1B}[2J", "\u{7F}", "\u{85}", "\u{9B}", "\u{A0}", "\u{2028}",
        "\u{2029}",
        "\u{202E}", "\u{FEFF}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{1F4F7}", "👩‍👩‍👧‍👦", "é", "e\u{301}", "ß",
        "İ", "]]>",
        "<b>", "&amp;", "&", "</wpt>", "<!--", "=cmd|' /C calc'!A0", "{\"a\":1}", "%", "_", "NULL", "null",
        "-62",
        "DROP TABLE detection;--", "\u{10FFFF}",
    ]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func text() -> String {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)]
        }.joined()
    }

    mutating func next() -> Sighting {
        let label = Bool.random(using: &random) ? text() : "Flock Safety"
        let mac = (0..<6).map { _ in
            let octet = String(UInt8.random(in: 0...255, using: &random), radix: 16, uppercase: true)
            return octet.count == 1 ? "0" + octet : octet
        }
        let (ssid, activity) = (text(), text())
        let (speed, heading) = (
            Double.random(in: 0...60, using: &random), Double.random(in: 0...360, using: &random)
        )
        let confidences = [
            0, 1, 0.9, 0.1 + 0.2, .leastNonzeroMagnitude, 1e-7, Double.random(in: 0...1, using: &random),
        ]
        let position = coin() ? position() : nil
        return Sighting(
            type: DetectionType(label: WireText(label)),
            label: label,
            mac: coin() ? mac.joined(separator: ":") : nil,
            ssid: coin() ? ssid : nil,
            rssi: Int.random(in: -127...20, using: &random),
            confidence: confidences.randomElement(using: &random) ?? 0,
            received: Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &random)),
            position: position,
            motion: Sighting.Motion(
                speed: coin() ? speed : nil, heading: coin() ? heading : nil,
                activity: coin() ? activity : nil),
            fix: position == nil ? nil : fix())
    }

    private mutating func fix() -> FixDetails? {
        let ages: [Int64] = [
            0, -30_000, 1200, .max >> 11, Int64.random(in: -30_000...10_000, using: &random),
        ]
        let metres = [0, 4.5, 1e-7, 8848.0, 1e300, Double.random(in: 0...100, using: &random)]
        return FixDetails(
            source: coin() ? Fix.Source.allCases.randomElement(using: &random) : nil,
            age: coin() ? ages.randomElement(using: &random) : nil,
            accuracy: coin() ? metres.randomElement(using: &random) : nil,
            altitude: coin() ? metres.randomElement(using: &random).map { -$0 } : nil)
    }

    mutating func next(_ count: Int) -> [Sighting] {
        var sightings: [Sighting] = []
        for _ in 0..<count { sightings.append(next()) }
        return sightings
    }

    private mutating func coin() -> Bool { Bool.random(using: &random) }

    private mutating func position() -> Position? {
        let latitudes = [-90, 90, 0, 1e-7, Double.random(in: -90...90, using: &random)]
        let longitudes = [-180, 180, -1e-9, 0, Double.random(in: -180...180, using: &random)]
        return Position(
            latitude: latitudes.randomElement(using: &random) ?? 0,
            longitude: longitudes.randomElement(using: &random) ?? 0)
    }
}

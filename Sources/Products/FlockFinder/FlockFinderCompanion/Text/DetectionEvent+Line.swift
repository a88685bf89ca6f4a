// SPDX-License-Identifier: Apache-2.0

public import CompanionText
public import Detections
public import FlockFinder

extension DetectionEvent {
    /// The detection as a person sees it arrive: a line with columns.
    ///
    /// - Parameters:
    ///   - columns: Columns that there are; the line is no wider.
    ///   - clock: The time of day when it came: `18:30:59`.
    /// - Returns: The line.
    public func styledLine(columns: Int, clock: String) -> StyledText {
        let style = TextStyle(sighting.type)
        // Where no more is left than time, kind and address.
        let isNarrow = columns < 47
        // Those that find the camera again stay longest, as in the table of detections.
        var table = TextTable(
            [
                .init("", fixed: isNarrow ? 5 : 8, rank: 6), .init("", fixed: isNarrow ? 14 : 18, rank: 8),
                .init("", fixed: 10, rank: 4), .init("", .right, fixed: 8, rank: 1),
                .init("", .right, fixed: 4, rank: 2), .init("", fixed: 17, rank: 7),
                .init("", fixed: 12, rank: 3),
            ], hasHeading: false)
        let hasName = columns >= 73
        let name = sighting.ssid.flatMap { $0.isEmpty ? nil : $0 }
        table.add([
            .init(isNarrow ? String(clock.prefix(5)) : clock, .dim), .init("● \(sighting.label)", style),
            .init(proximity.words, proximity == .veryClose ? .bold : nil), .init("\(sighting.rssi) dBm"),
            .init(sighting.percent + "%"), .init(sighting.mac ?? (hasName ? nil : name) ?? "–"),
            .init(name ?? ""),
        ])
        return table.lines(columns: columns).first ?? StyledText()
    }
}

extension TextStyle {
    /// The colour of a kind, as near as terminals have it.
    public init(_ type: DetectionType) {
        switch type.colorString {
        case "red": self = .red
        case "orange", "yellow", "brown": self = .yellow
        case "green": self = .green
        case "blue", "indigo": self = .blue
        case "cyan", "teal": self = .cyan
        case "purple", "pink": self = .magenta
        default: self = .dim
        }
    }
}

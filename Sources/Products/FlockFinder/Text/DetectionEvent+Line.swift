// SPDX-License-Identifier: Apache-2.0

public import Companion
public import FlockFinder

extension DetectionEvent {
    /// The detection as a person sees it arrive: a line with columns.
    ///
    /// - Parameters:
    ///   - columns: Columns that there are; the line is no wider.
    ///   - clock: The time of day when it came: `18:30:59`.
    /// - Returns: The line.
    public func styledLine(columns: Int, clock: String) -> StyledText {
        let labelColumns = 16
        let style = TextStyle(sighting.type)
        let label = FixedWidthText.fitted(PrintableText.escaped(sighting.label), columns: labelColumns)
        let start =
            StyledText(clock, .dim) + "  " + StyledText("●", style) + " "
            + StyledText(FixedWidthText.padded(label, columns: labelColumns), style) + "  "
            + StyledText(
                FixedWidthText.padded(proximity.words, columns: 10), proximity == .veryClose ? .bold : nil)
            + (FixedWidthText.rightAligned("\(sighting.rssi)", columns: 5) + " dBm"
                + FixedWidthText.rightAligned(sighting.percent, columns: 5) + " %")
        let name = PrintableText.escaped(sighting.ssid ?? "")
        var room = max(12, columns - min(FixedWidthText.width(start.plain) + 2, columns))
        // A name says more than an address; where there is no room for both, it goes first.
        var address = ""
        if name.isEmpty || room >= 40 {
            address = "  " + FixedWidthText.padded(sighting.mac ?? "–", columns: name.isEmpty ? 0 : 17)
            room -= 19
        }
        return start + (name.isEmpty ? address : address + "  " + FixedWidthText.fitted(name, columns: room))
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

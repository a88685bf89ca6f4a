// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionText
import FlockFinder

/// A detection as a person sees it arrive: a line with columns.
struct DetectionLine: Sendable {
    private static let labelColumns = 16

    /// What the line is shown on.
    let terminal: Terminal

    /// A line for a detection, no wider than the terminal.
    ///
    /// - Parameter event: The detection.
    /// - Returns: The line.
    func text(_ event: DetectionEvent) -> String {
        let style = TextStyle(event.sighting.type)
        let label = FixedWidthText.fitted(
            PrintableText.escaped(event.sighting.label), columns: Self.labelColumns)
        let proximity = FixedWidthText.padded(event.proximity.words, columns: 10)
        let percent = "\(Int((event.sighting.confidence * 100).rounded()))"
        var line = terminal.styled(event.sighting.received.clock, .dim)
        line += "  " + terminal.styled("●", style) + " "
        line += terminal.styled(FixedWidthText.padded(label, columns: Self.labelColumns), style)
        line += "  " + (event.proximity == .veryClose ? terminal.styled(proximity, .bold) : proximity)
        line +=
            FixedWidthText.rightAligned("\(event.sighting.rssi)", columns: 5) + " dBm"
            + FixedWidthText.rightAligned(percent, columns: 5) + " %"
        let name = PrintableText.escaped(event.sighting.ssid ?? "")
        let used = Terminal.indentation + Self.labelColumns + 2 + 10 + 5 + 4 + 5 + 2
        var room = max(12, remaining(used + 2))
        // A name says more than an address; where there is no room for both, it goes first.
        if name.isEmpty || room >= 40 {
            line += "  " + FixedWidthText.padded(event.sighting.mac ?? "–", columns: name.isEmpty ? 0 : 17)
            room -= 19
        }
        return name.isEmpty ? line : line + "  " + FixedWidthText.fitted(name, columns: room)
    }

    private func remaining(_ used: Int) -> Int { terminal.columns - min(used, terminal.columns) }
}

extension TextStyle {
    /// The colour of a kind, as near as terminals have it.
    init(_ type: DetectionType) {
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

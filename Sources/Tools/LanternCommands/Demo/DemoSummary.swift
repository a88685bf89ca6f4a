// SPDX-License-Identifier: Apache-2.0

import CommandIO
import Companion
import CompanionText
import FlockFinder
import FlockFinderCommands
import FlockFinderCompanion
import FlockFinderDevices

/// What the demo says at its end.
struct DemoSummary: Sendable {
    /// What came.
    let tally: FlockRecorder.Tally
    /// Where the database lies.
    let database: String
    /// Where the export lies.
    let export: String
    /// How the person has called this program, as a word for the shell.
    let program: String

    /// The lines.
    ///
    /// - Parameter terminal: What they are shown on.
    /// - Returns: The text, with a line end.
    func text(on terminal: Terminal) -> String {
        let title =
            "\(DetectionsExportCommand.detections(tally.detections)) of \(Self.kinds(tally.kinds.count))"
        var text = "\n" + terminal.styled(title, .bold) + "\n"
        text += chart(on: terminal) + "\n"
        text += "Database  \(DataFolder.abbreviated(database))\n"
        text += "GPX file  \(DataFolder.abbreviated(export))\n\n"
        text += terminal.styled("What to try next", .bold) + "\n"
        for (command, purpose) in nextSteps {
            text += "  \(command)\n      \(terminal.styled(purpose, .dim))\n"
        }
        return text
    }

    private func chart(on terminal: Terminal) -> String {
        let most = tally.kinds.values.max() ?? 1
        let room = max(8, min(40, terminal.columns - min(terminal.columns, 36)))
        let rows = tally.kinds.sorted {
            $0.value == $1.value ? $0.key.rawValue < $1.key.rawValue : $0.value > $1.value
        }
        return rows.map { type, count in
            let number = "\(count)"
            let bar = String(repeating: "█", count: max(1, count * room / most))
            let label = FixedWidthText.padded(type.labelString, columns: 24)
            return "  \(label)\(FixedWidthText.rightAligned(number, columns: 5))  "
                + terminal.styled(bar, TextStyle(type)) + "\n"
        }.joined()
    }

    private var nextSteps: [(command: String, purpose: String)] {
        let database = DataFolder.shellQuoted(database)
        return [
            ("\(program) detections list --database \(database)", "what was kept, the latest first"),
            (
                "\(program) detections export --format csv --database \(database)",
                "the same for a spreadsheet; --format takes json and gpx, too"
            ),
            ("\(program) scan --radio sim", "what can be heard on the virtual air"),
            (
                "\(program) flock watch --radio serial:/dev/ttyACM0",
                "a real device, heard by a Bluetooth controller that speaks HCI"
            ),
        ]
    }

    private static func kinds(_ count: Int) -> String { count == 1 ? "1 kind" : "\(count) kinds" }
}

// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEAssignedNumbers
import BLEWire
import Companion

/// The devices as a table for a person.
struct ScanTable {
    /// Devices that were silent this long are shown dimmed, in milliseconds.
    private static let silence: Int64 = 10_000
    private static let widestName = 28

    /// What the table goes to.
    let terminal: Terminal

    /// The lines of the table, none wider than the terminal.
    ///
    /// - Parameters:
    ///   - devices: The devices in the order in which they stand.
    ///   - now: The time against which silence counts; `nil` when the scan is over.
    /// - Returns: The heading and a line a device.
    func lines(_ devices: [SeenDevice], at now: Timestamp?) -> [String] {
        let rows = devices.map(Row.init)
        let names = rows.map { TerminalText.width($0.name) }.max() ?? 0
        let nameColumns = max(4, min(names, Self.widestName))
        let heading = Row(strength: "dBm", address: "ADDRESS", name: "NAME", facts: "SERVICES AND MAKERS")
        return [terminal.styled(line(heading, nameColumns).joined(), .bold)]
            + zip(devices, rows).map { device, row in
                let cells = line(row, nameColumns)
                if let now, now.milliseconds - device.lastHeard.milliseconds > Self.silence {
                    return terminal.styled(cells.joined(), .dim)
                }
                return terminal.styled(cells[0], color(of: device))
                    + cells[1]
                    + terminal.styled(cells[2], .bold)
                    + terminal.styled(cells[3], .cyan)
            }
    }

    /// The four cells, cut where the terminal ends.
    private func line(_ row: Row, _ nameColumns: Int) -> [String] {
        let name = TerminalText.fitted(row.name, columns: nameColumns)
        let cells = [
            TerminalText.rightAligned(row.strength, columns: 4) + "  ",
            TerminalText.padded(row.address, columns: 19) + "  ",
            row.facts.isEmpty ? name : TerminalText.padded(name, columns: nameColumns) + "  ",
            row.facts,
        ]
        var room = terminal.columns
        return cells.map { cell in
            let cut = TerminalText.fitted(cell, columns: room)
            room -= TerminalText.width(cut)
            return cut
        }
    }

    private func color(of device: SeenDevice) -> Terminal.Style {
        switch device.strength ?? -.infinity {
        case (-60)...: .green
        case (-80)...: .yellow
        default: .red
        }
    }

    /// The cells of one device, escaped.
    private struct Row {
        let strength: String
        let address: String
        let name: String
        let facts: String

        init(strength: String, address: String, name: String, facts: String) {
            self.strength = strength
            self.address = address
            self.name = name
            self.facts = facts
        }

        init(_ device: SeenDevice) {
            let says = device.says
            var facts = says.services.map { AssignedNumbers.name(ofService: $0) ?? $0.description }
            for entry in says.serviceData where !says.services.contains(entry.uuid) {
                facts.append(AssignedNumbers.name(ofService: entry.uuid) ?? entry.uuid.description)
            }
            for entry in says.manufacturerData {
                let name = AssignedNumbers.name(ofCompany: entry.company)
                facts.append(name ?? "company \(entry.company.hexadecimal)")
            }
            if let appearance = says.appearance.flatMap(AssignedNumbers.name(ofAppearance:)) {
                facts.append(appearance)
            }
            if device.isConnectable == false { facts.append("no connections") }
            if let power = device.txPower { facts.append("sent with \(power) dBm") }
            self.init(
                strength: device.strength.map { String(Int($0.rounded())) } ?? "?",
                address: device.peer.title,
                name: TerminalText.escaped(says.name ?? ""),
                facts: facts.joined(separator: ", "))
        }
    }
}

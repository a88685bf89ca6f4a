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
        var table = TextTable([
            .init("dBm", .right), .init("ADDRESS"), .init("NAME", least: 8, most: Self.widestName),
            .init("SERVICES AND MAKERS", least: 0, isCutFirst: true),
        ])
        for device in devices {
            let isSilent = now.map { $0.milliseconds - device.lastHeard.milliseconds > Self.silence } ?? false
            table.add(
                [
                    .init(device.strength.map { String(Int($0.rounded())) } ?? "?", color(of: device)),
                    .init(device.peer.title), .init(device.says.name ?? "", .bold),
                    .init(Self.facts(device), .cyan),
                ], isSilent ? .dim : nil)
        }
        return table.lines(on: terminal)
    }

    private func color(of device: SeenDevice) -> Terminal.Style {
        switch device.strength ?? -.infinity {
        case (-60)...: .green
        case (-80)...: .yellow
        default: .red
        }
    }

    private static func facts(_ device: SeenDevice) -> String {
        let says = device.says
        var facts = says.services.map { UUIDNames.name(ofService: $0) ?? $0.description }
        for entry in says.serviceData where !says.services.contains(entry.uuid) {
            facts.append(UUIDNames.name(ofService: entry.uuid) ?? entry.uuid.description)
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
        return facts.joined(separator: ", ")
    }
}

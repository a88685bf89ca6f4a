// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEAssignedNumbers
import BLEWire
package import Companion
import ProductRegistry

extension TextTable {
    /// Devices that were silent this long are shown dimmed, in milliseconds.
    private static var silence: Int64 { 10_000 }
    private static var widestName: Int { 28 }

    /// The devices of a scan.
    ///
    /// - Parameters:
    ///   - devices: The devices in the order in which they stand.
    ///   - now: The time against which silence counts; `nil` when the scan is over.
    package init(_ devices: [SeenDevice], at now: Timestamp?) {
        self.init([
            .init("dBm", .right), .init("ADDRESS"), .init("NAME", least: 8, most: Self.widestName),
            .init("SERVICES AND MAKERS", least: 0, isCutFirst: true),
        ])
        for device in devices {
            let isSilent = now.map { $0.milliseconds - device.lastHeard.milliseconds > Self.silence } ?? false
            add(
                [
                    .init(device.strength.map { String(Int($0.rounded())) } ?? "?", Self.color(of: device)),
                    .init(device.peer.title), .init(device.advertised.name ?? "", .bold),
                    .init(Self.facts(device), .cyan),
                ], isSilent ? .dim : nil)
        }
    }

    private static func color(of device: SeenDevice) -> TextStyle {
        switch device.strength ?? -.infinity {
        case (-60)...: .green
        case (-80)...: .yellow
        default: .red
        }
    }

    private static func facts(_ device: SeenDevice) -> String {
        let advertised = device.advertised
        var facts = advertised.services.map { UUIDNames.name(ofService: $0) ?? $0.description }
        for entry in advertised.serviceData where !advertised.services.contains(entry.uuid) {
            facts.append(UUIDNames.name(ofService: entry.uuid) ?? entry.uuid.description)
        }
        for entry in advertised.manufacturerData {
            let name = AssignedNumbers.name(ofCompany: entry.company)
            facts.append(name ?? "company \(entry.company.hexadecimal)")
        }
        if let appearance = advertised.appearance.flatMap(AssignedNumbers.name(ofAppearance:)) {
            facts.append(appearance)
        }
        if device.isConnectable == false { facts.append("no connections") }
        if let power = device.txPower { facts.append("sent with \(power) dBm") }
        return facts.joined(separator: ", ")
    }
}

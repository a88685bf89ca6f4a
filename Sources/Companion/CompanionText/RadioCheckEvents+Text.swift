// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion

extension TextTable {
    /// The radios of a machine, and what keeps a program from them below.
    ///
    /// - Parameter radios: The radios.
    package init(_ radios: [RadioOffered]) {
        self.init([
            .init("RADIO"), .init("WHAT IT IS", least: 16, isCutFirst: true), .init("STATE"),
        ])
        for radio in radios {
            let state =
                radio.isDefault ? "the default" : radio.isUsable ? radio.kind.possibility : "cannot be used"
            add([
                .init(radio.radio, .bold), .init(radio.words),
                .init(state, radio.isDefault ? .green : radio.isUsable ? nil : .yellow),
            ])
        }
    }
}

extension [RadioOffered] {
    /// The radios for a person: a table, why some cannot be used, and what happens when none is named.
    ///
    /// - Parameter columns: Columns that there are.
    /// - Returns: The lines.
    package func lines(columns: Int) -> [StyledText] {
        var lines = TextTable(self).lines(columns: columns)
        let obstacles = filter { $0.obstacle != nil }
        if !obstacles.isEmpty { lines.append(StyledText("")) }
        lines += obstacles.map { StyledText("\($0.radio): \($0.obstacle ?? "").") }
        if !contains(where: { $0.isDefault }) {
            lines.append(StyledText(""))
            lines.append(
                StyledText("No radio can be used without being named: add --radio sim, or one of the above."))
        }
        return lines
    }
}

extension RadioOffered {
    fileprivate var words: String {
        switch kind {
        case .adapter:
            ([product ?? "Bluetooth adapter"] + (publicAddress.map { [$0] } ?? [])).joined(separator: ", ")
        case .systemService:
            (["bluetoothd, as a central only"] + (publicAddress.map { [$0] } ?? [])).joined(separator: ", ")
        case .serialPort: "a serial port; a radio if an HCI controller is behind it"
        case .simulation: "the virtual air with simulated devices; needs no hardware"
        }
    }
}

extension RadioOffered.Kind {
    fileprivate var possibility: String {
        switch self {
        case .adapter, .systemService, .simulation: "can be used"
        case .serialPort: "can be tried"
        }
    }
}

extension RadioChecked {
    /// What was found, for a person and for a bug report.
    ///
    /// - Returns: The lines.
    package var lines: [StyledText] {
        var lines = facts.map { StyledText($0.key.padded(to: 16), .dim) + $0.text }
        lines.append(StyledText(""))
        lines += findings.map { StyledText(words(of: $0)) }
        return lines
    }

    private var facts: [(key: String, text: String)] {
        var facts = [(key: "radio", text: radio)]
        facts.append(("made by", company ?? companyNumber.map { "company \($0)" } ?? "not said"))
        let numbers = [revision.map { "revision \($0)" }, subversion.map { "subversion \($0)" }].compactMap {
            $0
        }
        facts.append(("Bluetooth", ([version ?? "version not said"] + numbers).joined(separator: ", ")))
        facts.append(("kind", isDualMode ? "LE and classic" : "LE only"))
        facts.append(("address", publicAddress.map { "\($0), public" } ?? "none of its own"))
        facts.append(("uses address", ownAddress ?? "none"))
        facts.append(
            ("LE features", (features.isEmpty ? "none that is known here" : features.joined(separator: ", ")))
        )
        facts.append(("", featureOctets.hexadecimal))
        facts.append(("commands", isExtended ? "extended (Bluetooth 5)" : "legacy (Bluetooth 4)"))
        facts.append(("", commandOctets?.trimmedHexadecimal ?? "not said"))
        if !missingCommands.isEmpty { facts.append(("lacks", missingCommands.joined(separator: ", "))) }
        for (number, refusal) in refusals.enumerated() {
            facts.append((number == 0 ? "refused" : "", "\(refusal.command): \(refusal.reason)"))
        }
        facts.append(
            (
                "buffers",
                "\(buffers) of \(bufferLength) octets"
                    + (sharesBuffers ? ", shared with classic Bluetooth" : "")
            ))
        facts.append(("accept list", acceptListSize == 0 ? "none" : "\(acceptListSize) addresses"))
        facts.append(("advertising", "up to \(advertisingLength) octets"))
        facts.append(("heard", heardText))
        return facts
    }

    private var heardText: String {
        if let scanRefusal { return "nothing, because it would not scan: \(scanRefusal)" }
        let strength = strongest.map { ", the strongest at \($0) dBm" } ?? ""
        let what = devices == 1 ? "1 device" : "\(devices) devices"
        return "\(what) (\(reports) reports) in \(Int(seconds)) s\(strength)"
    }

    private func words(of finding: Finding) -> String {
        switch finding {
        case .hears: "The radio works: it hears devices."
        case .hearsNothing:
            "It starts, but hears nothing: is a device that advertises near, and the antenna connected?"
        case .cannotScan:
            "It starts, but refuses to scan. Pull it out, plug it in again, and check once more."
        case .legacyOnly:
            "It is used as a Bluetooth 4 controller: advertisements of 31 octets, no LE Coded. Nothing to do."
        case .noDataLength:
            "Its packets on the air hold 27 octets at most, so long values take several and more time."
        case .noAddress:
            "It has no address of its own, so this program makes one up; devices may see another one each time."
        case .sharedBuffers: "It shares its buffers with classic Bluetooth; nobody else uses them meanwhile."
        case .lacksCommands: "Features that need the missing commands do not work; all others do."
        case .refusedCommands: "It refused some commands; Lantern works around them."
        }
    }
}

extension [UInt8] {
    /// The digits up to the last octet that is not zero.
    fileprivate var trimmedHexadecimal: String {
        Array(prefix((lastIndex { $0 != 0 } ?? -1) + 1)).hexadecimal
    }
}

extension String {
    fileprivate func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, columns - utf8.count))
    }
}

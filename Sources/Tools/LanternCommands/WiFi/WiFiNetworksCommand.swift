// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import CompanionDevices
import CompanionText

/// `lantern wifi networks`: what the device hears.
struct WiFiNetworksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "networks",
        abstract: "Show the Wi-Fi networks that a device hears.",
        discussion: """
            The strongest of each name comes first; hidden ones come last. With --json every entry is printed as it \
            comes, also those of a list that did not end and is asked for again; `wifi_list_end` says how many the \
            device has counted and how many of them came.
            """)

    @OptionGroup var options: WiFiOptions

    func run() async throws {
        let printer = options.printer
        let list = try await options.use { link, progress in
            let peer = link.device.peer
            if !printer.isJSON, let note = WiFiText.note(onMTUOf: link.device) {
                try Output.standardError().line("lantern: \(note)")
            }
            progress.show("The device looks for networks…")
            return try await link.networks { report in
                if case .listRequested(let attempt) = report, attempt > 1 {
                    progress.show("The device looks for networks, try \(attempt) of 3…")
                }
                guard printer.isJSON else { return }
                switch report {
                case .network, .trouble: if let event = report.event(of: peer) { try printer.show(event) }
                case .list(let list):
                    // Some devices send them all at once.
                    if list.isWhole {
                        for network in list.networks { try printer.show(WiFiNetworkHeard(peer, network)) }
                    }
                    try printer.show(WiFiListEnded(peer, list))
                default: break
                }
            }
        }
        if !printer.isJSON { try show(list, on: printer.output) }
        if list.networks.isEmpty {
            throw CommandError.nothingFound(
                "The device hears no network. Put it where Wi-Fi reaches it, then ask again.")
        }
    }

    private func show(_ list: HeardNetworks, on output: Output) throws {
        for line in WiFiTable.lines(HeardNetwork.arranged(list.networks), on: output.terminal) {
            try output.line(line)
        }
        if list.count != list.networks.count || list.sequenceGaps > 0 {
            try Output.standardError().line(
                "lantern: something was lost on the way: the device has counted \(list.count) networks, "
                    + "\(list.networks.count) came. Ask again.")
        }
    }
}

/// Networks as a table: bars, lock, name, strength, channel, security.
enum WiFiTable {
    /// The lines of the table.
    ///
    /// - Parameters:
    ///   - networks: The networks, in order.
    ///   - terminal: What they are shown on.
    ///   - isNumbered: Whether each line begins with its number.
    /// - Returns: The lines; escaped.
    static func lines(_ networks: [HeardNetwork], on terminal: Terminal, numbered isNumbered: Bool = false)
        -> [String]
    {
        let names = networks.map { PrintableText.escaped(WiFiText.name($0.ssid)) }
        let tails = networks.map { network in
            FixedWidthText.rightAligned(network.rssi.map { "\($0)" } ?? "?", columns: 5) + " dBm  "
                + (network.channel.map {
                    "channel " + FixedWidthText.rightAligned("\($0)", columns: 3) + "  "
                } ?? "") + PrintableText.escaped(network.security.words(said: network.securitySaid))
        }
        let used = (isNumbered ? 15 : 10) + (tails.map { FixedWidthText.width($0) }.max() ?? 0)
        let widest = names.map { FixedWidthText.width($0) }.max() ?? 0
        let room = min(widest, max(12, terminal.columns - min(terminal.columns, used)))
        return networks.indices.map { index in
            let network = networks[index]
            let bars = ["▁", "▃", "▅", "▇"].enumerated().map { $0.offset < network.bars ? $0.element : " " }
                .joined()
            let style: TextStyle = network.bars >= 3 ? .green : network.bars == 2 ? .yellow : .red
            let lock = network.security == .open ? "  " : "🔒"
            let number = isNumbered ? FixedWidthText.rightAligned("\(index + 1)", columns: 3) + "  " : ""
            let shown = FixedWidthText.padded(
                FixedWidthText.fitted(names[index], columns: room), columns: room)
            return number + terminal.styled(bars, style) + "  " + lock + "  " + shown
                + terminal.styled(tails[index], .dim)
        }
    }
}

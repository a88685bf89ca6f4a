// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
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
            return try await link.networks { report in
                if let sentence = WiFiText.progress(report) { progress.show(sentence) }
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
        for line in output.terminal.drawn(TextTable(HeardNetwork.arranged(list.networks))) {
            try output.line(line)
        }
        if list.count != list.networks.count || list.sequenceGaps > 0 {
            try Output.standardError().line(
                "lantern: something was lost on the way: the device counted \(list.count) networks, but only "
                    + "\(list.networks.count) came. Try again.")
        }
    }
}

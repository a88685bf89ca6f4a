// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WiFiSet

/// `lantern wifi networks`: what the device hears.
struct WiFiNetworksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "networks",
        abstract: "Show the Wi-Fi networks that a device hears.",
        discussion: """
            The strongest of each name comes first; hidden ones come last. With --json every entry is printed as it \
            comes, and `end` says how many the device has counted.
            """)

    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The device.")
    var address: DeviceAddress

    func run() async throws {
        let output = Output.standard()
        let progress = format.isJSON ? Progress.none : .standard()
        defer { progress.clear() }
        let list = try await radioOptions.use { [address, isJSON = format.isJSON] radio in
            try await WiFiConversation.hold(with: address, on: radio) { conversation in
                progress.show("Looking for \(address)…")
                _ = try await conversation.ready()
                return try await Self.list(&conversation, showing: progress) { network in
                    if isJSON { try output.line(WiFiJSON.network(network)) }
                }
            }
        }
        progress.clear()
        if format.isJSON {
            try output.line(WiFiJSON.end(list))
            return
        }
        if list.networks.isEmpty { try output.line("The device hears no network.") }
        let terminal = output.terminal
        for line in WiFiText.table(WiFiNetwork.arranged(list.networks), on: terminal) {
            try output.line(line)
        }
        if list.count != list.networks.count {
            try Output.standardError().line(
                "lantern: the device has counted \(list.count) networks, \(list.networks.count) came. Ask again."
            )
        }
    }

    /// Asks for the list and waits for its end.
    ///
    /// - Parameters:
    ///   - conversation: With the device, which is ready.
    ///   - progress: Where to say how far it is.
    ///   - each: Called for each network as it comes.
    /// - Returns: The list.
    /// - Throws: ``CommandError`` when there is none, and what `each` throws.
    static func list(
        _ conversation: inout WiFiConversation, showing progress: Progress,
        _ each: (WiFiNetwork) throws -> Void = { _ in }
    ) async throws -> WiFiNetworkList {
        await conversation.say { $0.listNetworks(at: $1) }
        progress.show("The device looks for networks…")
        while true {
            switch try await conversation.next() {
            case .network(let network): try each(network)
            case .list(let list): return list
            case .listRequested(let attempt) where attempt > 1:
                progress.show("The device looks for networks, try \(attempt) of \(WiFiSetLimit.listTries)…")
            case .listFailed(let failure):
                let sentence = WiFiText.sentence(failure)
                if case .timeout = failure { throw CommandError.nothingFound(sentence) }
                throw CommandError.failed(sentence)
            default: break
            }
        }
    }
}

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
            comes, also those of a list that did not end and is asked for again; `end` says how many the device has \
            counted and how many of them came.
            """)

    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The device.")
    var address: DeviceAddress

    func run() async throws {
        let output = Output.standard()
        let isJSON = format.isJSON
        let list = try await radioOptions.use { [address, phyOptions] radio in
            try await phyOptions.check(radio)
            return try await WiFiConversation.hold(
                with: address, on: radio, phys: phyOptions.phys, showing: isJSON ? .none : .standard()
            ) { conversation in
                let device = try await conversation.ready()
                if !isJSON, let note = WiFiText.note(onMTU: device.mtu) {
                    conversation.progress.clear()
                    try Output.standardError().line("lantern: \(note)")
                }
                return try await Self.list(&conversation) { event in
                    guard isJSON, let line = WiFiJSON.line(event) else { return }
                    try output.line(line)
                }
            }
        }
        try show(list, on: output)
        if list.networks.isEmpty {
            throw CommandError.nothingFound(
                "The device hears no network. Put it where Wi-Fi reaches it, then ask again.")
        }
    }

    private func show(_ list: WiFiNetworkList, on output: Output) throws {
        if format.isJSON { return try output.line(WiFiJSON.end(list)) }
        for line in WiFiText.table(WiFiNetwork.arranged(list.networks), on: output.terminal) {
            try output.line(line)
        }
        if list.count != list.networks.count || list.sequenceGaps > 0 {
            try Output.standardError().line(
                "lantern: something was lost on the way: the device has counted \(list.count) networks, "
                    + "\(list.networks.count) came. Ask again.")
        }
    }

    /// Asks for the list and waits for its end.
    ///
    /// - Parameters:
    ///   - conversation: With the device, which is ready.
    ///   - observe: Called for what comes meanwhile.
    /// - Returns: The list.
    /// - Throws: ``CommandError`` when there is none, and what `observe` throws.
    static func list(
        _ conversation: inout WiFiConversation, _ observe: (WiFiSetEvent) throws -> Void = { _ in }
    ) async throws -> WiFiNetworkList {
        await conversation.say { $0.listNetworks(at: $1) }
        conversation.progress.show("The device looks for networks…")
        while true {
            let event = try await conversation.next()
            switch event {
            case .network, .error: try observe(event)
            case .list(let list):
                conversation.progress.clear()
                return list
            case .listRequested(let attempt) where attempt > 1:
                conversation.progress.show(
                    "The device looks for networks, try \(attempt) of \(WiFiSetLimit.listTries)…")
            case .listFailed(let failure):
                let sentence = WiFiText.sentence(failure)
                if case .timeout = failure { throw CommandError.nothingFound(sentence) }
                throw CommandError.failed(sentence)
            default: break
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WiFiSet

/// The steps of giving a device its Wi-Fi: with a person who is asked, or with everything given.
struct WiFiProvisioning: Sendable {
    /// What is known beforehand.
    struct Given: Sendable {
        /// The network's name.
        var ssid: WireText?
        /// The password's octets.
        var password: [UInt8]?
        /// Whether the person has said that the network is open.
        var isOpen: Bool
    }

    let output: Output
    let isJSON: Bool
    let person: Person?
    let confirms: Bool
    let progress: Progress

    /// Leads the conversation until the device is in the network.
    ///
    /// - Parameters:
    ///   - conversation: With the device.
    ///   - given: What is known beforehand.
    /// - Throws: ``CommandError`` that says why the device is not in the network.
    func run(_ conversation: inout WiFiConversation, _ given: Given) async throws {
        defer { progress.clear() }
        progress.show("Looking for \(conversation.target)…")
        let device = try await conversation.ready()
        progress.clear()
        try tell(device)
        var given = given
        while true {
            let network = try await network(&conversation, given)
            var credentials = try await credentials(for: network, given)
            defer { credentials.wipe() }
            try await confirm(network.ssid, device)
            await conversation.say { [credentials] in $0.provision(credentials, at: $1) }
            let outcome = try await follow(&conversation, network.ssid)
            if case .connected(let status) = outcome {
                if !isJSON { try output.line(mark("●", .green) + WiFiText.sentence(status)) }
                return
            }
            let sentence = WiFiText.sentence(outcome)
            guard let person, case .failed = outcome else {
                switch outcome {
                case .notAcknowledged, .noResult: throw CommandError.nothingFound(sentence)
                default: throw CommandError.failed(sentence)
                }
            }
            try output.line(mark("▲", .yellow) + sentence)
            let again = await person.ask("Try another password? [Y/n] ")
            try Task.checkCancellation()
            guard let again, !again.lowercased().hasPrefix("n") else { throw CommandError.failed(sentence) }
            given.ssid = network.ssid
            given.password = nil
        }
    }

    // MARK: Steps

    private func tell(_ device: WiFiConversation.Device) throws {
        guard !isJSON else { return try output.line(WiFiJSON.device(device)) }
        let name = device.name.map { TerminalText.escaped($0.string) } ?? "a device without a name"
        try output.line(
            mark("●", .green) + "\(name), \(device.address), a WiFiSet device: it has the characteristics "
                + "WiFi List, Credential Write and Status.")
        if device.mtu < WiFiSetLimit.comfortableMTU {
            try output.line(
                mark("▲", .yellow)
                    + "The link carries \(device.mtu - 3) octets at a time; it works, but slower.")
        }
    }

    /// The network that was given, or the one that the person picks.
    private func network(
        _ conversation: inout WiFiConversation, _ given: Given
    ) async throws -> WiFiNetwork {
        if let ssid = given.ssid {
            // How it is secured is not known; 0xFF stands for that.
            let security = given.isOpen ? WiFiSecurity.open : WiFiSecurity(rawValue: 0xFF)
            return WiFiNetwork(ssid: ssid, rssi: 0, security: security, channel: 0)
        }
        guard let person else { throw CommandError.wrongUsage("Say which network with --ssid NAME.") }
        while true {
            let list = try await WiFiNetworksCommand.list(&conversation, showing: progress)
            progress.clear()
            let networks = WiFiNetwork.arranged(list.networks)
            let table = WiFiText.table(networks, on: output.terminal, numbered: true)
            try output.line(networks.isEmpty ? "The device hears no network." : table.joined(separator: "\n"))
            if let picked = try await pick(from: networks, person) { return picked }
        }
    }

    /// The network that the person picks; `nil` to look again.
    private func pick(from networks: [WiFiNetwork], _ person: Person) async throws -> WiFiNetwork? {
        while true {
            let range = networks.isEmpty ? "" : "1 to \(networks.count), "
            let answer = await person.ask("Which network? [\(range)r to look again, q to quit] ")
            try Task.checkCancellation()
            switch answer?.lowercased() {
            case nil, "q"?: throw CommandError.failed("No network was chosen; nothing was written.")
            case "r"?: return nil
            case let text?:
                guard let number = Int(text), networks.indices.contains(number - 1) else { continue }
                var network = networks[number - 1]
                if network.security == .wpa2Enterprise {
                    try output.line(mark("▲", .yellow) + WiFiCredentials.Fault.enterprise.description)
                    continue
                }
                if network.isHidden {
                    let name = await person.ask("Its name: ")
                    try Task.checkCancellation()
                    guard let name, (1...WiFiSetLimit.ssid).contains(name.utf8.count) else { continue }
                    network.ssid = WireText(name)
                }
                return network
            }
        }
    }

    /// The credentials for a network: the password that was given, or one that the person types.
    private func credentials(for network: WiFiNetwork, _ given: Given) async throws -> WiFiCredentials {
        if network.security == .open { return try WiFiCredentials(ssid: network.ssid, password: []) }
        if let password = given.password {
            return try WiFiCredentials(ssid: network.ssid, password: password)
        }
        guard let person else { throw CommandError.wrongUsage("Say where the password is.") }
        while true {
            let text = await person.askHidden("Password for “\(WiFiText.name(network.ssid))” (not shown): ")
            try Task.checkCancellation()
            guard let text else { throw CommandError.failed("No password was given; nothing was written.") }
            do throws(WiFiCredentials.Fault) {
                let credentials = try WiFiCredentials(ssid: network.ssid, password: Array(text.utf8))
                try credentials.check(for: network.security)
                return credentials
            } catch {
                try output.line(mark("▲", .yellow) + error.description)
            }
        }
    }

    /// Asks whether this is the device that is meant.
    private func confirm(_ ssid: WireText, _ device: WiFiConversation.Device) async throws {
        guard confirms, let person else { return }
        let name = device.name.map { TerminalText.escaped($0.string) } ?? "it"
        let answer = await person.ask(
            "Send the credentials for “\(WiFiText.name(ssid))” to \(name) (\(device.address))? They travel "
                + "unencrypted. [y/N] ")
        try Task.checkCancellation()
        guard answer?.lowercased().hasPrefix("y") == true else {
            throw CommandError.failed("Nothing was written.")
        }
    }

    /// Follows the credentials to their end.
    private func follow(_ conversation: inout WiFiConversation, _ ssid: WireText) async throws -> WiFiOutcome
    {
        progress.show("Writing the credentials…")
        while true {
            switch try await conversation.next() {
            case .written(let attempt) where attempt > 1:
                progress.show("No answer; writing them again, try \(attempt)…")
            case .acknowledged(let status, let attempt):
                if isJSON { try output.line(WiFiJSON.acknowledgment(status, attempt: attempt)) }
                if status == .stored { progress.show("The device has taken them…") }
            case .status(let status):
                if isJSON { try output.line(WiFiJSON.status(status)) }
                if status.state == .connecting {
                    progress.show("The device is joining “\(WiFiText.name(status.ssid))”…")
                }
            case .error(let report):
                if isJSON { try output.line(WiFiJSON.error(report)) }
            case .provisioned(let outcome):
                progress.clear()
                return outcome
            default: break
            }
        }
    }

    private func mark(_ mark: String, _ style: Terminal.Style) -> String {
        output.terminal.styled(mark, style) + " "
    }
}

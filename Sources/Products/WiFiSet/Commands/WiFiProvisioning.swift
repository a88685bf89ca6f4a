// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Foundation
import Companion
import WiFiSet

/// The steps of giving a device its Wi-Fi: with a person who is asked, or with everything given.
struct WiFiProvisioning: Sendable {
    /// What is known beforehand.
    struct Given: Sendable {
        /// The network; how it is secured need not be known.
        var network: WiFiNetwork?
        /// The password.
        var password: Secret?
    }

    let output: Output
    let isJSON: Bool
    let person: Person?
    let confirms: Bool

    /// Leads the conversation until the device is in the network.
    ///
    /// - Parameters:
    ///   - conversation: With the device.
    ///   - given: What is known beforehand.
    /// - Throws: ``CommandError`` that says why the device is not in the network.
    func run(_ conversation: inout WiFiConversation, _ given: Given) async throws {
        let device = try await conversation.ready()
        conversation.progress.clear()
        try tell(device)
        var network = given.network
        var password = given.password
        var isConfirmed = !confirms
        defer { given.password?.wipe() }
        while true {
            let target: WiFiNetwork
            if let network { target = network } else { target = try await pick(&conversation) }
            var credentials = try await credentials(for: target, password?.octets, &conversation)
            defer { credentials.wipe() }
            if !isConfirmed {
                try await confirm(target.ssid, device, &conversation)
                isConfirmed = true
            }
            await conversation.say { [credentials] in $0.provision(credentials, at: $1) }
            let outcome = try await follow(&conversation)
            if case .connected(let status) = outcome {
                if !isJSON { try output.line(mark("●", .green) + WiFiText.sentence(status)) }
                return
            }
            let another = try await another(after: outcome, at: target, &conversation)
            network = another ? target : nil
            password?.wipe()
            password = nil
        }
    }

    /// Asks whether there is another try after one that has failed.
    ///
    /// - Parameters:
    ///   - outcome: How it has failed.
    ///   - target: The network.
    ///   - conversation: With the device.
    /// - Returns: Whether the network is the same; otherwise another one is chosen.
    /// - Throws: ``CommandError`` when there is none.
    private func another(
        after outcome: WiFiOutcome, at target: WiFiNetwork, _ conversation: inout WiFiConversation
    ) async throws -> Bool {
        let sentence = WiFiText.sentence(outcome)
        let error: CommandError
        switch outcome {
        case .notAcknowledged, .noResult: error = .nothingFound(sentence)
        default: error = .failed(sentence)
        }
        // Without a link there is nobody to try it with.
        guard person != nil, outcome != .disconnected else { throw error }
        try warn(sentence)
        let what = target.security == .open ? "Try again?" : "Try another password?"
        let answer = try await ask("\(what) [Y/n, l for the list of networks] ", &conversation)
        switch answer?.trimmed.lowercased() {
        case nil, "n"?, "no"?, "q"?: throw error
        case "l"?: return false
        default: return true
        }
    }

    // MARK: Steps

    private func tell(_ device: WiFiConversation.Device) throws {
        guard !isJSON else { return try output.line(WiFiJSON.device(device)) }
        let name = device.name.map { TerminalText.escaped($0.string) } ?? "a device without a name"
        try output.line(
            mark("●", .green) + "\(name), \(device.peer.plain), a WiFiSet device: it has the characteristics "
                + "WiFi List, Credential Write and Status.")
        if let note = WiFiText.note(onMTU: device.mtu) { try output.line(mark("▲", .yellow) + note) }
    }

    /// The network that the person picks from those that the device hears.
    private func pick(_ conversation: inout WiFiConversation) async throws -> WiFiNetwork {
        while true {
            let list = try await WiFiNetworksCommand.list(&conversation)
            let networks = WiFiNetwork.arranged(list.networks)
            let table = WiFiText.table(networks, on: output.terminal, numbered: true)
            try output.line(networks.isEmpty ? "The device hears no network." : table.joined(separator: "\n"))
            if let picked = try await pick(from: networks, &conversation) { return picked }
        }
    }

    /// The network that the person picks; `nil` to look again.
    private func pick(
        from networks: [WiFiNetwork], _ conversation: inout WiFiConversation
    ) async throws -> WiFiNetwork? {
        let range = networks.isEmpty ? "" : networks.count == 1 ? "1, " : "1 to \(networks.count), "
        while true {
            let answer = try await ask("Which network? [\(range)r to look again, q to quit] ", &conversation)
            switch answer?.trimmed.lowercased() {
            case nil, "q"?: throw CommandError.failed("No network was chosen; nothing was written.")
            case "r"?: return nil
            case let text?:
                guard let number = Int(text), networks.indices.contains(number - 1) else {
                    try warn("Type one of the numbers, r or q.")
                    continue
                }
                var network = networks[number - 1]
                if network.security == .wpa2Enterprise {
                    try warn(WiFiCredentials.Fault.enterprise.description)
                    continue
                }
                if network.isHidden {
                    let name = try await ask("Its name: ", &conversation) ?? ""
                    guard (1...WiFiSetLimit.ssid).contains(name.utf8.count) else {
                        try warn("A network's name has 1 to 32 octets, this one has \(name.utf8.count).")
                        continue
                    }
                    network.ssid = WireText(name)
                }
                return network
            }
        }
    }

    /// The credentials for a network: with the password that was given, or one that the person types.
    private func credentials(
        for network: WiFiNetwork, _ password: [UInt8]?, _ conversation: inout WiFiConversation
    ) async throws -> WiFiCredentials {
        if network.security == .open { return try WiFiCredentials(ssid: network.ssid, password: []) }
        var offered = password
        while true {
            var octets = try await typed(offered, for: network, &conversation)
            offered = nil
            defer { WiFiCredentials.wipe(&octets) }
            do throws(WiFiCredentials.Fault) {
                let credentials = try WiFiCredentials(ssid: network.ssid, password: octets)
                try credentials.check(for: network.security)
                return credentials
            } catch {
                // Without a person it was checked before anything was sent.
                guard person != nil else { throw CommandError.wrongUsage(error.description) }
                try warn(error.description)
            }
        }
    }

    /// The password that was offered, or else what the person types.
    private func typed(
        _ offered: [UInt8]?, for network: WiFiNetwork, _ conversation: inout WiFiConversation
    ) async throws -> [UInt8] {
        if let offered { return offered }
        guard let person else { throw CommandError.wrongUsage("Say where the password is.") }
        let prompt = "Password for “\(WiFiText.name(network.ssid))” (not shown): "
        guard let typed = try await conversation.ask({ await person.askHidden(prompt) }) else {
            throw CommandError.failed("No password was given; nothing was written.")
        }
        return typed
    }

    /// Asks whether this is the device that is meant.
    private func confirm(
        _ ssid: WireText, _ device: WiFiConversation.Device, _ conversation: inout WiFiConversation
    ) async throws {
        let name = device.name.map { TerminalText.escaped($0.string) } ?? "it"
        let answer = try await ask(
            "Send the credentials for “\(WiFiText.name(ssid))” to \(name) (\(device.peer.plain))? They travel "
                + "unencrypted. [y/N] ", &conversation)
        guard answer?.trimmed.lowercased().hasPrefix("y") == true else {
            throw CommandError.failed("Nothing was written.")
        }
    }

    /// Follows the credentials to their end.
    private func follow(_ conversation: inout WiFiConversation) async throws -> WiFiOutcome {
        let progress = conversation.progress
        progress.show("Writing the credentials…")
        while true {
            let event = try await conversation.next()
            if isJSON, let line = WiFiJSON.line(event) { try output.line(line) }
            switch event {
            case .written(let attempt) where attempt > 1:
                progress.show("No answer; writing them again, try \(attempt)…")
            case .acknowledged(.stored, _): progress.show("The device has taken them…")
            case .status(let status) where status.state == .connecting:
                progress.show("The device is joining “\(WiFiText.name(status.ssid))”…")
            case .provisioned(let outcome):
                progress.clear()
                return outcome
            default: break
            }
        }
    }

    private func ask(_ prompt: String, _ conversation: inout WiFiConversation) async throws -> String? {
        guard let person else { return nil }
        return try await conversation.ask { await person.ask(prompt) }
    }

    private func warn(_ sentence: String) throws { try output.line(mark("▲", .yellow) + sentence) }

    private func mark(_ mark: String, _ style: Terminal.Style) -> String {
        output.terminal.styled(mark, style) + " "
    }
}

extension String {
    /// Without blanks around it.
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion
import CompanionDevices
import CompanionText
import Improv
import ImprovCompanion
import WiFiSet
import WiFiSetCompanion

// snippet: companion-wifi
/// Gives a device the Wi-Fi of its place, and says how that went; `ask` has a person answer.
func provision(
    _ peer: Peer, on radio: Radio,
    ask: @escaping @Sendable (WiFiProvisioning.Question) async -> WiFiProvisioning.Answer?
) async throws -> String {
    let protocols: [any WiFiClientKind] = [WiFiClients<WiFiSetClient>(), WiFiClients<ImprovClient>()]
    let end = try await protocols.open(.peer(peer), on: radio) { link in
        try await link.lead(WiFiProvisioning(link.device), ask: ask)
    }
    return switch end {
    case .joined(let state): WiFiText.sentence(state)
    case .notJoined(let failure, let password): WiFiText.sentence(failure, password: password)
    default: "Nothing was sent."
    }
}

/// The answers of a person who knows the network and its password.
func answer(_ question: WiFiProvisioning.Question) -> WiFiProvisioning.Answer {
    switch question {
    case .network(let networks):
        networks.firstIndex { $0.ssid == "Lantern Home" }.map { .network($0) } ?? .lookAgain
    case .password: .password(Array("lantern-home".utf8))
    case .confirmation: .yes
    case .name, .another: .nobody
    }
}
// end

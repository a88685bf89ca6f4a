// SPDX-License-Identifier: Apache-2.0

// Agents in one line, for what a program can show and take.
extension PairingAgent {
    /// Says yes to every device, with nothing shown and nothing entered: encrypted, but somebody may stand in the middle.
    public static let justWorks = PairingAgent { _ in .accept }

    /// Asks whether a device may pair, with nothing shown and nothing entered: encrypted, but somebody may stand in the middle.
    ///
    /// - Parameter mayPair: Asks somebody, or decides.
    /// - Returns: The agent.
    public static func consent(_ mayPair: @escaping @Sendable (Peer) async -> Bool) -> PairingAgent {
        var configuration = SMP.Configuration()
        configuration.asksConsent = true
        return PairingAgent(configuration) { question in
            await mayPair(question.peer) ? .accept : .reject
        }
    }

    /// Has somebody enter the six digits that the device shows; a device that shows none is refused.
    ///
    /// - Parameter digits: Asks for them, once more for what is not six digits, three times in all; `nil` gives pairing up.
    /// - Returns: The agent.
    public static func enter(_ digits: @escaping @Sendable (Peer) async -> String?) -> PairingAgent {
        authenticated(.keyboardOnly) { question in
            guard question.kind == .enter else { return .reject }
            for _ in 0..<3 {
                guard let text = await digits(question.peer) else { break }
                if let passkey = SMP.Passkey(digits: text) { return .passkey(passkey) }
            }
            return .reject
        }
    }

    /// Shows six digits, which somebody enters at the device; a device that takes none is refused.
    ///
    /// - Parameter show: Shows them, as its `digits`; its task is cancelled when they need not be shown any more.
    /// - Returns: The agent.
    public static func display(
        _ show: @escaping @Sendable (Peer, SMP.Passkey) async -> Void
    ) -> PairingAgent {
        authenticated(.displayOnly) { question in
            guard case .show(let passkey) = question.kind else { return .reject }
            await show(question.peer, passkey)
            return .accept
        }
    }

    /// Asks whether the device shows the same six digits; a device that shows none, and takes none, is refused.
    ///
    /// A device that has a keyboard alone takes the digits: then they are shown all the same, and what is answered counts for nothing.
    ///
    /// - Parameter areSame: Shows the digits, and asks.
    /// - Returns: The agent.
    public static func compare(
        _ areSame: @escaping @Sendable (Peer, SMP.Passkey) async -> Bool
    ) -> PairingAgent {
        authenticated(.displayYesNo) { question in
            switch question.kind {
            case .show(let passkey), .compare(let passkey):
                await areSame(question.peer, passkey) ? .accept : .reject
            case .enter, .consent: .reject
            }
        }
    }

    /// Refuses what somebody in the middle could take part in: whoever has digits entered relies on them.
    private static func authenticated(
        _ capability: SMP.IOCapability,
        _ answer: @escaping @Sendable (PairingQuestion) async -> SMP.Answer
    ) -> PairingAgent {
        var configuration = SMP.Configuration()
        configuration.ioCapability = capability
        configuration.wantsAuthentication = true
        configuration.minimumLevel = .authenticated
        return PairingAgent(configuration, answer: answer)
    }
}

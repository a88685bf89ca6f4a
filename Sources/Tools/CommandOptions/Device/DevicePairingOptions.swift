// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import CommandIO
import Companion
import CompanionDevices

/// How clients pair with a device that this computer is.
package struct DevicePairingOptions: ParsableArguments {
    @Flag(help: "Let clients use the device only once they have paired.")
    var requirePairing = false

    @Option(
        help: ArgumentHelp(
            "The six digits that clients have to enter, or new for different ones each time; needs --require-pairing. Without --passkey, clients enter nothing.",
            valueName: "digits|new"))
    var passkey: String?

    @Flag(exclusivity: .exclusive)
    var capability: PairingCapability?

    @Flag(
        help:
            "Refuse clients that pair without protection against somebody in between; --passkey does this, too."
    )
    var requireAuthentication = false

    @OptionGroup var outOfBand: OutOfBandOptions

    /// The word for digits that are others each time.
    private static let anew = "new"

    func validate() throws {
        guard requirePairing else {
            guard passkey == nil else { throw ValidationError("--passkey needs --require-pairing.") }
            guard capability == nil, !requireAuthentication, !outOfBand.isUsed else {
                throw ValidationError("Options that say how clients pair need --require-pairing.")
            }
            return
        }
        if let passkey {
            guard passkey == Self.anew || SMP.Passkey(digits: passkey) != nil else {
                throw ValidationError(
                    "A passkey has six digits, as in --passkey 012345; --passkey new shows different ones each time."
                )
            }
            guard capability == nil || capability == .display || capability == .keyboardDisplay else {
                throw ValidationError("--passkey shows digits: it goes with --display or --keyboard-display.")
            }
        }
        if requireAuthentication, passkey == nil, !outOfBand.isUsed,
            capability == nil || capability == .noInput
        {
            throw ValidationError(
                "With --require-authentication say how: --passkey, --keyboard, --display, --yes-no or out-of-band data."
            )
        }
    }

    /// Whether a person answers in lines of the standard input.
    private var asksPerson: Bool {
        switch capability {
        case .keyboard, .yesNo, .keyboardDisplay: true
        case .display, .noInput, nil: false
        }
    }

    /// What the device can do and wants.
    private func configuration(_ printer: EventPrinter) throws -> SMP.Configuration {
        var configuration = SMP.Configuration()
        configuration.ioCapability =
            capability?.ioCapability ?? (passkey == nil ? .noInputNoOutput : .displayOnly)
        configuration.wantsAuthentication = configuration.ioCapability != .noInputNoOutput
        // Where they are not chosen, they are new each time.
        configuration.passkey = passkey.flatMap { SMP.Passkey(digits: $0) }
        if isAuthenticated { configuration.minimumLevel = .authenticated }
        if let octets = try outOfBand.octets() { configuration.use(try OutOfBandOptions.decode(octets)) }
        if outOfBand.showOobData {
            let data = try OutOfBandOptions.makeOwn(for: &configuration, hasTemporaryKey: true)
            try printer.show(OutOfBandShown(data.octets))
        }
        return configuration
    }

    private var isAuthenticated: Bool { passkey != nil || requireAuthentication }

    /// Lets clients pair, if they have to.
    ///
    /// - Parameters:
    ///   - radio: The radio.
    ///   - printer: Where it is shown what clients have to enter or to get.
    ///   - readsLines: Whether the standard input is the device's own, as for its button.
    /// - Throws: ``CommandError``, ``BluetoothError``, ``OutputError``.
    func prepare(on radio: Radio, _ printer: EventPrinter, readsLines: Bool) async throws {
        guard requirePairing else { return }
        guard !asksPerson || !readsLines else {
            throw CommandError.wrongUsage(
                "This device reads its own commands from the standard input, so nobody can answer there: use --display or --no-input."
            )
        }
        let person = PairingPerson(printer)
        var agent = PairingAgent(try configuration(printer)) { question in
            switch question.kind {
            case .enter, .compare: return await person.answer(question)
            case .show, .consent:
                try? printer.show(PairingAsked(question))
                // Whoever takes the place of a known device without showing anything needs a person's word.
                if case .consent(replacesBond: true) = question.kind { return .reject }
                return .accept
            }
        }
        agent.serverProtection = isAuthenticated ? .authenticated : .encrypted
        try await radio.pairWhenAsked(agent)
    }
}

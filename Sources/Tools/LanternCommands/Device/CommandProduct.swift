// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import Companion
import CompanionDevices
import SimulatedDevices

/// A product with what the command line has of it.
protocol CommandProduct: Product {
    /// `device run` for its device.
    var deviceCommand: any ParsableCommand.Type { get }

    /// Its commands, in the order of the help; `lantern wifi` belongs to none.
    var commands: [any ParsableCommand.Type] { get }

    /// Its events.
    var events: [EventDescription] { get }

    /// How `lantern wifi` speaks to its devices; `nil` when they take no Wi-Fi credentials.
    var wifi: (any WiFiClientKind)? { get }
}

extension CommandProduct {
    var commands: [any ParsableCommand.Type] { [] }

    var wifi: (any WiFiClientKind)? { nil }
}

extension Products {
    /// All products with what the command line has of them.
    static let withCommands: [any CommandProduct] = all.map { product in
        guard let product = product as? any CommandProduct else {
            preconditionFailure("\(product.name) has no commands")
        }
        return product
    }
}

/// What `device run` has whatever it runs.
struct DeviceRunOptions: ParsableArguments {
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Let clients use the device only over a link that is paired.")
    var requirePairing = false

    @Option(
        help: ArgumentHelp(
            "The six digits that clients have to enter, or new, for others each time; with --require-pairing. Without, nothing is entered.",
            valueName: "digits|new"))
    var passkey: String?

    /// The word for digits that are others each time.
    private static let anew = "new"

    func validate() throws {
        guard let passkey else { return }
        guard passkey == Self.anew || SMP.Passkey(digits: passkey) != nil else {
            throw ValidationError(
                "A passkey has six digits, as in --passkey 012345; --passkey new shows others each time.")
        }
        guard requirePairing else { throw ValidationError("--passkey goes with --require-pairing.") }
    }

    /// Lets clients pair, if they have to.
    private func preparePairing(on radio: Radio, _ printer: EventPrinter) async throws {
        guard requirePairing else { return }
        var configuration = SMP.Configuration()
        if let passkey {
            configuration.ioCapability = .displayOnly
            // Where they are not chosen, they are new each time.
            configuration.passkey = SMP.Passkey(digits: passkey)
            configuration.minimumLevel = .authenticated
        }
        var agent = PairingAgent(configuration) { question in
            try? printer.show(PairingAsked(question))
            // Whoever takes the place of a known device without showing anything needs a person's word.
            if case .consent(replacesBond: true) = question.kind { return .reject }
            return .accept
        }
        agent.serverProtection = passkey == nil ? .encrypted : .authenticated
        try await radio.pairWhenAsked(agent)
    }

    /// Opens the radio and serves on it until the time is up; nothing waits for who reads the output.
    ///
    /// - Parameter body: Serves, and prints what happens.
    /// - Throws: What opening the radio and the body throw.
    func serve(_ body: @escaping @Sendable (Radio, EventPrinter) async throws -> Void) async throws {
        // A device goes on when nobody reads what it says.
        try await Output.standard().withoutWaiting(isJSON: format.isJSON) { output in
            let printer = EventPrinter(to: output, isJSON: format.isJSON)
            try await radioOptions.use { radio in
                try await preparePairing(on: radio, printer)
                try await TimeLimit.run(duration?.duration, on: radio) { try await body(radio, printer) }
            }
        }
    }
}

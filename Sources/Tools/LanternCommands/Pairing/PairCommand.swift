// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText

/// `lantern pair`: makes keys with a device, and keeps them.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair with a device, so that the link is encrypted, and keep the keys.",
        discussion: """
            Without --keyboard, --display, --yes-no or --no-input, pairing uses whatever the device can do. Six digits \
            and answers (y or n) are read from the standard input, one per line.

            Out of band, with --oob-data, the device has handed over its confirmation and random value (LE Secure \
            Connections) or its TK (legacy) by an NFC tag, a picture or a cable; with --show-oob-data it gets those of \
            this side, and pairing begins when Enter is pressed.

            The keys are kept for the adapter that was used, in a folder that only you can read; `lantern bonds` shows \
            and removes them. Later connections to the device are encrypted automatically.
            """)

    @Argument(
        help: ArgumentHelp(
            "The device, as AA:BB:CC:DD:EE:FF. Add /P (public) or /R (random), or a scan finds out which it is.",
            valueName: "address"))
    var address: DeviceAddress

    @Flag(exclusivity: .exclusive)
    var capability: PairingCapability?

    @Flag(inversion: .prefixedNo, help: "Keep the keys.")
    var bond = true

    @Flag(help: "Fail rather than pair where somebody may be in between.")
    var requireAuthentication = false

    @OptionGroup var outOfBand: OutOfBandOptions

    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if requireAuthentication, capability == .noInput, !outOfBand.isUsed {
            throw ValidationError("With --no-input nobody can check that no one is in between.")
        }
    }

    func run() async throws {
        let printer = EventPrinter(to: .standard(), isJSON: format.isJSON)
        let progress = ProgressLine.standard()
        defer { progress.clear() }
        try await radio.use { radio in
            try await perform(
                on: radio, printer, showing: progress, person: PairingPerson(printer, progress: progress))
        }
    }

    /// Connects, pairs and says how well the link is protected.
    func perform(
        on radio: Radio, _ printer: EventPrinter, showing progress: ProgressLine = .none,
        person: PairingPerson
    ) async throws {
        guard await radio.capabilities.contains(.pairing) else {
            throw CommandError.failed("This radio cannot pair: choose another one with --radio.")
        }
        try await phyOptions.check(radio)
        var options = PairingOptions()
        options.ioCapability = capability?.ioCapability
        options.keepsKeys = bond
        options.outOfBand = try outOfBand.octets() ?? []
        options.showsOutOfBand = outOfBand.showOobData
        let agent = try await person.agent(
            options, minimumLevel: requireAuthentication ? .authenticated : .encrypted)
        let secured: LinkSecured
        do {
            secured = try await radio.withConnection(
                to: address, phys: phyOptions.phys, showing: { progress.show($0) }
            ) { connection in
                progress.show("Pairing with \(address)…")
                return LinkSecured(connection.peer, try await connection.pair(agent))
            }
        } catch let fault as ExplorerError {
            throw CommandError(fault)
        }
        progress.clear()
        try printer.show(secured) { _ in [StyledText(secured.line.text)] }
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
package import BLESessions
import BluetoothLE
package import CommandIO
import Companion
import CompanionDevices
import CompanionText

/// Whether a command sends anything over a link that is not encrypted.
package struct ProtectionOptions: ParsableArguments {
    @Flag(
        help:
            "Encrypt the link before anything is sent, and pair for that if necessary; otherwise send nothing."
    )
    package var encrypt = false

    @Flag(help: "With --encrypt: if the device cannot encrypt, go on without encryption and say so.")
    var orPlain = false

    package init() {}

    package func validate() throws {
        if orPlain, !encrypt { throw ValidationError("--or-plain needs --encrypt.") }
    }

    /// What is done with each link.
    ///
    /// - Parameters:
    ///   - printer: Where it is said how well a link is protected, and where a person is asked.
    ///   - progress: What is shown meanwhile, and would stand in the way.
    /// - Returns: What is done; `nil` when that is left to the device.
    package func protection(_ printer: EventPrinter, showing progress: ProgressLine = .none)
        -> LinkProtection?
    {
        guard encrypt else { return nil }
        let person = PairingPerson(printer, progress: progress)
        let fallback: @Sendable (Peer, BluetoothError) async -> Void = { peer, error in
            progress.clear()
            // Who cannot read it has still said that it may go on.
            try? Output.standardError().line(
                "lantern: the link to \(peer) is NOT encrypted. \(PrintableText.escaped(error.description))")
        }
        return LinkProtection(
            person.agent(PairingCapability.configuration(nil, bonds: true)),
            secured: { peer, security in
                progress.clear()
                let secured = LinkSecured(peer, security)
                // A note beside the output; that it cannot be read ends nothing.
                try? printer.show(secured) { _ in [StyledText(secured.line.text)] }
            },
            fallback: orPlain ? fallback : nil)
    }
}

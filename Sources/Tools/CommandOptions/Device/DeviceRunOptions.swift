// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import BluetoothLE
package import CommandIO
package import CompanionDevices

/// What `device run` has whatever it runs.
package struct DeviceRunOptions: ParsableArguments {
    @OptionGroup package var radioOptions: RadioOptions
    @OptionGroup package var format: FormatOptions

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    package var duration: Seconds?

    @OptionGroup package var pairing: DevicePairingOptions

    package init() {}

    /// Opens the radio and serves on it until the time is up; nothing waits for who reads the output.
    ///
    /// - Parameters:
    ///   - readsLines: Whether the standard input is the device's own, as for its button.
    ///   - body: Serves, and prints what happens.
    /// - Throws: What opening the radio and the body throw.
    package func serve(
        readsLines: Bool = false, _ body: @escaping @Sendable (Radio, EventPrinter) async throws -> Void
    ) async throws {
        // A device goes on when nobody reads what it says.
        try await Output.standard().withoutWaiting(isJSON: format.isJSON) { output in
            let printer = EventPrinter(to: output, isJSON: format.isJSON)
            try await radioOptions.use { radio in
                try await pairing.prepare(on: radio, printer, readsLines: readsLines)
                try await TimeLimit.run(duration?.duration, on: radio) { try await body(radio, printer) }
            }
        }
    }
}

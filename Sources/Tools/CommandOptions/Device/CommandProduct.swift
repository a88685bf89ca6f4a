// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import Companion
import CompanionDevices
import ProductRegistry

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

    @OptionGroup var pairing: DevicePairingOptions

    /// Opens the radio and serves on it until the time is up; nothing waits for who reads the output.
    ///
    /// - Parameters:
    ///   - readsLines: Whether the standard input is the device's own, as for its button.
    ///   - body: Serves, and prints what happens.
    /// - Throws: What opening the radio and the body throw.
    func serve(
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

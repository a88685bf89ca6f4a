// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText

/// `lantern wifi`: everything about devices that take Wi-Fi credentials.
struct WiFiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wifi",
        abstract: "Connect a new device to your Wi-Fi, over Bluetooth (WiFiSet, Improv).",
        subcommands: [
            WiFiNetworksCommand.self, WiFiProvisionCommand.self, WiFiShowCommand.self,
            WiFiIdentifyCommand.self,
        ])
}

/// What every `lantern wifi` command has: a device, a radio and how to print.
struct WiFiOptions: ParsableArguments {
    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var protectionOptions: ProtectionOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The device.")
    var address: DeviceAddress

    /// What prints events.
    var printer: EventPrinter { EventPrinter(to: .standard(), isJSON: format.isJSON) }

    /// Finds the device, does some work when it listens, and closes the link, however it ends.
    ///
    /// - Parameters:
    ///   - limit: How long everything may take; `nil` for as long as it takes.
    ///   - body: The work, with where to say how far it is.
    ///   - again: What to do on another link after what the work has returned; when that link does not come, nothing.
    /// - Returns: What the body returns, or what is done again.
    /// - Throws: ``CommandError`` with a sentence for each way in which it can fail.
    func use<Value: Sendable>(
        limit: Seconds? = nil,
        _ body:
            nonisolated(nonsending) @escaping @Sendable (inout any WiFiLink, ProgressLine) async throws ->
            Value,
        again:
            @escaping @Sendable (Value) -> (
                nonisolated(nonsending) @Sendable (inout any WiFiLink) async throws -> Value
            )? = { _ in
                nil
            }
    ) async throws -> Value {
        let progress = format.isJSON ? ProgressLine.none : .standard()
        do {
            let protection = protectionOptions.protection(printer, showing: progress)
            return try await radioOptions.use { [address, phyOptions] radio in
                try await phyOptions.check(radio)
                progress.show("Looking for \(address)…")
                defer { progress.clear() }
                let value = try await WiFiClientKinds.all.open(
                    address.target, on: radio,
                    ConnectionOptions(
                        phys: phyOptions.phys, limit: limit?.duration, protection: protection),
                    notices: { Self.show($0, progress) }
                ) { link in
                    progress.clear()
                    return try await body(&link, progress)
                }
                guard let work = again(value) else { return value }
                progress.show("The link was lost. Looking for \(address) again…")
                let second = ConnectionOptions(
                    phys: phyOptions.phys, limit: .seconds(15), protection: protection)
                do {
                    return try await WiFiClientKinds.all.open(address.target, on: radio, second) { link in
                        try await work(&link)
                    }
                } catch {
                    return value
                }
            }
        } catch let failure as ConnectionError {
            throw CommandError(
                failure, of: address,
                wrongDevice: { WiFiClientKinds.wrongDevice("\(address)", missing: $0, having: $1) })
        } catch let failure as WiFiError {
            throw Self.error(failure)
        } catch let fault as WiFiSecretError {
            throw CommandError.wrongUsage(WiFiText.sentence(fault))
        } catch  where Task.isCancelled {
            // A script must not take this for an answer.
            throw CommandError.failed("Ended before it was done.")
        }
    }

    /// Says what a failure means to a person.
    static func error(
        _ failure: WiFiError, password: WiFiPasswordKind = .plain, isSecurityKnown: Bool = true
    ) -> CommandError {
        let sentence = PrintableText.escaped(
            WiFiText.sentence(failure, password: password, isSecurityKnown: isSecurityKnown))
        return failure.isTimeout ? .nothingFound(sentence) : .failed(sentence)
    }

    private static func show(_ notice: ConnectionNotice, _ progress: ProgressLine) {
        guard case .fault(let fault) = notice else { return }
        progress.clear()
        // A note beside the output; that it cannot be read ends nothing.
        try? Output.standardError().line(
            "lantern: the device sent something unusable: \(PrintableText.escaped(fault)).")
    }
}

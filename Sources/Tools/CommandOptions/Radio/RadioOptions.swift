// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import BLECrypto
package import BLEHost
package import BLEHostDriver
package import BLETransport
package import BluetoothLE
package import CommandIO
import Companion
import CompanionDevices
import NightlightDevices
package import RadioChoosing
import SimulatedDevices

/// The radio that a command uses.
package struct RadioOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The radio: \(RadioChoice.choices).", valueName: "radio"), completion: .radios)
    package var radio: String?

    @Option(
        help: ArgumentHelp("Write all HCI traffic to a btsnoop file.", valueName: "file"), completion: .file()
    )
    package var capture: String?

    @Flag(
        name: .customLong("private"),
        help:
            "Change this computer's address every 15 minutes; only devices that paired with this option know it again."
    )
    package var isPrivate = false

    package init() {}

    /// Refuses a capture into another file of the command, which would be lost.
    ///
    /// - Parameter others: The other files, and what names them.
    /// - Throws: ``ValidationError``.
    package func checkCapture(apartFrom others: (String?, String)...) throws {
        try OutputPath.check(capture, of: "--capture", apartFrom: others)
    }

    /// What was chosen.
    ///
    /// - Parameter needsController: Whether only a radio will do whose controller can be looked at.
    /// - Returns: The radio, which is not opened.
    /// - Throws: ``CommandError`` when it is no radio, or none that there is yet.
    package func choice(needsController: Bool = false) async throws(CommandError) -> RadioChoice {
        do throws(RadioChoiceError) {
            if let radio { return try RadioChoice(radio) }
            if needsController { return try .standard(system: [], kernel: Adapter.all()) }
            return try await .standard()
        } catch {
            throw Self.error(error)
        }
    }

    /// How a command ends without its radio: where nothing that was written is wrong, it has failed.
    package static func error(_ error: RadioChoiceError) -> CommandError {
        switch error {
        case .missing: .failed(error.description)
        case .unknown, .malformed: .wrongUsage(error.description)
        }
    }

    /// Opens the radio; prints nothing.
    ///
    /// - Returns: The radio, ready for use.
    /// - Throws: ``CommandError`` or ``BluetoothError`` when it cannot be used.
    package func open() async throws -> Radio { try await open(captureFile()) }

    private func open(_ file: CaptureFile?) async throws -> Radio {
        let radio = try await openInTheOpen(file)
        guard isPrivate else { return radio }
        do {
            try await radio.usePrivacy(true)
        } catch {
            await radio.close()
            throw error
        }
        return radio
    }

    private func openInTheOpen(_ file: CaptureFile?) async throws -> Radio {
        let choice = try await choice(needsController: file != nil)
        if case .bluez = choice, file != nil {
            throw CommandError.wrongUsage(
                "BlueZ does not show its HCI traffic: use another radio for --capture, or capture with btmon."
            )
        }
        if case .coreBluetooth = choice, file != nil {
            throw CommandError.wrongUsage(
                "Core Bluetooth does not show its HCI traffic: use another radio for --capture.")
        }
        return try await Self.opening { () async throws(RadioOpeningError) in
            try await choice.open(
                capture: file.map { CaptureSwitch($0) }, Self.hostConfiguration, bonds: BondFolder.store
            ) {
                SimulatedDevices.neighbourhood(clock: HostClock.reading())
            }
        }
    }

    private func openHost(_ file: CaptureFile?) async throws -> HostRadio {
        let host = try await openHostInTheOpen(file)
        guard isPrivate else { return host }
        do {
            try await host.radio.usePrivacy(true)
        } catch {
            await host.close()
            throw error
        }
        return host
    }

    private func openHostInTheOpen(_ file: CaptureFile?) async throws -> HostRadio {
        let choice = try await choice(needsController: true)
        return try await Self.opening { () async throws(RadioOpeningError) in
            try await choice.openHost(
                capture: file.map { CaptureSwitch($0) }, Self.hostConfiguration, bonds: BondFolder.store
            ) {
                SimulatedDevices.neighbourhood(clock: HostClock.reading())
            }
        }
    }

    private static func opening<Opened>(
        _ open: () async throws(RadioOpeningError) -> Opened
    ) async throws -> Opened {
        do throws(RadioOpeningError) {
            return try await open()
        } catch {
            switch error {
            case .noLoop(let error): throw CommandError.failed(error.description)
            case .radio(let error, transport: _): throw error
            }
        }
    }

    /// How our own host behaves: it can pair.
    package static var hostConfiguration: HostConfiguration {
        var configuration = HostConfiguration()
        configuration.cryptography = HostCryptography()
        return configuration
    }

    /// Starts what a radio runs on.
    ///
    /// - Returns: The loop.
    /// - Throws: ``CommandError`` when the system gives no more descriptors or threads.
    package static func makeLoop() throws(CommandError) -> TransportLoop {
        do throws(TransportError) {
            return try TransportLoop()
        } catch {
            throw .failed(error.description)
        }
    }

    /// Makes the capture file, if one is wanted.
    private func captureFile() throws(CommandError) -> CaptureFile? {
        guard let capture else { return nil }
        try OutputPath.check(capture)
        let file: CaptureFile
        do throws(TransportError) {
            file = try CaptureFile(capture)
        } catch {
            let why = if case .cannotOpen(let why) = error { why } else { error.description }
            throw .failed("The capture cannot be written to \(why).")
        }
        // A disk without room for the header has none for anything.
        if let failure = file.failure {
            throw .failed("The capture cannot be written to \(capture): \(failure).")
        }
        return file
    }

    /// Opens the radio, uses it and lets it go, however the use ends.
    ///
    /// - Parameter body: Uses the radio.
    /// - Returns: What the body returns.
    /// - Throws: What opening and the body throw.
    package func use<Value: Sendable>(
        _ body: @Sendable (Radio) async throws -> Value
    ) async throws -> Value {
        try await use(opening: { try await open($0) }, closing: { await $0.close() }, body)
    }

    /// Opens the radio and lets it go as ``use(_:)`` does, for whoever wants to see the controller behind it.
    ///
    /// - Parameter body: Uses the radio.
    /// - Returns: What the body returns.
    /// - Throws: What opening and the body throw.
    package func useHost<Value: Sendable>(
        _ body: @Sendable (HostRadio) async throws -> Value
    ) async throws -> Value {
        try await use(opening: { try await openHost($0) }, closing: { await $0.close() }, body)
    }

    private func use<Opened: Sendable, Value: Sendable>(
        opening: (CaptureFile?) async throws -> Opened, closing: @escaping @Sendable (Opened) async -> Void,
        _ body: @Sendable (Opened) async throws -> Value
    ) async throws -> Value {
        let file = try captureFile()
        let opened = try await opening(file)
        let result: Result<Value, any Error>
        do { result = .success(try await body(opened)) } catch { result = .failure(error) }
        await withoutCancellation { await closing(opened) }
        await file?.flush()
        if let fault = file?.fault {
            let sentence = "The capture \(capture ?? "") \(fault)."
            switch result {
            case .success: throw CommandError.failed(sentence + " Everything else was done.")
            case .failure(let error) where CommandError.isEndedByPerson(error):
                throw CommandError.failed(sentence)
            case .failure: try? Output.standardError().line("lantern: " + PrintableText.escaped(sentence))
            }
        }
        return try result.get()
    }
}

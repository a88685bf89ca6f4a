// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import SimulatedDevices

/// Which radio a person has chosen.
enum RadioChoice: Hashable, Sendable {
    /// The virtual air inside this process.
    case simulation
    /// HCI over TCP or a serial port; the moniker says which.
    case hci(moniker: String)

    /// The choices, for sentences.
    static let choices = "sim, tcp:HOST:PORT, tcp-listen:HOST:PORT or serial:PATH[,BAUD]"

    /// Reads what stands behind `--radio`.
    ///
    /// - Parameter text: What was written; `nil` when the option is missing.
    /// - Throws: ``CommandError`` when it is no radio, or none that there is yet.
    init(_ text: String?) throws(CommandError) {
        guard let text else {
            throw .wrongUsage("No radio was chosen: add --radio with \(Self.choices); sim needs no hardware.")
        }
        let kind = text.prefix { $0 != ":" }
        switch kind {
        case "sim" where text == "sim": self = .simulation
        case "tcp", "tcp-listen", "serial": self = .hci(moniker: text)
        case "hci", "bluez", "corebluetooth":
            throw .failed("The radio \(text) is not in this version yet: choose \(Self.choices).")
        default: throw .wrongUsage("There is no radio \(text): choose \(Self.choices).")
        }
    }
}

extension RadioChoice {
    /// The address of this process on the virtual air.
    private static let simulatedAddress = BluetoothAddress(0x00AA_0100_0001, kind: .public)

    /// How to reach the controller, again each time that it was lost.
    ///
    /// - Parameter loop: Where the radio runs; a simulated air runs there, too.
    /// - Returns: What opens the transport.
    /// - Throws: ``CommandError`` when the moniker is not understood.
    func transport(
        on loop: TransportLoop
    ) async throws -> @Sendable (TransportLoop) async throws(TransportError) -> any Transport {
        switch self {
        case .simulation:
            let air = VirtualRadio(on: loop)
            await air.add { SimulatedDevices.all(clock: HostClock.reading()) }
            return { (loop) async throws(TransportError) in
                await air.attach(VirtualAir.ControllerConfiguration(address: Self.simulatedAddress), on: loop)
            }
        case .hci(let moniker):
            do {
                let address = try TransportAddress(moniker)
                return { (loop) async throws(TransportError) in try await address.open(on: loop) }
            } catch {
                throw CommandError.wrongUsage(error.description)
            }
        }
    }
}

/// The radio that a command uses.
struct RadioOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The radio: \(RadioChoice.choices).", valueName: "radio"), completion: .radios)
    var radio: String?

    @Option(
        help: ArgumentHelp("Write all HCI traffic to a btsnoop file.", valueName: "file"), completion: .file()
    )
    var capture: String?

    /// Opens the radio; prints nothing.
    ///
    /// - Returns: The radio, ready for use.
    /// - Throws: ``CommandError`` or ``BluetoothError`` when it cannot be used.
    func open() async throws -> Radio { try await open(captureFile()) }

    private func open(_ file: CaptureFile?) async throws -> Radio {
        let choice = try RadioChoice(radio)
        // Before anything is opened, because a radio that is opened waits to be closed.
        let loop = try Self.makeLoop()
        let openTransport = try await choice.transport(on: loop)
        let host = HostRadio(loop: loop) { (loop) async throws(TransportError) in
            let transport = try await openTransport(loop)
            guard let file else { return transport }
            return CapturedTransport(transport, into: file)
        }
        do {
            try await host.start()
        } catch {
            await host.close()
            throw error
        }
        return host.radio
    }

    /// Starts what a radio runs on.
    ///
    /// - Returns: The loop.
    /// - Throws: ``CommandError`` when the system gives no more descriptors or threads.
    static func makeLoop() throws(CommandError) -> TransportLoop {
        do throws(TransportError) {
            return try TransportLoop()
        } catch {
            throw .failed(error.description)
        }
    }

    /// Makes the capture file, if one is wanted.
    private func captureFile() throws(CommandError) -> CaptureFile? {
        guard let capture else { return nil }
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
    func use<Value: Sendable>(
        _ body: @Sendable (Radio) async throws -> Value
    ) async throws -> Value {
        let file = try captureFile()
        let radio = try await open(file)
        let result: Result<Value, any Error>
        do { result = .success(try await body(radio)) } catch { result = .failure(error) }
        await Uncancelled.run { await radio.close() }
        if let failure = file?.failure {
            let sentence = "The capture \(capture ?? "") ended early: \(failure)."
            switch result {
            case .success: throw CommandError.failed(sentence + " All else was done.")
            case .failure(let error) where LanternProcess.isEndedByPerson(error):
                throw CommandError.failed(sentence)
            case .failure: try? Output.standardError().line("lantern: " + PrintableText.escaped(sentence))
            }
        }
        return try result.get()
    }
}

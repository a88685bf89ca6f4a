// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText

/// `lantern gatt`: looks into any device.
struct GATTCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt",
        abstract: "Explore a device: its services and characteristics, read, write and watch them.",
        subcommands: [
            GATTTreeCommand.self, GATTReadCommand.self, GATTWriteCommand.self, GATTWatchCommand.self,
            GATTShellCommand.self, GATTDiffCommand.self,
        ])
}

/// The device that a command is about.
struct DeviceArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The device, as AA:BB:CC:DD:EE:FF. Add /P (public) or /R (random), or a scan finds out which it is.",
            valueName: "address"))
    var address: DeviceAddress

    @Flag(
        name: .customLong("pair"),
        help: "Pair when the device asks for it; digits and answers are read from the standard input.")
    var pairs = false

    @Flag(
        name: .customLong("no-mtu"),
        help: "Do not ask the device for a larger MTU than 23 octets, which some devices never answer.")
    var leavesMTU = false

    @OptionGroup var phyOptions: PHYOptions

    /// Lets the device pair, if that is wanted.
    ///
    /// - Parameters:
    ///   - radio: The radio.
    ///   - progress: What is shown meanwhile.
    /// - Throws: ``BluetoothError``.
    func preparePairing(on radio: Radio, showing progress: ProgressLine) async throws {
        guard pairs else { return }
        // Beside the output, which is the command's answer.
        let printer = EventPrinter(to: .standardError(), isJSON: false)
        let person = PairingPerson(printer, progress: progress)
        try await radio.pairWhenAsked(person.agent(PairingCapability.configuration(nil, bonds: true)))
    }

    /// Finds the device, connects, uses the link and closes it, however the use ends.
    ///
    /// - Parameters:
    ///   - radio: The radio.
    ///   - progress: Where to say how far it is.
    ///   - note: Called with what happens to the link that nobody has asked for; without it that goes to stderr.
    ///   - body: Uses the link.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError``, ``BluetoothError``, and what the body throws.
    func use<Value: Sendable>(
        on radio: Radio, showing progress: ProgressLine = .none,
        noting note: (@Sendable (any Event) -> Void)? = nil,
        _ body: @Sendable (Connection) async throws -> Value
    ) async throws -> Value {
        defer { progress.clear() }
        try await phyOptions.check(radio)
        try await preparePairing(on: radio, showing: progress)
        do {
            return try await radio.withConnection(
                to: address, phys: phyOptions.phys, exchangesMTU: !leavesMTU,
                showing: { progress.show($0) },
                noting: note ?? { event in
                    progress.clear()
                    EventPrinter.note(event, to: .standardError())
                }, body)
        } catch let fault as ExplorerError {
            throw CommandError(fault)
        } catch let error as BluetoothError where !leavesMTU {
            guard let fault = await ExplorerError(opening: error, on: radio) else { throw error }
            throw CommandError(fault)
        }
    }
}

extension CommandError {
    /// Says why nothing came of what a command has asked a device for.
    init(_ fault: ExplorerError) {
        let sentence = fault.sentence(.commandLine)
        self =
            switch fault.meaning {
            case .failed: .failed(sentence)
            case .nothingFound: .nothingFound(sentence)
            case .wrongUsage: .wrongUsage(sentence)
            }
    }
}

/// The characteristic or descriptor that a command is about.
struct AttributeArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "What: a UUID like 2a19, a handle like 0x001f, or a name like battery-level.",
            valueName: "uuid|0xhandle|name"),
        completion: .attributeNames)
    var reference: AttributeReference
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import FlockFinder
import FlockFinderCompanion
import FlockFinderDevices

/// `lantern flock send`: one command for a device, and what it answers.
struct FlockSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a command to a device and show what comes back.",
        discussion: """
            Commands that devices know: PING, STATUS, RESET, stream_on and stream_off. Any other text is sent \
            as it is. It listens to the device first, then sends, then shows for --wait seconds what comes; \
            nothing of that is kept.
            """)

    /// How long to look for the device.
    static let patience = Duration.seconds(10)

    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var protectionOptions: ProtectionOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The device.")
    var address: DeviceAddress

    @Argument(help: "The command.", completion: .list(FlockFinderCommand.all.map(\.string)))
    var command: String

    @Option(help: ArgumentHelp("How long to show what comes back.", valueName: "seconds"))
    var wait = Seconds(.seconds(2))

    func validate() throws {
        if command.utf8.count > 512 { throw ValidationError("A command has at most 512 octets of UTF-8.") }
    }

    /// How far it has come.
    private enum Milestone {
        case found
        case written
    }

    func run() async throws {
        // How the sending ends is what the command ends with.
        let printer = FlockPrinter(
            to: .standard(), errors: .standardError(), isJSON: format.isJSON,
            selection: FlockPrinter.Selection(
                hasStates: false, hasMissingCharacteristics: false, hasUnsentCommands: false),
            radio: radioOptions.radio ?? "")
        let options = FlockFinderClient.Options(
            target: address.target, sendsPings: false, reconnects: false)
        let (milestones, reached) = AsyncStream.makeStream(of: Milestone.self)
        let run = FlockFinderRecorder(
            phys: phyOptions.phys,
            protection: protectionOptions.protection(
                EventPrinter(to: .standard(), isJSON: format.isJSON)),
            now: Timestamp.now,
            show: { reports in
                for content in reports.map(\.content) {
                    switch content {
                    case .state(let change) where change.report.state == .connecting: reached.yield(.found)
                    case .state(let change) where change.report.state == .bluetoothOff: reached.finish()
                    case .command(let command) where command.failure == nil: reached.yield(.written)
                    default: break
                    }
                }
                try printer.show(reports)
            },
            untilEnd: { [wait] in await Self.waitForAnswers(milestones, wait.duration, on: $0) })
        let tally = try await radioOptions.use { [command, phyOptions] radio in
            try await phyOptions.check(radio)
            var client = FlockFinderClient(options: options)
            client.send(WireText(command), at: .zero)
            return try await run.run(client, on: radio, recorder: FlockRecorder())
        }
        try Task.checkCancellation()
        try check(tally)
    }

    /// Gives up when the device is not found in time; else waits for the command to be written, then for answers.
    private static func waitForAnswers(
        _ milestones: AsyncStream<Milestone>, _ wait: Duration, on radio: Radio
    ) async {
        let first = await withTaskGroup(of: Milestone?.self) { group in
            group.addTask { await milestones.first { _ in true } }
            group.addTask {
                await Wait.for(patience, on: radio)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard first != nil, await milestones.first(where: { $0 == .written }) != nil else { return }
        await Wait.for(wait, on: radio)
    }

    /// Decides whether the run was a success.
    func check(_ tally: FlockRecorder.Tally) throws(CommandError) {
        if tally.commandsWritten == 0, !tally.wasRadioLost,
            case .characteristicsMissing(let missing)? = tally.advice
        {
            throw .failed(FlockText.wrongDevice("\(address)", missing: missing))
        }
        if tally.wasTried, let failure = tally.commandFailure {
            throw .failed("The command could not be sent: \(failure).")
        }
        if let refusal = tally.refusal {
            throw .failed(
                "The device does not know the command: \(refusal.shortened). Those that devices know: PING, STATUS, "
                    + "RESET, stream_on and stream_off.")
        }
        if tally.commandsWritten > 0 { return }
        if tally.wasRadioLost { throw .failed(BluetoothError.disconnected(.radioLost).description) }
        guard tally.wasTried else {
            throw .nothingFound(
                "The device \(address) was not found. Check that it is near, switched on and not connected to "
                    + "something else.")
        }
        throw .failed(
            tally.advice?.description ?? "The link ended before the command could be sent. Try again.")
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEAdvertising
import BLEGATT
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText

/// `lantern l2cap listen`: a pipe to whoever connects.
struct L2CAPListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Advertise, accept channels and pipe stdin and stdout through them.",
        discussion: """
            Channels are piped one after the other: the next one waits until the last is closed. With --echo \
            all are served at once, and stdin is not read.
            """)

    @OptionGroup var pipe: PipeOptions

    @Option(help: ArgumentHelp("The name to advertise.", valueName: "name"))
    var name = "Lantern"

    @Flag(name: .customLong("echo"), help: "Send back whatever comes.")
    var isEcho = false

    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        guard (1...26).contains(name.utf8.count) else {
            throw ValidationError("--name must have 1 to 26 octets, to fit into an advertisement.")
        }
    }

    func run() async throws {
        let printer = ChannelPrinter(
            EventPrinter(to: .standard(), isJSON: format.isJSON), notes: .standardError(), form: pipe.form)
        try await radio.use { radio in try await perform(on: radio, from: StandardInput(), printer) }
    }

    /// Advertises and serves until enough has come, the radio is gone or the task is cancelled.
    func perform(on radio: Radio, from input: StandardInput, _ printer: ChannelPrinter) async throws {
        let listener = try await radio.listen(psm: pipe.psm.psm, pipe.options)
        let server = try await radio.serve(
            ServerDescription(name: WireText(Array(name.utf8)), services: []))
        try printer.show(ChannelListening(psm: listener.psm, deviceName: name))
        let sdus = SDUInput(input, pipe.form)
        let carrier = ChannelPipe(
            isEcho ? .echo : .input(next: { try await sdus.next(limit: $0) }, closesAtEnd: false),
            quota: Quota(pipe.count)
        ) { try printer.show($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for try await _ in server.events() {} }
            group.addTask { try await serve(listener, carrier) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Serves channels until the listener is stopped.
    private func serve(_ listener: ChannelListener, _ carrier: ChannelPipe) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for try await channel in listener.channels() {
                if isEcho {
                    group.addTask { try await carry(channel, carrier, listener) }
                } else {
                    try await carry(channel, carrier, listener)
                }
            }
            if carrier.quota.isUsedUp { group.cancelAll() }
            try await group.waitForAll()
        }
    }

    /// Serves a channel; one that a peer has broken does not end the others.
    private func carry(
        _ channel: Channel, _ carrier: ChannelPipe, _ listener: ChannelListener
    ) async throws {
        do {
            try await carrier.run(channel)
        } catch BluetoothError.channel {
            // The printer has said so.
        } catch {
            await listener.stop()
            throw error
        }
        if carrier.quota.isUsedUp { await listener.stop() }
    }
}

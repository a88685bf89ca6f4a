// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import CommandIO
import CommandOptions
import CompanionDevices

/// `lantern l2cap connect`: a pipe to a device.
struct L2CAPConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Connect to a device, open a channel and pipe stdin and stdout through it.",
        discussion: """
            Ends when the channel is closed, or with Control-C. When stdin ends, it still waits for what the device \
            sends, unless --close is given.
            """)

    @OptionGroup var device: DeviceArgument
    @OptionGroup var pipe: PipeOptions

    @Flag(name: .customLong("close"), help: "Close the channel when stdin has ended and everything is sent.")
    var closesAtEnd = false

    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func run() async throws {
        let printer = ChannelPrinter(
            EventPrinter(to: .standard(), isJSON: format.isJSON), notes: .standardError(), form: pipe.form)
        try await radio.use { radio in
            try await perform(on: radio, from: StandardInput(), printer, showing: .standard())
        }
    }

    /// Connects, opens the channel and pipes.
    func perform(
        on radio: Radio, from input: StandardInput, _ printer: ChannelPrinter,
        showing progress: ProgressLine = .none
    ) async throws {
        let quota = Quota(pipe.count)
        let sdus = SDUInput(input, pipe.form)
        let carrier = ChannelPipe(
            .input(next: { try await sdus.next(limit: $0) }, closesAtEnd: closesAtEnd), quota: quota
        ) { try printer.show($0) }
        try await device.use(on: radio, showing: progress) { connection in
            let channel = try await connection.openChannel(psm: pipe.psm.psm, pipe.options)
            progress.clear()
            try await carrier.run(channel)
        }
        guard !Task.isCancelled, let missing = quota.missing, missing > 0, let count = pipe.count else {
            return
        }
        throw CommandError.nothingFound("The channel was closed after \(count - missing) of \(count) SDUs.")
    }
}

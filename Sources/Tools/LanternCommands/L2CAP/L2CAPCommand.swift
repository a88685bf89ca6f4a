// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import Companion

/// `lantern l2cap`: channels as a pipe.
struct L2CAPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "l2cap",
        abstract: "Pipe data through an L2CAP channel, as client or as server.",
        discussion: """
            What comes in on stdin goes out through the channel, and what comes through the channel goes to \
            stdout. An SDU is

              what one read of stdin brings, at most as much as the peer takes (the default),
              one line of text, without its end (--lines),
              or one line of hex digits (--hex).

            Received SDUs are printed in the same way; with --json as one object per line. Between two of these \
            commands:

              lantern l2cap listen 0x80 --echo --radio tcp:127.0.0.1:9000
              echo hello | lantern l2cap connect AA:BB:CC:DD:EE:FF 0x80 --lines --count 1 --radio \
            tcp:127.0.0.1:9001
            """,
        subcommands: [L2CAPConnectCommand.self, L2CAPListenCommand.self])
}

/// What a channel is for, as a person writes it: `128` or `0x80`.
struct PSMArgument: ExpressibleByArgument, Hashable, Sendable {
    let psm: UInt16

    init?(argument: String) {
        let isHex = argument.lowercased().hasPrefix("0x")
        let digits = isHex ? argument.dropFirst(2) : argument[...]
        guard digits.first?.isHexDigit == true, let psm = UInt16(digits, radix: isHex ? 16 : 10),
            (1...0xFF).contains(psm)
        else { return nil }
        self.psm = psm
    }
}

/// What both ends of a pipe have to say.
struct PipeOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The channel's PSM, 1 to 255 or 0x01 to 0xff.", valueName: "psm"))
    var psm: PSMArgument

    @Flag(name: .customLong("lines"), help: "An SDU is a line of text.")
    var isLines = false

    @Flag(name: .customLong("hex"), help: "An SDU is a line of hex digits.")
    var isHex = false

    @Option(help: ArgumentHelp("End after this many SDUs have come.", valueName: "n"))
    var count: Int?

    @Option(help: ArgumentHelp("The largest SDU to take, in octets.", valueName: "octets"))
    var mtu = 65535

    @Option(help: ArgumentHelp("The largest frame to take, in octets.", valueName: "octets"))
    var mps = 1024

    @Option(help: ArgumentHelp("Frames to take before the peer must wait.", valueName: "n"))
    var credits = 16

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
        if isLines, isHex { throw ValidationError("Choose one of --lines and --hex.") }
        guard (23...65535).contains(mtu) else { throw ValidationError("--mtu must be from 23 to 65535.") }
        guard (23...65533).contains(mps) else { throw ValidationError("--mps must be from 23 to 65533.") }
        guard (1...65535).contains(credits) else {
            throw ValidationError("--credits must be from 1 to 65535.")
        }
    }

    /// How an SDU is written.
    var form: SDUForm { isHex ? .hex : isLines ? .lines : .chunks }

    var options: ChannelOptions { ChannelOptions(mtu: mtu, mps: mps, credits: credits) }
}

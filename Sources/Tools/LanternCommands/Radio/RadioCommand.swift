// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern radio`: a radio looked over, and radios for other programs.
struct RadioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "radio",
        abstract: "Check a radio, or offer radios to other programs.",
        subcommands: [RadioCheckCommand.self, RadioServeCommand.self])
}

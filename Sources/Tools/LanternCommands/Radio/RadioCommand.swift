// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern radio`: radios for other programs.
struct RadioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "radio",
        abstract: "Offer radios to other programs.",
        subcommands: [RadioServeCommand.self])
}

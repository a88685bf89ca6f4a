// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern flock`: everything about FlockFinder devices.
struct FlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flock",
        abstract: "Listen to a FlockFinder device, which notices surveillance cameras.",
        subcommands: [FlockWatchCommand.self, FlockSendCommand.self])
}

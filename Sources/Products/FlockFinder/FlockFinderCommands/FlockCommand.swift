// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern flock`: everything about FlockFinder devices.
struct FlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flock",
        abstract: "Notice surveillance cameras: with a FlockFinder device, or with this computer's radio.",
        subcommands: [
            FlockWatchCommand.self, FlockSendCommand.self, FlockDetectCommand.self,
            FlockSignaturesCommand.self,
        ])
}

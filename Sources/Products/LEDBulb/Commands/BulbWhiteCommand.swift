// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import LEDBulb

/// `lantern bulb white`: lets a bulb shine white.
struct BulbWhiteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "white",
        abstract: "Let a bulb shine white.",
        discussion: """
            With the white LEDs where its dialect has such, else with all three colours. A bulb that says that it is off \
            is switched on, too.
            """)

    @Argument(help: "The bulb.")
    var address: DeviceAddress

    @Argument(
        help: ArgumentHelp("How bright, 0 to 100.", valueName: "percent"), transform: BulbLevel.argument)
    var percent: UInt8 = 100

    @OptionGroup var options: BulbOptions

    func run() async throws { try await options.set(.white(percent: percent), at: address) }
}

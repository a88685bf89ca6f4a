// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import LEDBulb

/// `lantern bulb brightness`: makes a bulb brighter or darker.
struct BulbBrightnessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brightness",
        abstract: "Make a bulb brighter or darker, in whatever colour it shines.",
        discussion: """
            Only some dialects say the brightness alone; `lantern bulb dialects` shows which. With the others a colour has \
            its own.
            """)

    @Argument(help: "The bulb.")
    var address: DeviceAddress

    @Argument(
        help: ArgumentHelp("How bright, 0 to 100.", valueName: "percent"), transform: BulbLevel.argument)
    var percent: UInt8

    @OptionGroup var options: BulbOptions

    func run() async throws {
        try await options.set(.brightness(BulbLevel.octet(ofPercent: percent)), at: address)
    }
}

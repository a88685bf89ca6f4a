// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern bulb`: everything about LED bulbs.
struct LEDBulbCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bulb",
        abstract: "Colour a bulb: Colorific, Triones, Magic Blue, ELK-BLEDOM, LED Lamp, LEDnetWF, BJ_LED.",
        discussion: """
            What a bulb speaks is learnt from its characteristics. Where these are those of two dialects, --dialect \
            says which. `lantern bulb dialects` lists them.
            """,
        subcommands: [
            BulbColorCommand.self, BulbWhiteCommand.self, BulbBrightnessCommand.self, BulbOffCommand.self,
            BulbOnCommand.self,
            BulbShowCommand.self, BulbCycleCommand.self, BulbDialectsCommand.self,
        ])
}

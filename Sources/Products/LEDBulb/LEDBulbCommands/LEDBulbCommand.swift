// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern bulb`: everything about LED bulbs.
struct LEDBulbCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bulb",
        abstract: "Colour a bulb: Colorific, Triones, Magic Blue, ELK-BLEDOM, LED Lamp, LEDnetWF, BJ_LED.",
        discussion: """
            A bulb's characteristics tell which dialect it speaks. Where they fit two dialects, say which with --dialect. \
            `lantern bulb dialects` lists them.
            """,
        subcommands: [
            BulbColorCommand.self, BulbWhiteCommand.self, BulbBrightnessCommand.self, BulbOffCommand.self,
            BulbOnCommand.self,
            BulbShowCommand.self, BulbCycleCommand.self, BulbDialectsCommand.self,
        ])
}

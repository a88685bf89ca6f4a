// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LEDBulb

/// `lantern bulb off`: switches a bulb off.
struct BulbOffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Switch a bulb off.",
        discussion: "It keeps its colour for `on`, except a Colorific bulb, for which off is black.")

    @OptionGroup var bulb: BulbArgument

    @OptionGroup var options: BulbOptions

    func run() async throws { try await options.set(.power(false), at: bulb.bulb) }
}

/// `lantern bulb on`: switches a bulb on.
struct BulbOnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Switch a bulb on.",
        discussion: "Brings back the previous light; a Colorific bulb comes on in full white.")

    @OptionGroup var bulb: BulbArgument

    @OptionGroup var options: BulbOptions

    func run() async throws { try await options.set(.power(true), at: bulb.bulb) }
}

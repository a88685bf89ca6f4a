// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionDevices

/// `lantern device run replay`: a device that was saved.
struct ReplayRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Act as a device that was saved.",
        discussion: """
            --tree names the device: a file that `gatt tree --output` has saved, or one written by hand. It is served with \
            the same handles, values and errors. Writes are kept and shown.

            --recording names a file that `gatt watch --output` has written. Its values are sent again, with the same \
            timing, to whoever subscribes.
            """)

    @OptionGroup var options: DeviceRunOptions
    @OptionGroup var replay: ReplayOptions

    func validate() throws {
        try options.radioOptions.checkCapture(
            apartFrom: (replay.tree, "--tree"), (replay.recording, "--recording"))
    }

    func run() async throws {
        let device = try replay.device()
        let recording = try replay.recording(of: device)
        try await options.serve { radio, printer in
            // A device goes on when nobody reads what it says, so errors of the output end nothing.
            try await ReplayServer(device, recording, on: radio) { event in try? printer.show(event) }.run()
        }
    }
}

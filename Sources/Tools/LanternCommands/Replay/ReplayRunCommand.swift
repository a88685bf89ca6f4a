// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionDevices

/// `lantern device run replay`: a device that was saved.
struct ReplayRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Serve a device again that was saved.",
        discussion: """
            The device is what `gatt tree --output` has saved, or was written by hand; it has the same handles, values \
            and errors (--tree). Writes are kept and shown.

            A recording (--recording) is what `gatt watch --output` has written. To whoever subscribes, its values \
            are sent again with their timing.
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

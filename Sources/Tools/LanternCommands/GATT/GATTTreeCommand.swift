// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText

/// `lantern gatt tree`: everything a device has and all that can be read.
struct GATTTreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Show all services, characteristics and descriptors with what can be read.")

    @OptionGroup var device: DeviceArgument

    @Option(
        help: ArgumentHelp(
            "Save the device to a file, which `device run replay --tree` serves again.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func validate() throws { try radio.checkCapture(apartFrom: (output, "--output")) }

    func run() async throws {
        try await radio.use { radio in
            try await perform(on: radio, to: .standard(), showing: .standard())
        }
    }

    /// Connects, reads everything and prints it.
    func perform(on radio: Radio, to output: Output, showing progress: ProgressLine = .none) async throws {
        // Made first, so that a name that cannot be written costs no time.
        let file = try self.output.map { path throws(CommandError) in try AtomicFile(path: path) }
        var advertised = AdvertisedOctets()
        if file != nil {
            progress.show(.listening(device.address))
            advertised = try await AdvertisedOctets.hear(
                device.address, on: radio, phys: device.phyOptions.phys)
        }
        let tree = try await device.use(on: radio, showing: progress) { connection in
            try await GATTTree.first(over: connection)
        }
        let saved = SavedDevice(
            tree, advertisement: advertised.advertisement, scanResponse: advertised.scanResponse)
        try file?.write(saved.octets)
        try file?.finish()
        try EventPrinter(to: output, isJSON: format.isJSON).show(tree, tree.linesBeforeEnding)
        guard let ending = tree.ending else { return }
        throw ending.isTimeout
            ? CommandError.nothingFound(ending.sentence) : CommandError.failed(ending.sentence)
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText

/// `lantern gatt watch`: the values that a device sends by itself.
struct GATTWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Subscribe to a characteristic and print each value that the device sends.")

    @OptionGroup var device: DeviceArgument
    @OptionGroup var attribute: AttributeArgument

    @Option(help: ArgumentHelp("End after this many values.", valueName: "n"))
    var count: Int?

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var duration: Seconds?

    @Option(
        help: ArgumentHelp(
            "Also write the values to a file, which `device run replay --recording` plays again.",
            valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
        try radio.checkCapture(apartFrom: (output, "--output"))
    }

    func run() async throws {
        try await radio.use { radio in
            try await perform(on: radio, to: .standard(), showing: .standard(), now: Timestamp.now)
        }
    }

    /// Connects, subscribes and prints until there is enough, the time is up or the task is cancelled.
    func perform(
        on radio: Radio, to output: Output, noting notes: Output = .standardError(),
        showing progress: ProgressLine = .none, now: @escaping @Sendable () -> Timestamp
    ) async throws {
        let file = try self.output.map { path throws(CommandError) in try RecordingFile(path: path) }
        let note: @Sendable (any Event) -> Void = { [isJSON = format.isJSON] event in
            progress.clear()
            // The end of the output is noticed with the next value.
            if isJSON {
                try? EventPrinter(to: output, isJSON: true, now: now).show(event)
            } else {
                EventPrinter.note(event, to: notes)
            }
        }
        let seen = try await device.use(on: radio, showing: progress, noting: note) {
            [reference = attribute.reference] connection in
            let found = try await connection.find(reference, for: .watch)
            guard let characteristic = found.target?.characteristic else {
                throw ExplorerError.notACharacteristic(found.handle)
            }
            if let event = characteristic.configurationMissing(of: connection.peer) { note(event) }
            let values = try await connection.values(of: characteristic)
            let attribute = await connection.describe(found)
            progress.show("Watching \(attribute.title). Control-C ends it.")
            do {
                return try await TimeLimit.run(duration?.duration, on: radio) {
                    try await print(
                        values, of: attribute,
                        as: characteristic.properties.contains(.notify) ? .notify : .indicate,
                        from: connection.peer, to: output, and: file,
                        showing: progress, now: now)
                }
            } catch BluetoothError.servicesChanged {
                throw ExplorerError.servicesChanged
            }
        }
        guard !Task.isCancelled, seen < count ?? 1 else { return }
        throw CommandError.nothingFound(
            seen == 0
                ? "The device sent nothing in that time."
                : "The device sent only \(seen) values in that time.")
    }

    /// How many values were printed.
    private func print(
        _ values: NotificationStream, of attribute: AttributeJSON, as kind: GATT.ValueKind,
        from peer: Peer, to output: Output,
        and file: RecordingFile?, showing progress: ProgressLine, now: @Sendable () -> Timestamp
    ) async throws -> Int {
        var seen = 0
        for try await octets in values {
            progress.clear()
            let value = ValueReceived(peer, attribute, octets, kind)
            let time = now()
            try file?.write(value.json(at: time))
            try EventPrinter(to: output, isJSON: format.isJSON).show(value, at: time)
            seen += 1
            if seen == count { return seen }
        }
        return seen
    }
}

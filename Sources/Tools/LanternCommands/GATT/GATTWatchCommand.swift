// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import Companion

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
            valueName: "file"))
    var output: String?

    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count is at least 1.") }
    }

    func run() async throws {
        try await radio.use { radio in
            try await perform(on: radio, to: .standard(), showing: .standard(), now: Timestamp.now)
        }
    }

    /// Connects, subscribes and prints until there is enough, the time is up or the task is cancelled.
    func perform(
        on radio: Radio, to output: Output, noting notes: Output = .standardError(),
        showing progress: Progress = .none, now: @escaping @Sendable () -> Timestamp
    ) async throws {
        let file = try self.output.map { path throws(CommandError) in try RecordingFile(path: path) }
        let seen = try await PeerLink.use(device, on: radio, showing: progress) { connection in
            let target = try AttributeTarget.find(
                attribute.reference, in: try await connection.discoverServices())
            guard let characteristic = target.characteristic else {
                throw CommandError.wrongUsage(
                    "Only a characteristic can be watched, not what is at \(target.handle.text).")
            }
            let watch = Task { [isJSON = format.isJSON] in
                for await change in connection.changes() {
                    guard let note = LinkNote(change) else { continue }
                    progress.clear()
                    // The end of the output is noticed with the next value.
                    if isJSON {
                        try? output.line(note.json(at: now()))
                    } else {
                        try? notes.line("lantern: " + note.sentence)
                    }
                }
            }
            defer { watch.cancel() }
            let values = try await Self.values(of: characteristic, over: connection)
            progress.show("Watching \(target.name ?? target.uuid.description). Control-C ends it.")
            do {
                return try await TimeLimit.run(duration?.duration) {
                    try await print(
                        values, of: characteristic, to: output, and: file, showing: progress, now: now)
                }
            } catch BluetoothError.servicesChanged {
                throw CommandError.failed("The device's services have changed: watch again.")
            }
        }
        guard !Task.isCancelled, seen < count ?? 1 else { return }
        throw CommandError.nothingFound(
            seen == 0
                ? "The device sent nothing in this time."
                : "The device sent only \(seen) values in this time.")
    }

    /// Subscribes.
    private static func values(
        of characteristic: GATT.Characteristic, over connection: Connection
    ) async throws -> NotificationStream {
        guard characteristic.sendsByItself else {
            throw CommandError.wrongUsage("\(characteristic.uuid) neither notifies nor indicates.")
        }
        do {
            return try await connection.notifications(of: characteristic)
        } catch .notOffered {
            throw CommandError.failed("\(characteristic.uuid) has no descriptor that switches it on.")
        }
    }

    /// How many values were printed.
    private func print(
        _ values: NotificationStream, of characteristic: GATT.Characteristic, to output: Output,
        and file: RecordingFile?, showing progress: Progress, now: @Sendable () -> Timestamp
    ) async throws -> Int {
        var seen = 0
        for try await octets in values {
            progress.clear()
            let value = ReceivedValue(
                handle: ValueHandle(characteristic), value: octets,
                kind: characteristic.properties.contains(.notify) ? .notify : .indicate)
            let time = now()
            try file?.write(Self.json(value, of: characteristic, at: time))
            try output.line(
                format.isJSON
                    ? Self.json(value, of: characteristic, at: time)
                    : Self.line(value, of: characteristic, at: time, on: output.terminal))
            seen += 1
            if seen == count { return seen }
        }
        return seen
    }

    /// The event `value` as scripts get it: one JSON object without a line end.
    static func json(
        _ value: ReceivedValue, of characteristic: GATT.Characteristic, at time: Timestamp
    ) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("event", "value")
            json.field("uuid", characteristic.uuid.description)
            json.field("handle", value.handle.rawValue)
            json.field("value", value.value.hexadecimal)
            json.field("kind", value.kind == .notify ? "notify" : "indicate")
            json.field("time", time)
        }
        return json.text
    }

    /// The value for a person, with the time of day in UTC.
    static func line(
        _ value: ReceivedValue, of characteristic: GATT.Characteristic, at time: Timestamp,
        on terminal: Terminal
    ) -> String {
        let clock = String(time.description.drop { $0 != "T" }.dropFirst())
        let columns = max(20, terminal.columns - clock.count - 2)
        return terminal.styled(clock, .dim) + "  "
            + ValueText.line(value.value, of: characteristic.uuid, on: terminal, columns: columns)
    }
}

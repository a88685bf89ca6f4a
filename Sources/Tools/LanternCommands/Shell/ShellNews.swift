// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Companion

/// Something that nobody asked for just now.
enum ShellNews: Sendable {
    /// A value that the device has sent by itself.
    case value(ReceivedValue, AttributeTarget?, Timestamp)
    /// The link is gone.
    case linkLost(Peer, BluetoothError, Timestamp)
    /// Something about the link that the person should know.
    case note(LinkNote, Timestamp)
    /// What the device has is not what it was.
    case servicesChanged(ATT.HandleRange, Timestamp)

    /// The event as scripts get it: one JSON object without a line end.
    var json: String {
        var json = JSONWriter()
        switch self {
        case .value(let value, let target, let time):
            // As `gatt watch` has it; only here the UUID may not be known.
            json.object { json in
                json.field("event", "value")
                json.field("uuid", target?.uuid.description)
                json.field("handle", value.handle.rawValue)
                json.field("value", value.value.hexadecimal)
                json.field("kind", value.kind == .notify ? "notify" : "indicate")
                json.field("time", time)
            }
        case .note(let note, let time): return note.json(at: time)
        case .linkLost(let peer, let error, let time):
            json.object { json in
                json.field("event", "link_lost")
                json.field("address", peer.plain)
                json.field("reason", error.description)
                json.field("time", time)
            }
        case .servicesChanged(let range, let time):
            json.object { json in
                json.field("event", "services_changed")
                json.field("handle", range.start.rawValue)
                json.field("end_handle", range.end.rawValue)
                json.field("time", time)
            }
        }
        return json.text
    }

    /// The event for a person, with the time of day in UTC.
    ///
    /// - Parameter terminal: Where it is shown.
    /// - Returns: A line, escaped.
    func line(on terminal: Terminal) -> String {
        switch self {
        case .value(let value, let target, let time):
            let clock = String(time.description.drop { $0 != "T" }.dropFirst())
            let name = target.map { $0.name ?? Self.short($0.uuid) } ?? ""
            let head = [clock, value.handle.description, name].filter { !$0.isEmpty }.joined(separator: "  ")
            let columns = max(20, terminal.columns - TerminalText.width(head) - 3)
            let uuid = target?.uuid ?? ShellAnswer.unknown
            return terminal.styled(head, .dim) + "  "
                + ValueText.line(value.value, of: uuid, on: terminal, columns: columns)
        case .note(let note, _): return terminal.styled(note.sentence, .yellow)
        case .linkLost(let peer, let error, _):
            return terminal.styled(
                "The link to \(peer.plain) is gone: \(error) Type connect to open it again.", .yellow)
        case .servicesChanged(let range, _):
            return terminal.styled(
                "The device's services from \(range.start.text) to \(range.end.text) have changed.", .yellow)
        }
    }

    /// As much of a UUID as tells it from others, beside a handle.
    private static func short(_ uuid: BluetoothUUID) -> String {
        let text = uuid.description
        return text.count > 8 ? text.prefix(8) + "…" : text
    }
}

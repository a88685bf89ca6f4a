// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEGATT
import BLEWire
import BluetoothLE
import Companion

/// Shows what happens to a device that is served again: as JSON for scripts, or as a readable line each.
struct ReplayPrinter: Sendable {
    private let output: Output
    private let isJSON: Bool
    private let database: GATT.Database

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - output: Where events go.
    ///   - isJSON: Whether they are for scripts.
    ///   - database: What is served.
    init(to output: Output, isJSON: Bool, _ database: GATT.Database) {
        self.output = output
        self.isJSON = isJSON
        self.database = database
    }

    /// Shows an event.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - now: The moment.
    /// - Throws: ``OutputError``.
    func show(_ event: ReplayServer.Event, at now: Timestamp = .now()) throws(OutputError) {
        try output.line(isJSON ? json(event, at: now) : text(event, at: now))
    }

    /// The event as one JSON object.
    func json(_ event: ReplayServer.Event, at now: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            switch event {
            case .advertising(let name): json.advertising(name)
            case .connected(let link, let peer): json.connected(link, peer)
            case .disconnected(let link): json.disconnected(link)
            case .mtuChanged(let link, let mtu):
                json.field("event", "mtu")
                json.field("link", link.rawValue)
                json.field("mtu", mtu)
            case .subscribed(let link, let handle, let subscription):
                json.field("event", subscription.isEmpty ? "unsubscribed" : "subscribed")
                json.field("link", link.rawValue)
                place(handle, &json)
                json.field("notify", subscription.contains(.notify))
                json.field("indicate", subscription.contains(.indicate))
            case .write(let link, let handle, let value, let error):
                json.field("event", "write")
                json.field("link", link.rawValue)
                place(handle, &json)
                json.field("value", value.hexadecimal)
                json.field("error", error?.description)
            case .played(let link, let handle, let sent, let count):
                json.field("event", "played")
                json.field("link", link.rawValue)
                place(handle, &json)
                json.field("sent", sent)
                json.field("recorded", count)
            case .air(let news): json.air(news)
            }
            json.field("time", now)
        }
        return json.text
    }

    private func place(_ handle: AttributeHandle, _ json: inout JSONWriter) {
        json.field("handle", handle.rawValue)
        json.field("uuid", database.attribute(handle)?.type.description)
    }

    /// The event as a readable line.
    func text(_ event: ReplayServer.Event, at now: Timestamp) -> String {
        let (mark, style, text): (String, Terminal.Style, String) =
            switch event {
            case .advertising(let name):
                ("●", .green, "advertising\(name.map { " as \($0)" } ?? ""); Control-C ends it")
            case .connected(_, let peer): ("●", .cyan, "\(peer.plain) has connected")
            case .disconnected: ("○", .dim, "a client has gone; advertising again")
            case .mtuChanged(_, let mtu): ("○", .dim, "the MTU is \(mtu)")
            case .subscribed(_, let handle, let subscription):
                (
                    "○", .dim,
                    subscription.isEmpty
                        ? "a client wants no more values of \(name(handle))"
                        : "a client wants values of \(name(handle))"
                )
            case .write(_, let handle, let value, let error):
                ("←", .yellow, Self.written(value, error) + " \(name(handle))")
            case .played(_, let handle, let sent, let count):
                ("■", .green, "sent \(sent) of \(count) recorded values of \(name(handle))")
            case .air(let news): news.line
            }
        return output.terminal.news(at: now, mark, style, text)
    }

    private static func written(_ value: [UInt8], _ error: ATT.ErrorCode?) -> String {
        let octets = value.isEmpty ? "nothing" : value.hexadecimal
        return error.map { "refused (\($0)): \(octets) to" } ?? "\(octets) written to"
    }

    private func name(_ handle: AttributeHandle) -> String {
        guard let uuid = database.attribute(handle)?.type else { return handle.text }
        let name =
            AssignedNumbers.name(ofCharacteristic: uuid) ?? AssignedNumbers.name(ofDescriptor: uuid)
        return "\(name ?? uuid.description) at \(handle.text)"
    }
}

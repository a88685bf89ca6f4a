// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import WiFiSet

/// Shows what happens at a WiFiSet device; never a password.
struct WiFiDevicePrinter: Sendable {
    /// Something to show.
    enum News: Hashable, Sendable {
        /// The device is on the air.
        case advertising(WireText)
        /// The device tells something.
        case event(WiFiSetDeviceEvent)
    }

    let output: Output
    let isJSON: Bool

    /// Shows news.
    ///
    /// - Parameters:
    ///   - news: What there is.
    ///   - now: The moment.
    /// - Throws: ``OutputError``.
    func show(_ news: News, at now: Timestamp = .now()) throws(OutputError) {
        try output.line(isJSON ? Self.json(news, at: now) : text(news, at: now))
    }

    /// The news as one JSON object.
    static func json(_ news: News, at now: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            switch news {
            case .advertising(let name): json.advertising(name.string)
            case .event(let event): fields(of: event, into: &json)
            }
            json.field("time", now)
        }
        return json.text
    }

    private static func fields(of event: WiFiSetDeviceEvent, into json: inout JSONWriter) {
        func begin(_ name: String, _ link: LinkID?) {
            json.field("event", name)
            if let link { json.field("link", link.rawValue) }
        }
        switch event {
        case .connected(let link, let peer): json.connected(link, peer)
        case .disconnected(let link): json.disconnected(link)
        case .listRequested(let link): begin("list_requested", link)
        case .listSent(let link, let count):
            begin("list_sent", link)
            json.field("count", count)
        case .scanFailed: begin("scan_failed", nil)
        case .credentials(let link, let ssid, let answer):
            begin("credentials", link)
            WiFiJSON.name(ssid, into: &json)
            json.field("ack", answer.keyword.description)
        case .statusRequested(let link): begin("status_requested", link)
        case .status(let status):
            begin("status", nil)
            WiFiJSON.fields(of: status, into: &json)
        case .joinFailed(let ssid, let failure):
            begin("join_failed", nil)
            WiFiJSON.name(ssid, into: &json)
            json.field("reason", failure.description)
        case .fault(let link, let error):
            begin("fault", link)
            json.field("reason", error.description)
        case .sequence(let link, .gap(let expected, let received)):
            begin("sequence_gap", link)
            json.field("expected", expected)
            json.field("received", received)
        case .sequence(let link, _): begin("repeated", link)
        }
    }

    /// The news as a readable line.
    func text(_ news: News, at now: Timestamp) -> String {
        let (mark, style, text): (String, Terminal.Style, String) =
            switch news {
            case .advertising(let name): ("●", .green, "advertising as \(name); Control-C ends it")
            case .event(let event): Self.text(event)
            }
        return output.terminal.news(at: now, mark, style, text)
    }

    private static func text(_ event: WiFiSetDeviceEvent) -> (String, Terminal.Style, String) {
        switch event {
        case .connected(_, let peer): ("●", .cyan, "\(peer.plain) has connected")
        case .disconnected: ("○", .dim, "a client has gone; advertising again")
        case .listRequested: ("←", .yellow, "a client wants the list of networks")
        case .listSent(_, let count): ("→", .blue, "sent a list of \(count) networks")
        case .scanFailed: ("▲", .yellow, "the Wi-Fi radio could not look for networks")
        case .credentials(_, let ssid, let answer):
            ("←", .yellow, "credentials for “\(ssid.string)”: \(answer.keyword)")
        case .statusRequested: ("←", .yellow, "a client wants the state")
        case .status(let status): ("→", .blue, WiFiText.sentence(status))
        case .joinFailed(let ssid, let failure):
            ("▲", .yellow, "could not join “\(ssid.string)”: \(failure)")
        case .fault(_, let error): ("▲", .yellow, "refused: \(error)")
        case .sequence(_, .gap(let expected, let received)):
            ("▲", .yellow, "message \(expected) was expected, \(received) came")
        case .sequence: ("▲", .yellow, "a message came twice")
        }
    }
}

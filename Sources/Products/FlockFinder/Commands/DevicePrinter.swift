// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder
import Companion

/// Shows what happens to a FlockFinder device: as JSON for scripts, or as a readable line each.
struct DevicePrinter: Sendable {
    /// What is shown.
    enum News: Sendable {
        /// The device can be found.
        case advertising(WireText)
        /// Something happened.
        case event(FlockFinderDevice.Event)
    }

    private let output: Output
    private let isJSON: Bool

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - output: Where news goes.
    ///   - isJSON: Whether news is for scripts.
    init(to output: Output, isJSON: Bool) {
        self.output = output
        self.isJSON = isJSON
    }

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
            case .event(.connected(let link, let peer)): json.connected(link, peer)
            case .event(.disconnected(let link)): json.disconnected(link)
            case .event(.detections(let link, let isOn)):
                json.field("event", isOn ? "subscribed" : "unsubscribed")
                json.field("link", link.rawValue)
                json.field("characteristic", "detection")
            case .event(.stream(let link, let isOn)):
                json.field("event", isOn ? "subscribed" : "unsubscribed")
                json.field("link", link.rawValue)
                json.field("characteristic", "stream")
            case .event(.command(let link, let command)):
                json.field("event", "command")
                json.field("link", link.rawValue)
                json.field("command", command.string)
            case .event(.sent(let object, let clients)):
                json.field("event", "sent")
                json.field("clients", clients)
                json.key("object")
                json.json(object)
            case .event(.scriptFinished): json.field("event", "script_finished")
            }
            json.field("time", now)
        }
        return json.text
    }

    /// The news as a readable line.
    func text(_ news: News, at now: Timestamp) -> String {
        let (mark, style, text): (String, Terminal.Style, String) =
            switch news {
            case .advertising(let name): ("●", .green, "advertising as \(name); Control-C ends it")
            case .event(.connected(_, let peer)): ("●", .cyan, "\(peer.plain) has connected")
            case .event(.disconnected): ("○", .dim, "a client has gone; advertising again")
            case .event(.detections(_, let isOn)):
                ("○", .dim, isOn ? "a client wants detections" : "a client wants no more detections")
            case .event(.stream(_, let isOn)):
                ("○", .dim, isOn ? "a client listens to the stream" : "a client has left the stream")
            case .event(.command(_, let command)): ("←", .yellow, "command \(command)")
            case .event(.sent(let object, let clients)): ("→", .blue, Self.summary(object, clients))
            case .event(.scriptFinished): ("■", .green, "the script is at its end; Control-C ends the device")
            }
        return output.terminal.news(at: now, mark, style, text)
    }

    private static func summary(_ object: [UInt8], _ clients: Int) -> String {
        let whom = clients == 1 ? "" : " to \(clients) clients"
        return "sent\(whom): " + String(decoding: object, as: UTF8.self)
    }
}

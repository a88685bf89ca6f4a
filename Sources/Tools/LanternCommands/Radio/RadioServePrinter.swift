// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import BLEWire
import Companion

/// Shows what happens to a served radio: as JSON for scripts, or as a readable line each.
struct RadioServePrinter: Sendable {
    /// What is shown; controllers are counted from one.
    enum News: Sendable {
        /// A controller can be attached to.
        case listening(Int, host: String, port: Int, BluetoothAddress)
        /// A simulated device is on the air.
        case device(String)
        /// Everything is there.
        case ready
        /// A host has come or gone.
        case host(Int, ControllerServer.News)
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

    /// Shows news; the radio goes on when nobody reads what it says.
    ///
    /// - Parameters:
    ///   - news: What there is.
    ///   - now: The moment.
    func show(_ news: News, at now: Timestamp = .now()) {
        // See above.
        try? output.line(isJSON ? Self.json(news, at: now) : text(news, at: now))
    }

    /// The news as one JSON object.
    static func json(_ news: News, at now: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            switch news {
            case .listening(let number, let host, let port, let address):
                json.field("event", "listening")
                json.field("controller", number)
                json.field("host", host)
                json.field("port", port)
                json.field("address", address.description)
            case .device(let kind):
                json.field("event", "device")
                json.field("kind", kind)
            case .ready: json.field("event", "ready")
            case .host(let number, .attached(let name)):
                json.field("event", "attached")
                json.field("controller", number)
                json.field("from", name)
            case .host(let number, .detached(let departure)):
                json.field("event", "detached")
                json.field("controller", number)
                json.field("reason", departure.word)
            }
            json.field("time", now)
        }
        return json.text
    }

    /// The news as a readable line.
    func text(_ news: News, at now: Timestamp) -> String {
        let (mark, style, text): (String, Terminal.Style, String) =
            switch news {
            case .listening(let number, let host, let port, let address):
                (
                    "●", .green,
                    "controller \(number), \(address), listens at tcp:\(Self.bracketed(host)):\(port)"
                )
            case .device(let kind): ("●", .green, "a simulated \(kind) is on the air")
            case .ready: ("●", .green, "ready; Control-C ends the radio")
            case .host(let number, .attached(let name)):
                ("→", .cyan, "a host from \(name) has attached to controller \(number)")
            case .host(let number, .detached(let departure)):
                ("←", .dim, "the host of controller \(number) \(departure.sentence)")
            }
        return output.terminal.news(at: now, mark, style, text)
    }

    /// A host as it stands before a port: IPv6 addresses in brackets.
    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}

extension ControllerServer.Departure {
    /// For scripts.
    fileprivate var word: String {
        switch self {
        case .left: "left"
        case .cutOff: "cut_off"
        case .ended: "ended"
        }
    }

    /// For sentences, behind the host.
    fileprivate var sentence: String {
        switch self {
        case .left: "has gone; its links are dropped"
        case .cutOff: "was cut off because it did not read; its links are dropped"
        case .ended: "was let go"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion

/// What becomes of a device's advertising, whatever device it is.
enum AirNews: Hashable, Sendable {
    /// It is not heard any more, against its will; the radio tries again.
    case stopped(BluetoothError)
    /// It is heard again.
    case resumed

    /// Takes an event of this kind.
    init?(_ event: ServerEvent) {
        switch event {
        case .advertisingStopped(let error): self = .stopped(error)
        case .advertisingResumed: self = .resumed
        default: return nil
        }
    }

    /// A readable line: its mark, how that stands out, and the text.
    var line: (String, Terminal.Style, String) {
        switch self {
        case .stopped(let error): ("▲", .yellow, "off the air; it is tried again: \(error)")
        case .resumed: ("●", .green, "advertising again")
        }
    }

    /// Shows what a device that is run tells of it.
    ///
    /// - Parameters:
    ///   - output: Where to show it.
    ///   - isJSON: Whether that is for scripts.
    /// - Returns: What to call for each event of the server.
    static func printer(to output: Output, isJSON: Bool) -> @Sendable (ServerEvent) async -> Void {
        { event in
            guard let news = AirNews(event) else { return }
            let now = Timestamp.now()
            var json = JSONWriter()
            json.object { json in
                json.air(news)
                json.field("time", now)
            }
            let (mark, style, text) = news.line
            // A device goes on when nobody reads what it says.
            try? output.line(isJSON ? json.text : output.terminal.news(at: now, mark, style, text))
        }
    }
}

extension JSONWriter {
    /// A device is off the air, or on it again.
    mutating func air(_ news: AirNews) {
        switch news {
        case .stopped(let error):
            field("event", "advertising_stopped")
            field("reason", error.description)
        case .resumed: field("event", "advertising_resumed")
        }
    }
}

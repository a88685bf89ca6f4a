// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import FlockFinder
import Companion

/// News as a person reads it: a line each, cut to the terminal's width.
struct FlockText: Sendable {
    private static let labelColumns = 16

    /// What the lines are shown on.
    let terminal: Terminal

    /// A line for news.
    ///
    /// - Parameters:
    ///   - news: The news.
    ///   - now: The moment, for news that has none of its own.
    /// - Returns: The line; `nil` when another line says the same.
    func line(_ news: FlockNews, at now: Timestamp) -> String? {
        switch news {
        case .detection(let record): return detection(record)
        case .state(let report): return state(report, at: now)
        case .parseError(let failure):
            let raw = String(decoding: failure.raw.prefix(1000), as: UTF8.self)
            return terminal.news(
                at: failure.received, "▲", .yellow, "unusable: \(failure.reason): \(raw)", .yellow)
        case .stream(let octets):
            var json = JSONWriter()
            json.json(octets)
            return terminal.news(at: now, "~", .dim, json.text, .dim)
        case .command(let command, let failure):
            guard let failure else { return terminal.news(at: now, "→", .green, "sent \(command)") }
            return terminal.news(at: now, "▲", .red, "\(command) could not be sent: \(failure)", .red)
        case .advice(.noLink(retryMilliseconds: _?)): return nil  // The state before says so.
        case .advice(let advice): return terminal.news(at: now, "▲", .yellow, advice.description, .yellow)
        }
    }

    private func detection(_ record: DetectionRecord) -> String {
        let style = Terminal.Style(record.sighting.type)
        let label = TerminalText.fitted(
            TerminalText.escaped(record.sighting.label), columns: Self.labelColumns)
        let proximity = TerminalText.padded(record.proximity.words, columns: 10)
        let percent = "\(Int((record.sighting.confidence * 100).rounded()))"
        var line = terminal.styled(record.sighting.received.clock, .dim)
        line += "  " + terminal.styled("●", style) + " "
        line += terminal.styled(TerminalText.padded(label, columns: Self.labelColumns), style)
        line += "  " + (record.proximity == .veryClose ? terminal.styled(proximity, .bold) : proximity)
        line +=
            TerminalText.rightAligned("\(record.sighting.rssi)", columns: 5) + " dBm"
            + TerminalText.rightAligned(percent, columns: 5) + " %"
        let name = TerminalText.escaped(record.sighting.ssid ?? "")
        let used = Terminal.newsIndentation + Self.labelColumns + 2 + 10 + 5 + 4 + 5 + 2
        var room = max(12, remaining(used + 2))
        // A name says more than an address; where there is no room for both, it goes first.
        if name.isEmpty || room >= 40 {
            line += "  " + TerminalText.padded(record.sighting.mac ?? "–", columns: name.isEmpty ? 0 : 17)
            room -= 19
        }
        return name.isEmpty ? line : line + "  " + TerminalText.fitted(name, columns: room)
    }

    private func state(_ report: DeviceLink.Report, at now: Timestamp) -> String {
        let device = report.peer.map(\.plain) ?? "the device"
        switch report.state {
        case .bluetoothOff: return terminal.news(at: now, "○", .yellow, "Bluetooth is off", .yellow)
        case .unauthorized: return terminal.news(at: now, "○", .yellow, "Bluetooth may not be used", .yellow)
        case .scanning: return terminal.news(at: now, "○", .dim, "looking for a FlockFinder device …", .dim)
        case .connecting: return terminal.news(at: now, "○", .dim, "connecting to \(device) …", .dim)
        case .discovering: return terminal.news(at: now, "○", .dim, "asking \(device) what it has …", .dim)
        case .connected:
            return terminal.news(at: now, "●", .green, "connected: listening to \(device)", .green)
        case .disconnected:
            guard let reason = report.reason, reason != .closed else {
                return terminal.news(at: now, "○", .dim, "disconnected", .dim)
            }
            let retry = report.retryMilliseconds.map { "; next try in \(seconds($0))" } ?? ""
            return terminal.news(at: now, "○", .yellow, "disconnected: \(reason)\(retry)", .yellow)
        }
    }

    private func remaining(_ used: Int) -> Int { terminal.columns - min(used, terminal.columns) }

    private func seconds(_ milliseconds: UInt64) -> String {
        "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
    }
}

extension Detection.Proximity {
    /// The word for people.
    var words: String { self == .veryClose ? "very close" : slugString }
}

extension Terminal.Style {
    /// The colour of a kind, as near as terminals have it.
    init(_ type: DetectionType) {
        switch type.colorString {
        case "red": self = .red
        case "orange", "yellow", "brown": self = .yellow
        case "green": self = .green
        case "blue", "indigo": self = .blue
        case "cyan", "teal": self = .cyan
        case "purple", "pink": self = .magenta
        default: self = .dim
        }
    }
}

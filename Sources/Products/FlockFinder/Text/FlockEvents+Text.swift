// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
public import Companion
public import FlockFinder

extension DetectionEvent: EventText {
    /// The event in one line.
    public var line: EventLine {
        let name = sighting.ssid.flatMap { $0.isEmpty ? nil : $0 } ?? sighting.mac ?? "no name"
        let percent = Int((sighting.confidence * 100).rounded())
        return EventLine(
            .arrival, "\(sighting.label), \(proximity.words), \(sighting.rssi) dBm, \(percent) %: \(name)",
            mayBeCut: true)
    }
}

extension Detection.Proximity {
    /// The word for people.
    public var words: String { self == .veryClose ? "very close" : keywordString }
}

extension FlockParseError: EventText {
    /// The event in one line.
    public var line: EventLine {
        let raw = String(decoding: failure.raw.prefix(1000), as: UTF8.self)
        return EventLine(.warning, "unusable: \(failure.reason): \(raw)", mayBeCut: true)
    }
}

extension FlockStreamObject: EventText {
    /// The event in one line.
    public var line: EventLine {
        var json = JSONWriter()
        json.json(object)
        return EventLine(.quiet, json.text, mayBeCut: true)
    }
}

extension FlockCommandWritten: EventText {
    /// The event in one line.
    public var line: EventLine {
        guard let failure else { return EventLine(.outgoing, "sent \(command)", mayBeCut: true) }
        return EventLine(.failure, "\(command) could not be sent: \(failure)")
    }
}

extension FlockNotice: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, advice.description) }
}

extension FlockCommandReceived: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.incoming, "command \(command)", mayBeCut: true) }
}

extension FlockObjectSent: EventText {
    /// The event in one line.
    public var line: EventLine {
        let whom = clients == 1 ? "" : " to \(clients) clients"
        return EventLine(.outgoing, "sent\(whom): \(String(decoding: object, as: UTF8.self))", mayBeCut: true)
    }
}

extension FlockScriptFinished: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.good, "the script is at its end; Control-C ends the device")
    }
}

extension DetectionsDeleted: EventText {
    /// The event in one line.
    public var line: EventLine {
        let list = ids.map { "\($0)" }.joined(separator: ", ")
        return EventLine(.good, ids.isEmpty ? "Nothing was deleted." : "Deleted \(list).")
    }
}

extension DetectionRefused: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            .warning, "Line \(fault.line)\(fault.column.map { ", column \($0)" } ?? ""): \(fault.reason).")
    }
}

extension DetectionsImported: EventText {
    /// The event in one line.
    public var line: EventLine {
        var text = "\(count(counts.imported)) \(isTrial ? "would be imported" : "imported")"
        if counts.known > 0 { text += ", \(counts.known) there already" }
        if counts.refused > 0 {
            text += ", \(counts.refused == 1 ? "1 row" : "\(counts.refused) rows") left out"
        }
        return EventLine(counts.refused > 0 ? .warning : .good, text + ".")
    }

    private func count(_ number: Int) -> String { number == 1 ? "1 detection" : "\(number) detections" }
}

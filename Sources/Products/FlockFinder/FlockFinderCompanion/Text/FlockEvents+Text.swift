// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
public import CompanionText
public import Detections
public import FlockFinder

extension DetectionEvent: EventText {
    /// The event in one line.
    public var line: EventLine {
        let name = sighting.ssid.flatMap { $0.isEmpty ? nil : $0 } ?? sighting.mac ?? "no name"
        let percent = Int((sighting.confidence * 100).rounded())
        return EventLine(
            .arrival, "\(sighting.label), \(proximity.words), \(sighting.rssi) dBm, \(percent)%: \(name)",
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
        let others = rows > 2 ? "\(rows - 1) other rows have" : "Another row has"
        let more = rows > 1 ? " \(others) the same fault." : ""
        return EventLine(
            .warning,
            "Line \(fault.line)\(fault.column.map { ", column \($0)" } ?? ""): \(fault.reason).\(more)")
    }
}

extension DetectionsImported: EventText {
    /// The event in one line.
    public var line: EventLine {
        var text = "\(count(counts.imported)) \(isTrial ? "would be imported" : "imported")"
        if counts.known > 0 { text += ", \(counts.known) there already" }
        if counts.drives > 0 { text += ", with \(drives(counts.drives))" }
        if counts.knownDrives > 0 { text += ", \(drives(counts.knownDrives)) there already" }
        if counts.passed > 0 { text += ", \(rows(counts.passed)) of other kinds passed over" }
        if counts.refused > 0 {
            text += ", \(rows(counts.refused)) left out"
        }
        return EventLine(counts.refused > 0 ? .warning : .good, text + ".")
    }

    private func rows(_ number: Int) -> String { number == 1 ? "1 row" : "\(number) rows" }

    private func drives(_ number: Int) -> String { number == 1 ? "1 drive" : "\(number) drives" }

    private func count(_ number: Int) -> String { number == 1 ? "1 detection" : "\(number) detections" }
}

extension LocationChanged: EventText {
    /// The event in one line.
    public var line: EventLine {
        switch condition {
        case .found: EventLine(.good, found)
        case .searching: EventLine(.quiet, searching)
        case .noReceiver: EventLine(.warning, LocationChanged.lacksReceiver)
        case .unreachable:
            EventLine(.warning, "no place from gpsd: \(reason ?? "it is gone"); it is being tried again")
        case .refused: EventLine(.warning, "a fix is not used: it \(reason ?? "cannot be true")")
        case .ended: EventLine(.quiet, "the track has ended; from now on there is no place")
        }
    }

    private var searching: String {
        if let reason { return reason + counted }
        return "the receiver looks for satellites\(satellites.map { " and uses \($0)" } ?? "")"
    }

    private var found: String {
        guard let fix else { return "place known" }
        var text = "place \(Self.degrees(fix.latitude)),\(Self.degrees(fix.longitude))"
        if let accuracy = fix.accuracy { text += ", to \(Int(accuracy.rounded(.up))) m" }
        text += counted
        text += motion.activity.map { ", \($0)" } ?? ""
        return text + (reason.map { "; \($0)" } ?? "")
    }

    /// The satellites behind a comma, where they are known.
    private var counted: String {
        satellites.map { $0 == 1 ? ", 1 satellite" : ", \($0) satellites" } ?? ""
    }

    /// A tenth of a metre, and no more digits than that.
    private static func degrees(_ value: Double) -> Double { (value * 1_000_000).rounded() / 1_000_000 }
}

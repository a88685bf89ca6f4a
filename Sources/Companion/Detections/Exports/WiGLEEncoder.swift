// SPDX-License-Identifier: Apache-2.0

import Companion

/// The file that the apps of WiGLE write and its site takes: comma-separated values with a line before their heading.
///
/// Source: <https://api.wigle.net/csvFormat.html>, 1.6.
enum WiGLE {
    /// How the line before the heading begins, in every version.
    static let mark = "WigleWifi-"
    /// The names of the columns, in order.
    static let columns = [
        "MAC", "SSID", "AuthMode", "FirstSeen", "Channel", "Frequency", "RSSI", "CurrentLatitude",
        "CurrentLongitude", "AltitudeMeters", "AccuracyMeters", "RCOIs", "MfgrId", "Type",
    ]
    /// What a file of the app must have to be of use, and has not.
    ///
    /// - Parameter names: The names of its columns, in lower case.
    /// - Returns: What is missing, as the app names it.
    static func missing(_ names: [String]) -> [String] {
        ["MAC", "FirstSeen", "RSSI", "Type"].filter { !names.contains($0.lowercased()) }
    }

    /// The keys beside a sighting that keep what only such a file says.
    static let extra = (
        origin: "origin", kind: "kind", capabilities: "capabilities", channel: "channel",
        frequency: "frequency", maker: "maker"
    )
}

/// Detections with a position, an address and a radio that is known as rows of WiGLE CSV 1.6.
///
/// Names that come over the air get an apostrophe where a spreadsheet would take them for a formula, as in our CSV:
/// whoever looks at the file before it is sent opens it with one.
struct WiGLEEncoder: Sendable {
    /// Whether it goes to a terminal.
    var isSeen = false

    func begin(_ heading: ExportHeading, into octets: inout [UInt8]) {
        let head = [
            "\(WiGLE.mark)1.6", "appRelease=Lantern " + heading.appVersion, "model=Lantern", "release=",
            "device=Lantern", "display=", "board=", "brand=", "star=Sol", "body=3", "subBody=0",
        ]
        octets.append(contentsOf: head.map(Self.quoted).joined(separator: ",").utf8)
        octets.append(UInt8(ascii: "\n"))
        octets.append(contentsOf: WiGLE.columns.joined(separator: ",").utf8)
        octets.append(UInt8(ascii: "\n"))
    }

    func append(
        _ record: DetectionRecord, into octets: inout [UInt8], _ summary: inout ExportSummary
    ) -> Bool {
        let sighting = record.sighting
        guard let position = sighting.position else {
            summary.withoutPosition += 1
            return false
        }
        guard let mac = sighting.mac else {
            summary.withoutAddress += 1
            return false
        }
        let extra =
            (try? JSONReader.read(Array(sighting.extra.utf8))) ?? JSONNode(line: 1, value: .object([]))
        let channel = extra.whole(WiGLE.extra.channel) ?? extra.whole("ch")
        guard let kind = Self.kind(of: sighting, extra, channel) else {
            summary.withoutRadio += 1
            return false
        }
        let moment = sighting.received.description
        let time = "\(moment.prefix(10)) \(moment.dropFirst(11).prefix(8))"
        let usual = kind == "WIFI" ? "[ESS]" : "Misc [LE]"
        let fix = sighting.fix
        let cells: [String?] = [
            guarded(mac.lowercased()), guarded(sighting.ssid),
            guarded(extra.words(WiGLE.extra.capabilities) ?? usual), time,
            channel?.description ?? "0", extra.whole(WiGLE.extra.frequency)?.description,
            sighting.isStrengthKnown ? sighting.rssi.description : "0", XMLText.decimal(position.latitude),
            XMLText.decimal(position.longitude),
            fix?.altitude.map(XMLText.decimal), fix?.accuracy.map(XMLText.decimal), nil,
            extra.whole(WiGLE.extra.maker)?.description, guarded(kind),
        ]
        octets.append(contentsOf: cells.map { Self.quoted($0 ?? "") }.joined(separator: ",").utf8)
        octets.append(UInt8(ascii: "\n"))
        return true
    }

    /// By which radio something was heard; `nil` where nothing says so.
    ///
    /// FlockFinders are 0.9 sure of Wi-Fi and 0.85 of Bluetooth, and name no channel of Bluetooth.
    /// Source: Documentation/Protocols/flockfinder.md, Detection.
    private static func kind(of sighting: Sighting, _ extra: JSONNode, _ channel: Int?) -> String? {
        if let kind = extra.words(WiGLE.extra.kind) { return kind }
        if sighting.isHeardHere { return "BLE" }
        if extra.words(WiGLE.extra.origin) != nil { return nil }
        if channel != nil { return "WIFI" }
        switch sighting.confidence {
        case 0.9: return "WIFI"
        case 0.85: return "BLE"
        default: return nil
        }
    }

    /// Text of unknown origin, with an apostrophe where it looks like a formula.
    private func guarded(_ text: String?) -> String? {
        guard let text else { return nil }
        let shown = isSeen ? PrintableText.escaped(text) : text
        return Spreadsheet.looksLikeFormula(shown.utf8) ? "'" + shown : shown
    }

    /// A cell of RFC 4180.
    private static func quoted(_ text: String) -> String {
        let needsQuotes = text.utf8.contains {
            [0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "\"")].contains($0)
        }
        guard needsQuotes || text.utf8.first == 0x20 || text.utf8.last == 0x20 else { return text }
        var octets = [UInt8(ascii: "\"")]
        for octet in text.utf8 {
            octets.append(octet)
            if octet == UInt8(ascii: "\"") { octets.append(octet) }
        }
        octets.append(UInt8(ascii: "\""))
        return String(decoding: octets, as: UTF8.self)
    }
}

extension JSONNode {
    /// The text of a key, where there is such.
    fileprivate func words(_ key: String) -> String? {
        guard case .text(let text)? = (try? member(key))?.value else { return nil }
        return text
    }

    /// The whole number of a key, where there is such.
    fileprivate func whole(_ key: String) -> Int? {
        guard case .number(let number)? = (try? member(key))?.value else { return nil }
        return Int(exactly: number)
    }
}

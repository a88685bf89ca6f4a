// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WireJSON

extension Detection {
    /// Reads one JSON object.
    ///
    /// `type`, `rssi` and `confidence` must be there; `mac`, `ssid` and `ts` may be missing or `null`; other
    /// keys are kept. Of a key that comes twice the last counts. Blanks around the object are passed over.
    ///
    /// Spec: Documentation/Protocols/flockfinder.md, Detection.
    ///
    /// - Parameter octets: The object, as UTF-8.
    /// - Throws: ``DetectionError`` with the first fault of the text, else the first value that is not allowed.
    public init(decoding octets: [UInt8]) throws(DetectionError) {
        let span = octets.octetSpan
        let members = try Members(span)
        let end = members.range.upperBound
        guard let type = members.type else { throw DetectionError(.missingType, at: end) }
        guard let rssi = members.rssi else { throw DetectionError(.missingRSSI, at: end) }
        guard let confidence = members.confidence else { throw DetectionError(.missingConfidence, at: end) }

        guard type.kind == .string else { throw DetectionError(.badType, at: type.start) }
        label = WireText(JSONScanner.text(of: type, in: span))
        self.type = DetectionType(label: label)
        mac = try Self.mac(members.mac, in: span)
        ssid = try Self.ssid(members.ssid, in: span)
        self.rssi = try Self.rssi(rssi, in: span)
        self.confidence = try Self.confidence(confidence, in: span)
        ts = try Self.ts(members.time, in: span)
        extra = members.extra
        // The whole array is kept without a copy when nothing stands around the object.
        raw = members.range.count == octets.count ? octets : Array(copying: span.extracting(members.range))
    }

    private static func mac(
        _ token: JSONScanner.Token?, in octets: Span<UInt8>
    ) throws(DetectionError) -> UInt64? {
        guard let token, token.kind != .null else { return nil }
        let fault = DetectionError(.badMAC, at: token.start)
        guard token.kind == .string, !token.hasEscapes, token.contents.count == 17 else { throw fault }
        var value: UInt64 = 0
        var position = token.contents.lowerBound
        while true {
            guard let high = JSONScanner.hexadecimalDigit(octets[position]),
                let low = JSONScanner.hexadecimalDigit(octets[position &+ 1])
            else { throw fault }
            value = value &<< 8 | UInt64(high) &<< 4 | UInt64(low)
            position &+= 3
            if position > token.contents.upperBound { break }
            guard octets[position &- 1] == UInt8(ascii: ":") else { throw fault }
        }
        return value
    }

    private static func ssid(
        _ token: JSONScanner.Token?, in octets: Span<UInt8>
    ) throws(DetectionError) -> WireText? {
        guard let token, token.kind != .null else { return nil }
        guard token.kind == .string else { throw DetectionError(.badSSID, at: token.start) }
        return WireText(JSONScanner.text(of: token, in: octets))
    }

    private static func rssi(_ token: JSONScanner.Token, in octets: Span<UInt8>) throws(DetectionError) -> Int
    {
        guard token.kind == .number, let value = JSONNumber(token, in: octets).integer,
            (-127...20).contains(value)
        else { throw DetectionError(.badRSSI, at: token.start) }
        return Int(value)
    }

    private static func confidence(
        _ token: JSONScanner.Token, in octets: Span<UInt8>
    ) throws(DetectionError) -> Double {
        guard token.kind == .number, let value = JSONNumber(token, in: octets).proportion
        else { throw DetectionError(.badConfidence, at: token.start) }
        return value
    }

    private static func ts(
        _ token: JSONScanner.Token?, in octets: Span<UInt8>
    ) throws(DetectionError) -> Int64? {
        guard let token, token.kind != .null else { return nil }
        guard token.kind == .number, let ts = JSONNumber(token, in: octets).wholePart
        else { throw DetectionError(.badTime, at: token.start) }
        return ts
    }
}

/// The members of a detection object, still as text.
private struct Members {
    var type: JSONScanner.Token?
    var mac: JSONScanner.Token?
    var ssid: JSONScanner.Token?
    var rssi: JSONScanner.Token?
    var confidence: JSONScanner.Token?
    var time: JSONScanner.Token?
    var extra: [Detection.ExtraKey] = []
    /// Where the object stands.
    var range: Range<Int> = 0..<0

    init(_ octets: Span<UInt8>) throws(DetectionError) {
        guard !octets.isEmpty else { throw DetectionError(.empty, at: 0) }
        guard octets.count <= JSONObjectStream.maximumLength else { throw DetectionError(.tooLong, at: 0) }
        var scanner = JSONScanner(position: 0)
        scanner.skipBlanks(octets)
        if scanner.position < octets.count, octets[scanner.position] != UInt8(ascii: "{") {
            throw scanner.faultBeforeObject(octets)
        }
        let start = scanner.position
        do throws(JSONError) {
            try note(&scanner, octets)
        } catch {
            throw DetectionError(error)
        }
        range = start..<scanner.position
        scanner.skipBlanks(octets)
        guard scanner.position == octets.count else { throw DetectionError(.trailing, at: scanner.position) }
    }

    private mutating func note(_ scanner: inout JSONScanner, _ octets: Span<UInt8>) throws(JSONError) {
        try scanner.expect(UInt8(ascii: "{"), octets)
        if try scanner.peek(octets) != UInt8(ascii: "}") {
            while true {
                let key = try scanner.key(octets)
                let value = try scanner.value(octets)
                note(key, value, octets)
                guard try scanner.peek(octets) == UInt8(ascii: ",") else { break }
                scanner.position &+= 1
            }
        }
        try scanner.expect(UInt8(ascii: "}"), octets)
    }

    private mutating func note(
        _ key: JSONScanner.Token, _ value: JSONScanner.Token, _ octets: Span<UInt8>
    ) {
        if key.hasEscapes {
            let name = JSONScanner.text(of: key, in: octets)
            noteNamed(name.octetSpan, value, octets)
        } else {
            noteNamed(octets.extracting(key.contents), value, octets)
        }
    }

    private mutating func noteNamed(
        _ name: Span<UInt8>, _ value: JSONScanner.Token, _ octets: Span<UInt8>
    ) {
        switch (name.count, Self.packed(name)) {
        case (4, 0x7479_7065): type = value
        case (3, 0x6D_6163): mac = value
        case (4, 0x7373_6964): ssid = value
        case (4, 0x7273_7369): rssi = value
        case (10, 0x6669_6465_6E63_65)
        where name[0] == UInt8(ascii: "c") && name[1] == UInt8(ascii: "o")
            && name[2] == UInt8(ascii: "n"):
            confidence = value
        case (2, 0x7473): time = value
        default:
            let key = WireText(Array(copying: name))
            let json = Array(copying: octets.extracting(value.start..<value.end))
            if extra.isEmpty { extra.reserveCapacity(8) }
            if let index = extra.firstIndex(where: { $0.key == key }) { extra.remove(at: index) }
            extra.append(Detection.ExtraKey(key: key, json: json))
        }
    }

    /// The last octets of a name, at most seven, as one number.
    private static func packed(_ name: Span<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        for index in max(0, name.count &- 7)..<name.count { value = value &<< 8 | UInt64(name[index]) }
        return value
    }
}

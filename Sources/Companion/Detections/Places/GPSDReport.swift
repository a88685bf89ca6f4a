// SPDX-License-Identifier: Apache-2.0

public import Companion

/// One line of gpsd.
///
/// | class | what it says |
/// |---|---|
/// | `VERSION` | that it is gpsd, and which |
/// | `DEVICES`, `DEVICE` | which receivers there are |
/// | `TPV` | where a receiver is, or that it does not know |
/// | `SKY` | how many satellites it uses |
/// | `POLL` | the latest of each receiver |
/// | `ERROR` | that it did not understand a request |
///
/// Source: gpsd's own description of its protocol, gpsd_json(5).
public enum GPSDReport: Hashable, Sendable {
    /// It is gpsd, of this release.
    case version(String)
    /// These receivers are there; each is named by its path.
    case receivers([String])
    /// A receiver has come.
    case receiverCame(String)
    /// A receiver has gone.
    case receiverWent(String)
    /// A receiver knows where it is; without a time of its own the fix has 0 for it.
    case fix(Fix, receiver: String, isTimed: Bool)
    /// A receiver looks for satellites.
    case noFix(receiver: String)
    /// A receiver that says it knows where it is tells no place.
    case noPlace(receiver: String)
    /// A receiver uses so many satellites.
    case satellites(Int, receiver: String)
    /// It did not understand a request, and says why.
    case error(String)
    /// Anything else, of which nothing is needed.
    case other

    /// Reads a line.
    ///
    /// - Parameter line: The octets, without the end of the line.
    /// - Throws: ``JSONDecodingError`` when it is no object of gpsd.
    public init(_ line: [UInt8]) throws(JSONDecodingError) {
        let node = try Self.node(line)
        let receiver = Self.text(try node.member("device")) ?? ""
        switch try node.needed("class").text("\"class\"") {
        case "VERSION": self = .version(Self.text(try node.member("release")) ?? "")
        case "DEVICES": self = .receivers(try Self.paths(node))
        case "DEVICE":
            guard let path = try Self.path(node) else {
                self = .other
                return
            }
            // One that goes has the time 0, or none, in place of the time at which it came.
            let isThere =
                switch try node.member("activated")?.value {
                case .text: true
                case .number(let time): time > 0
                default: false
                }
            self = isThere ? .receiverCame(path) : .receiverWent(path)
        case "TPV":
            // 2 is a place, 3 one with an altitude; 0 and 1 are none, and what has no mode says nothing of that.
            guard case .number(let mode)? = try node.member("mode")?.value else {
                self = .other
                return
            }
            guard mode >= 2 else {
                self = .noFix(receiver: receiver)
                return
            }
            // Many receivers tell no time before they know of leap seconds, and some never; or they count from when GPS began.
            let time = Self.text(try node.member("time")).flatMap(Timestamp.init).flatMap {
                $0.milliseconds < Self.firstMoment ? nil : $0
            }
            if let fix = try Self.fix(node, at: time ?? Timestamp(milliseconds: 0), hasAltitude: mode >= 3) {
                self = .fix(fix, receiver: receiver, isTimed: time != nil)
            } else {
                self = .noPlace(receiver: receiver)
            }
        case "SKY":
            guard let count = try Self.satellites(node) else {
                self = .other
                return
            }
            self = .satellites(count, receiver: receiver)
        case "ERROR": self = .error(Self.text(try node.member("message")) ?? "")
        default: self = .other
        }
    }

    /// Reads a line as JSON: gpsd prints numbers as C does, and `nan`, `Infinity` and what is too large are none of JSON.
    private static func node(_ line: [UInt8]) throws(JSONDecodingError) -> JSONNode {
        do throws(JSONDecodingError) {
            return try JSONReader.read(line)
        } catch {
            return try JSONReader.read(mended(line))
        }
    }

    /// The line with `null` for each word that is no value of JSON, so that it spoils its field alone.
    private static func mended(_ line: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var word: [UInt8] = []
        var (isText, isEscaped) = (false, false)
        for octet in line {
            if isText {
                plain.append(octet)
                isText = isEscaped || octet != UInt8(ascii: "\"")
                isEscaped = !isEscaped && octet == UInt8(ascii: "\\")
                continue
            }
            guard endsWord(octet) else {
                word.append(octet)
                continue
            }
            plain += value(word)
            word = []
            plain.append(octet)
            isText = octet == UInt8(ascii: "\"")
        }
        return plain + value(word)
    }

    /// A word as it is where it is a value of JSON, else `null`.
    private static func value(_ word: [UInt8]) -> [UInt8] {
        guard !word.isEmpty else { return [] }
        do throws(JSONDecodingError) {
            _ = try JSONReader.read(word)
            return word
        } catch {
            return Array("null".utf8)
        }
    }

    private static func endsWord(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""):
            true
        default: false
        }
    }

    private static func text(_ node: JSONNode?) -> String? {
        guard case .text(let text)? = node?.value else { return nil }
        return text.shortened
    }

    private static func paths(_ node: JSONNode) throws(JSONDecodingError) -> [String] {
        var paths: [String] = []
        for device in try node.list("devices") {
            if let path = try path(device) { paths.append(path) }
        }
        return paths
    }

    private static func path(_ node: JSONNode) throws(JSONDecodingError) -> String? {
        text(try node.member("path"))
    }

    /// Milliseconds up to 1981: a time before is that of a clock that nobody has set.
    private static let firstMoment: Int64 = 347_155_200_000

    private static func fix(
        _ node: JSONNode, at time: Timestamp, hasAltitude: Bool
    ) throws(JSONDecodingError) -> Fix? {
        guard let latitude = try number(node, "lat"), let longitude = try number(node, "lon") else {
            return nil
        }
        var altitude: Double?
        // Above the sea; above the ellipsoid, which is up to 100 m from it, is better than nothing.
        if hasAltitude {
            for key in ["altMSL", "alt", "altHAE"] where altitude == nil { altitude = try number(node, key) }
        }
        var accuracy = try number(node, "eph")
        if accuracy == nil, let east = try number(node, "epx"), let north = try number(node, "epy") {
            accuracy = (east * east + north * north).squareRoot()
        }
        return Fix(
            time: time.milliseconds, latitude: latitude, longitude: longitude, altitude: altitude,
            accuracy: accuracy, altitudeAccuracy: hasAltitude ? try number(node, "epv") : nil,
            speed: try number(node, "speed"), course: try number(node, "track"), source: .receiver)
    }

    private static func number(_ node: JSONNode, _ key: String) throws(JSONDecodingError) -> Double? {
        guard case .number(let number)? = try node.member(key)?.value else { return nil }
        return number
    }

    private static func satellites(_ node: JSONNode) throws(JSONDecodingError) -> Int? {
        if case .number(let used)? = try node.member("uSat")?.value {
            return Int(exactly: used).flatMap { (0...1000).contains($0) ? $0 : nil }
        }
        // Older ones list them without counting.
        guard try node.member("satellites") != nil else { return nil }
        var count = 0
        for satellite in try node.list("satellites") {
            if try satellite.member("used")?.value == .bool(true) { count += 1 }
        }
        return count
    }
}

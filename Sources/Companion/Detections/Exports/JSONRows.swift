// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import FlockFinder
import WireJSON

extension JSONSplitter.Row {
    func detection() throws(ImportError) -> ImportedDetection {
        if let fault { throw fault }
        do throws(JSONDecodingError) {
            let node = try JSONReader.read(octets, line: line, column: column)
            return try ImportedDetection(export: node, extra: text(of: "extra"))
        } catch {
            throw ImportError(error.line, column: error.column, error.reason)
        }
    }
}

extension JSONSplitter.Row {
    /// The value of a key of the object as it is written, each number with all its digits.
    private func text(of wanted: String) -> String? {
        let octets = octets.octetSpan
        var found: String?
        JSONScanner.forEachEntry(of: octets) { key, value in
            guard key == Array(wanted.utf8) else { return true }
            found = String(
                decoding: Array(copying: octets.extracting(value.start..<value.end)), as: UTF8.self)
            return false
        }
        return found
    }
}

extension ImportedDetection {
    fileprivate init(export node: JSONNode, extra: String?) throws(JSONDecodingError) {
        var key: DetectionKey?
        if let found = try node.member("key") {
            key = DetectionKey(try found.text("\"key\""))
            if key == nil { throw found.fault("\"key\" must be 32 hex digits") }
        }
        let mark = try node.words("mark") ?? SourceMark.none.rawValue
        guard let mark = SourceMark(rawValue: mark) else {
            throw node.fault("\"mark\" must be one of \(SourceMark.words)")
        }
        let note = try node.words("note") ?? ""
        self.init(try Sighting(export: node, extra: extra), key: key, mark: mark, note: note)
        if let fault { throw node.fault(fault) }
    }
}

extension JSONNode {
    /// The same with our names for the keys of FlockFinder's app, which writes them as Swift does.
    fileprivate var inOurWords: JSONNode {
        let words = ["deviceType": "device_type", "macAddress": "mac_address"]
        guard case .object(let members) = value, members.contains(where: { words[$0.key] != nil }) else {
            return self
        }
        let renamed = members.map { Member(key: words[$0.key] ?? $0.key, node: $0.node) }
        return JSONNode(line: line, column: column, value: .object(renamed))
    }

    /// Whether Lantern has written it.
    fileprivate var isOurs: Bool {
        guard case .object(let members) = value else { return false }
        return members.contains { $0.key == "key" }
    }

    /// What an object nests under a key, or, of one that does not nest it, the object itself with all in it that may belong there.
    fileprivate func part(_ key: String) throws(JSONDecodingError) -> JSONNode {
        if let found = try member(key) { return found }
        guard case .object(let members) = value else { return self }
        let plain = members.filter { member in
            switch member.node.value {
            case .number: member.key != "activity"
            case .bool: member.key == "isValid"
            case .text(let text): member.key == "activity" || Double(decimal: text.trimmed.utf8) != nil
            case .null, .array, .object: false
            }
        }
        return JSONNode(line: line, column: column, value: .object(plain))
    }

    /// The place that an object says, if it says that it has one.
    fileprivate func position() throws(JSONDecodingError) -> Position? {
        if try member("isValid")?.value == .bool(false) { return nil }
        guard let latitude = try number(["latitude", "lat"], -90...90),
            let longitude = try number(["longitude", "lon", "lng", "long"], -180...180)
        else { return nil }
        return Position(told: latitude, longitude)
    }

    /// How the receiver was moving; what nobody can have measured is unknown.
    fileprivate func motion() throws(JSONDecodingError) -> Sighting.Motion {
        let limits = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        var speed = FileValue.known(try number("speed", limits))
        if speed == nil {
            speed = FileValue.known(try number(["speedMPH", "speed_mph"], limits)).map {
                $0 / FileValue.milesAnHour
            }
        }
        return Sighting.Motion(
            speed: speed, heading: FileValue.heading(try number("heading", limits)),
            activity: try words("activity"))
    }

    /// How sure the program is, from 0 to 1, also in percent.
    fileprivate func confidence() throws(JSONDecodingError) -> Double {
        let found = try needed("confidence")
        if case .number(let number) = found.value, let share = FileValue.share(ofPercent: number) {
            return share
        }
        return try found.number("\"confidence\"", in: 0...1)
    }

    /// The number of the first of some keys that says one.
    private func number(_ keys: [String], _ range: ClosedRange<Double>) throws(JSONDecodingError) -> Double? {
        for key in keys { if let number = try number(key, range) { return number } }
        return nil
    }
}

extension Sighting {
    fileprivate init(export node: JSONNode, extra: String?) throws(JSONDecodingError) {
        let node = node.inOurWords
        let label = try node.needed("device_type").text("\"device_type\"")
        let stamp = try node.needed("timestamp")
        guard let received = FileValue.moment(try stamp.text("\"timestamp\"")) else {
            throw stamp.fault("\"timestamp\" must be a time such as 2026-11-21T14:03:32.123Z")
        }
        let place = try node.part("location")
        let position = try place.position()
        let motion = try node.part("motion").motion()
        var name = try node.words("ssid")
        // Ours says what it means.
        if !node.isOurs { name = FileValue.name(name) }
        var fix = try FixDetails(export: node)
        if fix == nil {
            let limits = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
            fix = FixDetails(
                source: nil, accuracy: FileValue.known(try place.number("accuracy", limits)),
                altitude: try place.number("altitude", limits))
        }
        self.init(
            type: DetectionType(label: WireText(Array(label.utf8))), label: label,
            mac: FileValue.addressIfAny(try node.words("mac_address")), ssid: name,
            rssi: try node.needed("rssi").number("\"rssi\"", in: -127...20),
            confidence: try node.confidence(), received: received, position: position, motion: motion,
            fix: position == nil ? nil : fix)
        if let fault { throw node.fault(fault) }
        if let address = try node.words("address"), let kind = try node.words("address_kind") {
            let digits = address.utf8.filter { $0 != UInt8(ascii: ":") }
            let octets = [UInt8](hexadecimal: String(decoding: digits, as: UTF8.self)) ?? []
            guard octets.count == 6 else { throw node.fault("\"address\" must be six pairs of hex digits") }
            let value = octets.reduce(0) { $0 << 8 | UInt64($1) }
            device = BluetoothAddress(value, kind: kind == "public" ? .public : .random)
        }
        if let octets = try node.member("octets") {
            raw = try octets.octets("\"octets\"", atMost: JSONSplitter.limit.octets)
        }
        try restoreBeside(node, extra)
    }

    /// Takes what is written elsewhere out of the octets, or, where those do not say it, out of keys of their own.
    private mutating func restoreBeside(_ node: JSONNode, _ text: String?) throws(JSONDecodingError) {
        do throws(DetectionError) {
            let decoded = Sighting(try Detection(decoding: raw), received: received)
            deviceTime = decoded.deviceTime
            extra = decoded.extra
            return
        } catch {
            // They are kept as they are, like everything of an older version that was understood then.
        }
        if let found = try node.member("extra") {
            guard case .object = found.value else { throw found.fault("\"extra\" must be an object") }
            var json = JSONWriter()
            json.json((text ?? "{}").utf8)
            extra = json.text
        }
        let limit = Double(Int64(1) << 53)
        if let stamp = try node.member("device_time") {
            guard let time = Timestamp(try stamp.text("\"device_time\"")) else {
                throw stamp.fault("\"device_time\" must be a time such as 2026-11-21T14:03:32.123Z")
            }
            deviceTime = .unix(seconds: time.milliseconds / 1000)
        } else if let uptime = try node.number("device_uptime_ms", 0...limit) {
            deviceTime = .uptime(milliseconds: Int64(uptime))
        }
    }
}

extension FixDetails {
    fileprivate init?(export node: JSONNode) throws(JSONDecodingError) {
        guard let node = try node.member("fix") else { return nil }
        let word = try node.words("source")
        let source = word.flatMap(Fix.Source.init(keyword:))
        if word != nil, source == nil {
            throw node.fault("\"source\" must be one of \(Fix.Source.words.joined(separator: ", "))")
        }
        let limit = Double(Int64(1) << 53)
        let age = try node.number("age_ms", -limit...limit)
        self.init(
            source: source, age: age.map { Int64($0) },
            accuracy: try node.number("accuracy", 0...Double.greatestFiniteMagnitude),
            altitude: try node.number(
                "altitude", -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude))
    }
}

extension JSONNode {
    fileprivate func words(_ key: String) throws(JSONDecodingError) -> String? {
        guard let found = try member(key) else { return nil }
        return try found.text("\"\(key)\"")
    }

    /// A number, also as text; `nil` where it is not known.
    fileprivate func number(_ key: String, _ range: ClosedRange<Double>) throws(JSONDecodingError) -> Double?
    {
        guard let found = try member(key) else { return nil }
        if case .text(let text) = found.value {
            if FileValue.isUnknown(text) { return nil }
            if let number = Double(decimal: text.trimmed.utf8) {
                let plain = JSONNode(line: found.line, column: found.column, value: .number(number))
                return try plain.number("\"\(key)\"", in: range)
            }
        }
        return try found.number("\"\(key)\"", in: range)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import FlockFinder

/// A row of a program that writes down all that it hears, as what it says of a camera, if it is one.
///
/// Its kind is judged as this radio's own detector judges: by name, maker and address. What is none that anybody knows is
/// kept as an unknown kind; cell towers and other things without an address of their own are passed over.
struct HeardRow {
    let row: CSVRow
    let isWiGLE: Bool
    let isKismet: Bool
    /// Whether Lantern has written it.
    let isOurs: Bool
    /// What it counts for when it has no time; `nil` refuses it then.
    let now: Timestamp?

    func imported() throws(ImportError) -> DetectionFile.Row {
        let kind = kind
        // The site's own lists may lack the column.
        if isWiGLE, kind == nil, row.cells["kind"] != nil { return .passed }
        guard let mac = text("mac").flatMap({ FileValue.address($0.trimmed) }) else {
            throw fault("its \(row.titles["mac"] ?? "MAC") is not six pairs of hex digits with colons")
        }
        let written = text("name").map { isKismet ? Self.withoutEscapes($0) : $0 }
        let name = isOurs ? written : FileValue.name(written)
        let maker = number("maker").flatMap { UInt16(exactly: $0) }
        let judgement = Self.table.judge(
            name: name.map { WireText($0) }, maker: maker, address: Self.address(mac))
        var label = label
        if label == nil, ["true", "1", "yes"].contains(text("is_raven")?.lowercased() ?? "") {
            label = "\(DetectionType.raven.label)"
        }
        let type = label.map { DetectionType(label: WireText($0)) } ?? judgement?.type ?? .unknown
        let uptime = uptime
        let (received, key) = try time(mac, uptime)
        let (position, fix) = try place()
        let sighting = Sighting(
            type: type, label: label ?? "\(type.label)", mac: mac, ssid: name, rssi: strength,
            confidence: judgement?.confidence ?? 0, deviceTime: uptime.map { .uptime(milliseconds: $0) },
            received: received, position: position, fix: fix, extra: extra(kind, maker))
        if let fault = sighting.fault { throw self.fault(fault) }
        return .detection(ImportedDetection(sighting, key: key))
    }

    private static let table = SignatureTable.builtIn

    private func fault(_ reason: String) -> ImportError { ImportError(row.line, reason) }

    private func text(_ column: String) -> String? {
        guard let cell = row.cells[column], !cell.octets.isEmpty else { return nil }
        // What our own export has put before what looks like a formula.
        let isGuarded =
            cell.octets.first == UInt8(ascii: "'") && Spreadsheet.looksLikeFormula(cell.octets.dropFirst())
        return FileValue.text(isGuarded ? cell.octets.dropFirst() : cell.octets[...])
    }

    /// A number; what is none, such as `NaN`, says nothing.
    private func number(_ column: String) -> Double? {
        text(column).flatMap { Double(decimal: $0.trimmed.utf8) }
    }

    /// By which radio it was heard, in WiGLE's words; `nil` for what is neither Wi-Fi nor Bluetooth.
    private var kind: String? {
        guard let word = text("kind")?.trimmed.uppercased() else { return isWiGLE ? nil : kindOfMethod }
        switch word {
        case "WIFI", "W", "INFRA", "ADHOC", "WIFI_2_4GHZ", "WIFI_5GHZ": return "WIFI"
        case "BLE", "E", "BLUETOOTH_LE": return "BLE"
        case "BT", "B", "BLUETOOTH": return "BT"
        default: return isWiGLE ? nil : kindOfMethod
        }
    }

    /// flock-you names how it has noticed something; before that named the radio, it had Bluetooth alone.
    private var kindOfMethod: String? {
        guard let method = text("method").map({ WireText($0).asciiLowercased }) else { return nil }
        let words: [WireText] = ["wifi", "probe", "beacon", "ssid", "oui"]
        let isWiFi = words.contains { method.contains($0) }
        return isWiFi ? "WIFI" : "BLE"
    }

    /// What the program itself calls it, where it says that instead of the radio.
    private var label: String? {
        guard !isWiGLE, let word = text("kind"), !word.lowercased().hasPrefix("wifi"),
            !word.lowercased().hasPrefix("bluetooth")
        else { return nil }
        return word
    }

    /// Programs that do not know it write 0, or what no radio hears.
    private var strength: Int {
        guard let strength = number("rssi"), strength != 0, (-127...20).contains(strength) else {
            return Sighting.unknownStrength
        }
        return Int(strength.rounded())
    }

    /// When it was, and, of a row that does not say so, what makes it the same when it is imported again.
    private func time(_ mac: String, _ uptime: Int64?) throws(ImportError) -> (Timestamp, DetectionKey?) {
        if let time = moment, time.milliseconds > 0 { return (time, nil) }
        guard uptime != nil, let now else {
            let title = row.titles["time"] ?? row.titles["uptime"] ?? "time"
            throw fault("its \(title) is not a time such as 2018-08-03 18:14:12")
        }
        // Two sums of FNV-1a over what the row says.
        let clock = number("uptime") == nil ? "time" : "uptime"
        var sums: [UInt64] = [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4]
        for column in ["mac", "name", clock, "rssi", "latitude", "longitude"] {
            for octet in (row.cells[column]?.octets ?? []) + [0x1F] {
                for index in sums.indices { sums[index] = (sums[index] ^ UInt64(octet)) &* 0x100_0000_01B3 }
            }
        }
        let octets = sums.flatMap { sum in (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64($0 * 8)) } }
        return (now, DetectionKey(octets: octets))
    }

    /// What it says of when it was.
    private var moment: Timestamp? {
        if let written = text("time"), let time = FileValue.moment(written) ?? FileValue.unix(written) {
            return time
        }
        return unixUptime
    }

    /// Unix time in milliseconds, which a device that knows it writes where others count from when they were switched on.
    private var unixUptime: Timestamp? {
        guard let written = text("uptime")?.trimmed, written.utf8.count == 13 else { return nil }
        return FileValue.unix(written)
    }

    /// Milliseconds since the device was switched on; also where a column of times has only those.
    private var uptime: Int64? {
        if unixUptime != nil { return nil }
        var number = number("uptime")
        if number == nil, let written = text("time"), FileValue.unix(written) == nil {
            number = Double(decimal: written.utf8)
        }
        return number.flatMap { Int64(exactly: $0) }.flatMap { (0..<1 << 53).contains($0) ? $0 : nil }
    }

    /// Apps that know no place write 0,0.
    private func place() throws(ImportError) -> (Position?, FixDetails?) {
        guard let latitude = number("latitude"), let longitude = number("longitude"),
            !Position.isNowhere(latitude, longitude)
        else { return (nil, nil) }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            throw fault("its latitude or longitude is out of range")
        }
        let accuracy = number("accuracy").flatMap { $0 > 0 ? $0 : nil }
        return (position, FixDetails(source: nil, accuracy: accuracy, altitude: number("altitude")))
    }

    private func extra(_ kind: String?, _ maker: UInt16?) -> String {
        var json = JSONWriter()
        let capabilities = text("capabilities")
        let channel = number("channel").flatMap { Int(exactly: $0) }
        // Kismet counts in kHz.
        let frequency = number("frequency").map { $0 > 100_000 ? $0 / 1000 : $0 }
        json.object { json in
            json.field(WiGLE.extra.origin, isWiGLE ? "wigle" : "flock-you")
            json.field(WiGLE.extra.kind, kind)
            if let capabilities { json.field(WiGLE.extra.capabilities, capabilities) }
            if kind == "WIFI", let channel { json.field(WiGLE.extra.channel, channel) }
            if let frequency, let whole = Int(exactly: frequency), whole > 0 {
                json.field(WiGLE.extra.frequency, whole)
            }
            if let maker { json.field(WiGLE.extra.maker, maker) }
            if let method = text("method") { json.field("method", method) }
        }
        return json.text
    }

    /// A public address, which is what prefixes are compared with.
    private static func address(_ mac: String) -> BluetoothAddress {
        let digits = mac.utf8.filter { $0 != UInt8(ascii: ":") }
        let octets = [UInt8](hexadecimal: String(decoding: digits, as: UTF8.self)) ?? []
        return BluetoothAddress(octets.reduce(0) { $0 << 8 | UInt64($1) }, kind: .public)
    }

    /// Kismet writes a backslash and three octal digits for an octet that is no plain character.
    private static func withoutEscapes(_ text: String) -> String {
        let octets = Array(text.utf8)
        var plain: [UInt8] = []
        var index = 0
        while index < octets.count {
            let digits = octets[(index + 1)...].prefix(3)
            if octets[index] == UInt8(ascii: "\\"), digits.count == 3,
                digits.allSatisfy({ (0x30...0x37).contains($0) }), digits[index + 1] <= 0x33
            {
                plain.append(digits.reduce(0) { $0 << 3 | ($1 - 0x30) })
                index += 4
            } else {
                plain.append(octets[index])
                index += 1
            }
        }
        return FileValue.text(plain)
    }
}

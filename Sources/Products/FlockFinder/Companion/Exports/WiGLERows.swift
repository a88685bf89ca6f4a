// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder

/// One row of a file of WiGLE as what it says of a camera, if it is one.
///
/// Its kind is judged as this radio's own detector judges: by name, maker and address. What is none that anybody knows is
/// kept as an unknown kind; cell towers and other things without an address of their own are passed over.
struct WiGLERow {
    let row: CSVRow

    func imported() throws(ImportFault) -> DetectionFile.Row {
        let kind = try text("Type")?.uppercased() ?? ""
        guard ["WIFI", "BT", "BLE"].contains(kind) else { return .passed }
        guard let mac = try text("MAC")?.uppercased(), let address = Self.address(mac) else {
            throw fault("its MAC is not six pairs of hex digits with colons")
        }
        guard let rssi = Int(try text("RSSI") ?? "") else { throw fault("its RSSI is not a whole number") }
        let name = try text("SSID")
        let maker = try number("MfgrId").flatMap { UInt16(exactly: $0) }
        let judgement = Self.table.judge(name: name.map { WireText($0) }, maker: maker, address: address)
        let type = judgement?.type ?? .unknown
        let (position, fix) = try place()
        let sighting = Sighting(
            type: type, label: "\(type.label)", mac: mac, ssid: name, rssi: rssi,
            confidence: judgement?.confidence ?? 0, received: try time(), position: position, fix: fix,
            extra: try extra(kind, maker))
        if let fault = sighting.fault { throw self.fault(fault) }
        return .detection(ImportedDetection(sighting))
    }

    private static let table = SignatureTable.builtIn

    private func fault(_ reason: String) -> ImportFault { ImportFault(row.line, reason) }

    private func text(_ column: String) throws(ImportFault) -> String? {
        guard let cell = row.cells[column], !cell.octets.isEmpty else { return nil }
        // What our own export has put before what looks like a formula.
        let isGuarded =
            cell.octets.first == UInt8(ascii: "'") && CSV.looksLikeFormula(cell.octets.dropFirst())
        guard
            let text = String(
                validating: isGuarded ? cell.octets.dropFirst() : cell.octets[...], as: UTF8.self)
        else { throw fault("its \(column) is not UTF-8") }
        return text
    }

    private func number(_ column: String) throws(ImportFault) -> Double? {
        guard let text = try text(column) else { return nil }
        guard let number = Double(decimal: text.utf8) else { throw fault("its \(column) is not a number") }
        return number
    }

    /// `2018-08-03 18:14:12`, in UTC.
    private func time() throws(ImportFault) -> Timestamp {
        let written = try text("FirstSeen") ?? ""
        let stamp = String(written.map { $0 == " " ? "T" : $0 })
        guard let time = Timestamp(stamp.hasSuffix("Z") ? stamp : stamp + "Z"), time.milliseconds > 0 else {
            throw fault("its FirstSeen is not a time such as 2018-08-03 18:14:12")
        }
        return time
    }

    /// Apps that know no place write 0,0.
    private func place() throws(ImportFault) -> (Position?, FixDetails?) {
        guard let latitude = try number("CurrentLatitude"), let longitude = try number("CurrentLongitude"),
            latitude != 0 || longitude != 0
        else { return (nil, nil) }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            throw fault("its latitude or longitude is out of range")
        }
        let accuracy = try number("AccuracyMeters").flatMap { $0 > 0 ? $0 : nil }
        return (
            position,
            FixDetails(source: nil, accuracy: accuracy, altitude: try number("AltitudeMeters"))
        )
    }

    private func extra(_ kind: String, _ maker: UInt16?) throws(ImportFault) -> String {
        var json = JSONWriter()
        let capabilities = try text("AuthMode")
        let (channel, frequency) = (try number("Channel"), try number("Frequency"))
        json.object { json in
            json.field(WiGLE.extra.origin, "wigle")
            json.field(WiGLE.extra.kind, kind)
            if let capabilities { json.field(WiGLE.extra.capabilities, capabilities) }
            if kind == "WIFI", let channel, let whole = Int(exactly: channel) {
                json.field(WiGLE.extra.channel, whole)
            }
            if let frequency, let whole = Int(exactly: frequency), whole > 0 {
                json.field(WiGLE.extra.frequency, whole)
            }
            if let maker { json.field(WiGLE.extra.maker, maker) }
        }
        return json.text
    }

    /// A public address, which is what prefixes are compared with.
    private static func address(_ text: String) -> BluetoothAddress? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        guard text.utf8.count == 17,
            let octets = [UInt8](hexadecimal: String(decoding: digits, as: UTF8.self)),
            octets.count == 6
        else { return nil }
        return BluetoothAddress(octets.reduce(0) { $0 << 8 | UInt64($1) }, kind: .public)
    }
}

// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)

import BLEWire

/// A detection in the shape of the protocol's object: `type` (the label), `mac`, `ssid`, `rssi`, `confidence`, `ts`; in `extra`
/// the keys that the protocol does not name, and in `raw` the object as received, as text each.
///
/// Its kind is not stored: it is what the label says.
extension Detection: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, mac, ssid, rssi, confidence, ts, extra, raw
    }

    /// Reads a detection.
    ///
    /// - Parameter decoder: Where to read.
    /// - Throws: What the decoder throws, and `DecodingError` for a value that no detection may have.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func check(_ isAllowed: Bool, _ key: CodingKeys, _ fault: String) throws {
            guard !isAllowed else { return }
            throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: fault)
        }
        let label = WireText(try values.decode(String.self, forKey: .type))
        let mac = try values.decodeIfPresent(String.self, forKey: .mac)
        let address = mac.flatMap { BluetoothAddress($0, kind: .public) }
        try check(mac == nil || address != nil, .mac, "a MAC address is six pairs of hex digits")
        let rssi = try values.decode(Int.self, forKey: .rssi)
        try check((-127...20).contains(rssi), .rssi, "a strength is -127 to 20 dBm")
        let confidence = try values.decode(Double.self, forKey: .confidence)
        try check((0...1).contains(confidence), .confidence, "a confidence is 0 to 1")
        let ts = try values.decodeIfPresent(Int64.self, forKey: .ts)
        try check(ts.map { $0 >= 0 } ?? true, .ts, "a time is not negative")
        self.init(
            type: DetectionType(label: label), label: label, mac: address?.value,
            ssid: try values.decodeIfPresent(String.self, forKey: .ssid).map { WireText($0) }, rssi: rssi,
            confidence: confidence, ts: ts,
            extra: try values.decodeIfPresent([ExtraKey].self, forKey: .extra) ?? [],
            raw: Array(try values.decodeIfPresent(String.self, forKey: .raw)?.utf8 ?? "".utf8))
    }

    /// Writes a detection; what is not there is left out.
    ///
    /// - Parameter encoder: Where to write.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(label.string, forKey: .type)
        try values.encodeIfPresent(
            mac.map { BluetoothAddress($0, kind: .public).description.lowercased() }, forKey: .mac)
        try values.encodeIfPresent(ssid?.string, forKey: .ssid)
        try values.encode(rssi, forKey: .rssi)
        try values.encode(confidence, forKey: .confidence)
        try values.encodeIfPresent(ts, forKey: .ts)
        if !extra.isEmpty { try values.encode(extra, forKey: .extra) }
        if !raw.isEmpty { try values.encode(String(decoding: raw, as: UTF8.self), forKey: .raw) }
    }
}

/// A key and its value, as text each.
extension Detection.ExtraKey: Codable {
    private enum CodingKeys: String, CodingKey {
        case key, json
    }

    /// Reads a key with its value.
    ///
    /// - Parameter decoder: Where to read.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            key: WireText(try values.decode(String.self, forKey: .key)),
            json: Array(try values.decode(String.self, forKey: .json).utf8))
    }

    /// Writes a key with its value.
    ///
    /// - Parameter encoder: Where to write.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(key.string, forKey: .key)
        try values.encode(String(decoding: json, as: UTF8.self), forKey: .json)
    }
}

#endif

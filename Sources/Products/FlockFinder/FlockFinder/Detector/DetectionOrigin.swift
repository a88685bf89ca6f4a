// SPDX-License-Identifier: Apache-2.0

public import BLEWire
import WireJSON

/// How a detection says that it is a ``Detector``'s, by which table, and why.
public enum DetectionOrigin {
    /// The key that says who has noticed it.
    public static let key: WireText = "origin"
    /// Its value: whoever listens here, not a device that has sent it.
    public static let here: WireText = "this_radio"
    /// The key that names the table: its name, a blank, its version.
    public static let table: WireText = "signatures"
    /// The key that lists the reasons, each as text: `name *flock* +0.4`.
    public static let reasons: WireText = "reasons"

    /// The key of the octets of the strongest advertisement or scan response, as hexadecimal digits.
    public static let advertisement: WireText = "advertisement"

    /// The keys of a detection.
    static func keys(
        _ table: SignatureTable, _ matches: [Int], advertisement octets: [UInt8]
    ) -> [Detection.ExtraKey] {
        let name = WireText(table.name.octets + [0x20] + table.version.octets)
        var list = JSONOctetWriter()
        list.open("[")
        for index in matches { list.value(text: reason(table.signatures[index]).octets.octetSpan) }
        list.close("]")
        var data = JSONOctetWriter()
        data.value(hexadecimal: octets)
        return [
            Detection.ExtraKey(key: key, json: json(here)),
            Detection.ExtraKey(key: self.table, json: json(name)),
            Detection.ExtraKey(key: reasons, json: list.octets),
            Detection.ExtraKey(key: advertisement, json: data.octets),
        ]
    }

    /// A signature and its weight as a reason: `service 3100 +0.4`.
    ///
    /// - Parameter signature: The signature.
    /// - Returns: The text.
    public static func reason(_ signature: Signature) -> WireText {
        let word: WireText =
            switch signature.mark {
            case .name: "name "
            case .service: "service "
            case .maker: "maker "
            case .prefix: "prefix "
            }
        let weight = signature.weight
        let sign: [UInt8] = [0x20, weight < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")]
        return WireText(
            word.octets + signature.mark.text.octets + sign + ObjectWriter.decimal(weight.magnitude))
    }

    private static func json(_ text: WireText) -> [UInt8] {
        var writer = JSONOctetWriter()
        writer.value(text: text.octets.octetSpan)
        return writer.octets
    }
}

extension Signature.Mark {
    /// What there is to be seen, as text: a shape, `fd6f`, `09c8`, `B4:1E:52`.
    public var text: WireText {
        switch self {
        case .name(let shape): shape.text
        case .maker(let company): WireText(Self.digits(UInt64(company), 4)).asciiLowercased
        case .service(let uuid):
            if let short = uuid.short {
                WireText(Self.digits(UInt64(short), 4)).asciiLowercased
            } else {
                WireText(
                    Self.digits(uuid.high >> 32, 8) + Self.group(uuid.high >> 16) + Self.group(uuid.high)
                        + Self.group(uuid.low >> 48) + [UInt8(ascii: "-")] + Self.digits(uuid.low, 12)
                ).asciiLowercased
            }
        case .prefix(let prefix):
            WireText(
                (0..<prefix.count).flatMap { index -> [UInt8] in
                    let octet = Self.digits(prefix.value >> UInt64((prefix.count - 1 - index) * 8), 2)
                    return index == 0 ? octet : [UInt8(ascii: ":")] + octet
                })
        }
    }

    private static func group(_ value: UInt64) -> [UInt8] { [UInt8(ascii: "-")] + digits(value, 4) }

    /// The lowest hexadecimal digits.
    private static func digits(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { index in
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(index * 4)) & 15
            return digit < 10 ? 0x30 + digit : 0x37 + digit
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts and in pages only.
#if !hasFeature(Embedded) || arch(wasm32)

extension RGBColor: LosslessStringConvertible {
    /// As people write it: `#ff8800`.
    public var description: String {
        let digits = String(rgb, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Reads a colour as a person writes it: `#ff8800`, `ff8800`, `#f80` or a name of CSS.
    ///
    /// - Parameter text: The text; case does not matter.
    public init?(_ text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
        if digits.utf8.allSatisfy({ $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt32(digits, radix: 16)
        {
            switch digits.utf8.count {
            case 6:
                self.init(rgb: number)
                return
            case 3:
                func part(_ shift: UInt32) -> UInt8 { UInt8(number >> shift & 0xF) * 0x11 }
                self.init(red: part(8), green: part(4), blue: part(0))
                return
            default: break
            }
        }
        guard digits.startIndex == text.startIndex,
            let rgb = Self.names.first(where: { $0.name == text.lowercased() })?.rgb
        else { return nil }
        self.init(rgb: rgb)
    }

    /// The name that CSS has for it; `nil` when it has none.
    public var name: String? { Self.names.first { $0.rgb == rgb }?.name }
}

#endif

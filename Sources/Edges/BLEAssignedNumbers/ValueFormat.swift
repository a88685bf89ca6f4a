// SPDX-License-Identifier: Apache-2.0

/// How a value is laid out, as a line of the kind `format` says it: fields with `;` between them, and after `~` another
/// layout, for values that do not fit the first.
///
/// A field is `form,modifier,… Name{number=words|…}`. Forms:
///
/// | form                  | takes                                                                       |
/// |-----------------------|-----------------------------------------------------------------------------|
/// | `u8`…`u64`, `s8`…`s64` | a number, least significant octet first; with `[]` as many as there are      |
/// | `h16`, `h24`, `h40`   | a number that is shown in hex                                                |
/// | `b8`…`b32`            | bits; `1-2=Name:no/yes` names a part of several bits and its values, `=` none |
/// | `m16`, `m32`          | medical floating point numbers                                              |
/// | `e8`                  | a duration: 1.1 to the power of the number less 64, in seconds               |
/// | `p24`                 | two numbers of 12 bits                                                      |
/// | `r8`                  | how many octets a record has, with this one; behind it comes another one     |
/// | `t`, `raw`, `uuid`    | the rest as text, octets or a UUID                                          |
/// | `z`                   | text up to a NUL                                                            |
/// | `date`, `appearance`, `unit` | seven octets; two; two                               |
/// | `day`                 | three octets: days since the first of 1970                                  |
///
/// Modifiers: `?n` and `!n` (only if bit n of the first bits is set, or is not; several must all hold), `=n` (only if the
/// first number is n), `o` (only if octets are left), `xM:d:b` (times M · 10^d · 2^b), `nHEX` (stands for "not known"), `lN` (the largest that may be), `uSYMBOL`
/// (the unit).
struct ValueFormat {
    struct Field {
        enum Form: Equatable {
            case unsigned(bits: Int)
            case signed(bits: Int)
            case hexadecimal(bits: Int)
            case bits(Int)
            case medical(bits: Int)
            case floating(bits: Int)
            case duration
            case pair
            case record
            case text
            case wideText
            case terminated
            case raw
            case uuid
            case date
            case day
            case appearance
            case unit
        }

        var form: Form
        var isRepeated = false
        /// Which bits of the first bits must be set, or must not.
        var conditions: [(bit: Int, isSet: Bool)] = []
        /// What the first number must be.
        var selector: UInt64?
        var isOptional = false
        var factor = (multiplier: 1, decimal: 0, binary: 0)
        /// How many bits of a number count, where that is not all of them.
        var significant: Int?
        var unknown: UInt64?
        var largest: UInt64?
        var unit = ""
        var name = ""
        /// What stands between the braces.
        var words: [(key: Substring, text: Substring)] = []
    }

    let fields: [Field]

    /// Reads one layout of a line; `nil` when it is none.
    init?(_ line: Substring) {
        var fields: [Field] = []
        for part in line.split(separator: ";") {
            guard let field = Field(part) else { return nil }
            fields.append(field)
        }
        self.fields = fields
    }
}

extension ValueFormat {
    /// Makes the layout that a Characteristic Presentation Format names; `nil` for one that this decoder does not know.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 3.3.3.5.
    ///
    /// - Parameters:
    ///   - presentation: The value of the descriptor.
    ///   - symbol: Gives the symbol of a unit.
    init?(presentation: [UInt8], symbol: (UInt16) -> String?) {
        guard presentation.count == 7 else { return nil }
        let forms: [UInt8: Field.Form] = [
            1: .unsigned(bits: 8), 2: .unsigned(bits: 8), 3: .unsigned(bits: 8), 4: .unsigned(bits: 8),
            5: .unsigned(bits: 16), 6: .unsigned(bits: 16), 7: .unsigned(bits: 24), 8: .unsigned(bits: 32),
            9: .unsigned(bits: 48), 10: .unsigned(bits: 64), 12: .signed(bits: 8), 13: .signed(bits: 16),
            14: .signed(bits: 16), 15: .signed(bits: 24), 16: .signed(bits: 32), 17: .signed(bits: 48),
            18: .signed(bits: 64), 20: .floating(bits: 32), 21: .floating(bits: 64),
            22: .medical(bits: 16), 23: .medical(bits: 32), 25: .text, 26: .wideText,
        ]
        // The others are whole octets.
        let significant: [UInt8: Int] = [2: 2, 3: 4, 5: 12, 13: 12]
        let exponent = Int(Int8(bitPattern: presentation[1]))
        guard let form = forms[presentation[0]], (-18...18).contains(exponent) else { return nil }
        var field = Field(form: form)
        // Only whole numbers have an exponent.
        switch form {
        case .unsigned, .signed: field.factor.decimal = exponent
        default: break
        }
        field.unit = symbol(UInt16(presentation[2]) | UInt16(presentation[3]) << 8) ?? ""
        field.name = "Value"
        field.significant = significant[presentation[0]]
        fields = [field]
    }
}

extension ValueFormat.Field {
    fileprivate init?(_ text: Substring) {
        let halves = text.split(separator: " ", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        let modifiers = halves[0].split(separator: ",", omittingEmptySubsequences: false)
        var form = modifiers[0]
        let isRepeated = form.hasSuffix("[]")
        if isRepeated { form = form.dropLast(2) }
        guard let parsed = Self.form(form) else { return nil }
        self.init(form: parsed, isRepeated: isRepeated)
        for modifier in modifiers.dropFirst() where !apply(modifier) { return nil }
        let named = halves[1].split(separator: "{", maxSplits: 1, omittingEmptySubsequences: false)
        name = String(named[0])
        guard named.count == 2 else { return }
        words = named[1].dropLast().split(separator: "|").map { entry in
            let pair = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (pair[0], pair.count == 2 ? pair[1] : "")
        }
    }

    private static func form(_ text: Substring) -> Form? {
        switch text {
        case "t": return .text
        case "z": return .terminated
        case "e8": return .duration
        case "p24": return .pair
        case "r8": return .record
        case "raw": return .raw
        case "uuid": return .uuid
        case "date": return .date
        case "day": return .day
        case "appearance": return .appearance
        case "unit": return .unit
        default: break
        }
        guard let bits = Int(text.dropFirst()), (8...64).contains(bits), bits % 8 == 0 else { return nil }
        switch text.first {
        case "u": return .unsigned(bits: bits)
        case "s": return .signed(bits: bits)
        case "h": return .hexadecimal(bits: bits)
        case "b": return .bits(bits)
        case "m" where bits == 16 || bits == 32: return .medical(bits: bits)
        default: return nil
        }
    }

    private mutating func apply(_ modifier: Substring) -> Bool {
        let rest = modifier.dropFirst()
        switch modifier.first {
        case "?", "!":
            guard let bit = Int(rest), (0..<32).contains(bit) else { return false }
            conditions.append((bit, modifier.first == "?"))
        case "=":
            guard let value = UInt64(rest) else { return false }
            selector = value
        case "o": isOptional = true
        case "x":
            let parts = rest.split(separator: ":").compactMap { Int($0) }
            guard parts.count == 3, (-18...18).contains(parts[1]), (-62...62).contains(parts[2]) else {
                return false
            }
            factor = (parts[0], parts[1], parts[2])
        case "n":
            guard let value = UInt64(rest, radix: 16) else { return false }
            unknown = value
        case "l":
            guard let value = UInt64(rest) else { return false }
            largest = value
        case "u": unit = String(rest)
        default: return false
        }
        return true
    }
}

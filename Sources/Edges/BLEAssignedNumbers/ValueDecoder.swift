// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Takes a value apart, field by field.
struct ValueDecoder {
    /// Why a field is none; the others may be good all the same.
    private struct Mismatch: Error {
        let reason: String
    }

    private var rest: ArraySlice<UInt8>
    /// The first bits, which say what else is there.
    private var flags: UInt64?
    /// The first number, which may say it, too.
    private var selector: UInt64?
    /// What comes behind the record in hand.
    private var behind: ArraySlice<UInt8> = []
    /// How many octets the fields want that are not there.
    private var missing = 0
    /// What does not fit, in the order of the value.
    private var reasons: [String] = []

    init(_ value: [UInt8]) { rest = value[...] }

    /// How many octets a value was too short or too long, as far as its format says.
    var distance: Int { missing + rest.count }

    /// Decodes the value, once.
    mutating func decode(_ format: ValueFormat) -> StandardValue {
        var found = StandardValue()
        repeat {
            (rest, behind, flags) = (behind.isEmpty ? rest : behind, [], nil)
            for field in format.fields where isThere(field) {
                // Where the value has ended, the other fields are only counted.
                let hasEnded = missing > 0
                do throws(Mismatch) {
                    let said = try text(of: field)
                    if let said, !hasEnded { found.fields.append(Self.value(of: field, said)) }
                } catch {
                    if !hasEnded { reasons.append(error.reason) }
                }
            }
            if !rest.isEmpty {
                reasons.append(rest.count == 1 ? "1 octet too many" : "\(rest.count) octets too many")
            }
        } while !behind.isEmpty && reasons.isEmpty
        if !reasons.isEmpty { found.misfit = reasons.joined(separator: ", and ") }
        return found
    }

    private static func value(of field: ValueFormat.Field, _ text: String) -> StandardValue.Field {
        let isText = field.form == .text || field.form == .terminated || field.form == .wideText
        var value = StandardValue.Field(name: field.name, text: text, isText: isText)
        value.isOctets = field.form == .raw
        if let number = Self.number(in: text, field) { (value.number, value.unit) = (number, field.unit) }
        return value
    }

    private func isThere(_ field: ValueFormat.Field) -> Bool {
        if field.isOptional || field.isRepeated, rest.isEmpty { return false }
        if let wanted = field.selector, wanted != selector { return false }
        return field.conditions.allSatisfy { ((flags ?? 0) >> UInt64($0.bit) & 1 == 1) == $0.isSet }
    }

    /// What a field says; `nil` when that is nothing.
    private mutating func text(of field: ValueFormat.Field) throws(Mismatch) -> String? {
        switch field.form {
        case .unsigned, .signed: return try numbers(field)
        case .hexadecimal(let bits):
            return "0x" + AssignedNumbers.digits(try number(bits, field), bits / 4)
        case .bits(let count):
            let value = try number(count, field)
            if flags == nil { flags = value }
            return Self.words(of: value, field)
        case .medical(let bits): return Self.medical(try number(bits, field), bits, field)
        case .floating(let bits): return Self.floating(try number(bits, field), bits, field)
        case .duration: return Self.duration(try number(8, field))
        case .pair:
            let value = try number(24, field)
            return "\(value & 0xFFF)\(Self.suffix(field)) and \(value >> 12)\(Self.suffix(field))"
        case .record:
            let count = Int(try number(8, field)) - 1
            guard count >= 0, count <= rest.count else {
                throw Mismatch(reason: "its \(field.name) does not fit what follows")
            }
            (behind, rest) = (rest.dropFirst(count), rest.prefix(count))
            return nil
        case .text:
            defer { rest = [] }
            // Many fill their texts up with NULs.
            return try Self.text(rest[..<((rest.lastIndex { $0 != 0 } ?? rest.startIndex - 1) + 1)])
        case .wideText:
            defer { rest = [] }
            return try Self.wideText(Array(rest))
        case .terminated:
            let end = rest.firstIndex(of: 0) ?? rest.endIndex
            defer { rest = rest[end...].dropFirst() }
            return try Self.text(rest[..<end])
        case .raw:
            defer { rest = [] }
            return Array(rest).hexadecimal
        case .uuid: return try uuid(field)
        case .date: return try date(field)
        case .day: return Self.day(try number(24, field))
        case .appearance:
            let value = UInt16(truncatingIfNeeded: try number(16, field))
            return AssignedNumbers.name(ofAppearance: value) ?? "0x" + AssignedNumbers.digits(value, 4)
        case .unit:
            let value = UInt16(truncatingIfNeeded: try number(16, field))
            return AssignedNumbers.name(ofUnit: BluetoothUUID(value))
                ?? "0x" + AssignedNumbers.digits(value, 4)
        }
    }

    private static func text(_ octets: ArraySlice<UInt8>) throws(Mismatch) -> String {
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw Mismatch(reason: "it is no UTF-8 text")
        }
        return text
    }

    /// UTF-16, the least significant octet of each unit first, without the NULs that fill it up.
    private static func wideText(_ octets: [UInt8]) throws(Mismatch) -> String {
        var units: [UInt16] = []
        for index in stride(from: 0, to: octets.count - 1, by: 2) {
            units.append(UInt16(octets[index]) | UInt16(octets[index + 1]) << 8)
        }
        while units.last == 0 { units.removeLast() }
        guard octets.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw Mismatch(reason: "it is no UTF-16 text")
        }
        return text
    }

    /// An IEEE 754 number of 32 or 64 bits, with as many digits as tell it from its neighbours.
    private static func floating(_ raw: UInt64, _ bits: Int, _ field: ValueFormat.Field) -> String {
        let single = Float(bitPattern: UInt32(truncatingIfNeeded: raw))
        let value = bits == 32 ? Double(single) : Double(bitPattern: raw)
        if value.isNaN { return "not known" }
        if value.isInfinite { return (value < 0 ? "-∞" : "+∞") + suffix(field) }
        let text = bits == 32 ? single.description : value.description
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + suffix(field)
    }

    /// 1.1 to the power of a number less 64, in seconds, with three digits.
    private static func duration(_ raw: UInt64) -> String {
        switch raw {
        case 0: return "0 s"
        case 0xFE: return "the total life of the device"
        case 0xFF: return "not known"
        default: break
        }
        var seconds = 1.0
        for _ in 0..<abs(Int(raw) - 64) { seconds = raw > 64 ? seconds * 1.1 : seconds / 1.1 }
        var exponent = 0
        while seconds < 100, exponent > -6 { (seconds, exponent) = (seconds * 10, exponent - 1) }
        return DecimalText.scaled(String(Int64(seconds + 0.5)), by: (1, exponent, 0)) + " s"
    }

    /// A number, least significant octet first.
    private mutating func number(_ bits: Int, _ field: ValueFormat.Field) throws(Mismatch) -> UInt64 {
        let count = bits / 8
        guard rest.count >= count else {
            missing += count - rest.count
            // What is left is a part of this field, and not the next one.
            rest = []
            throw Mismatch(reason: "it ends before its \(field.name)")
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func numbers(_ field: ValueFormat.Field) throws(Mismatch) -> String {
        guard field.isRepeated else { return try scaled(field) }
        var texts: [String] = []
        while !rest.isEmpty {
            do throws(Mismatch) {
                texts.append(try scaled(field))
            } catch {
                if texts.isEmpty { throw error }
                reasons.append("it ends before its \(Self.ordinal(after: texts.count)) \(field.name)")
            }
        }
        return texts.joined(separator: " ")
    }

    /// Which number of a field is the next one.
    private static func ordinal(after count: Int) -> String {
        let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
        return count < words.count ? words[count] : "next"
    }

    private mutating func scaled(_ field: ValueFormat.Field) throws(Mismatch) -> String {
        let bits: Int
        let isSigned: Bool
        switch field.form {
        case .signed(let count): (bits, isSigned) = (count, true)
        case .unsigned(let count): (bits, isSigned) = (count, false)
        default: return ""
        }
        let unused = UInt64(64 - (field.significant ?? bits))
        let raw = try number(bits, field) & (UInt64.max >> unused)
        if selector == nil { selector = raw }
        if raw == field.unknown { return "not known" }
        let value = isSigned ? Int64(bitPattern: raw << unused) >> Int64(unused) : nil
        let decimal = value.map(String.init) ?? String(raw)
        if let word = field.words.first(where: { $0.key == decimal }) { return String(word.text) }
        if let largest = field.largest, raw > largest { return "\(decimal), which is not a valid value" }
        return DecimalText.scaled(decimal, by: field.factor) + Self.suffix(field)
    }

    /// The number that a text says, where it says one.
    private static func number(in text: String, _ field: ValueFormat.Field) -> Double? {
        switch field.form {
        case .unsigned, .signed, .medical, .floating: DecimalText.number(text.dropLast(suffix(field).count))
        default: nil
        }
    }

    private static func suffix(_ field: ValueFormat.Field) -> String {
        // A percent sign stands at its number, as everywhere here.
        field.unit.isEmpty ? "" : field.unit == "%" ? "%" : " " + field.unit
    }

    /// What is set, or what the parts of several bits say.
    private static func words(of value: UInt64, _ field: ValueFormat.Field) -> String? {
        var texts: [String] = []
        for (key, text) in field.words where !key.isEmpty {
            let ends = key.split(separator: "-").compactMap { UInt64($0) }
            guard let first = ends.first, let last = ends.last, first < 64, last < 64, last >= first else {
                continue
            }
            let part = value >> first & (UInt64.max >> (63 - (last - first)))
            let halves = text.split(separator: ":", maxSplits: 1)
            let choices =
                halves.count == 2 ? halves[1].split(separator: "/", omittingEmptySubsequences: false) : []
            if choices.isEmpty {
                if part != 0 { texts.append(String(text)) }
            } else if part < choices.count, !choices[Int(part)].isEmpty {
                texts.append("\(halves[0]): \(choices[Int(part)])")
            } else {
                texts.append("\(halves[0]): \(part)")
            }
        }
        if texts.isEmpty, let none = field.words.first(where: { $0.key.isEmpty }) { return String(none.text) }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    /// An IEEE 11073 number of 16 or 32 bits: an exponent of ten, and a mantissa of the rest.
    ///
    /// Spec: Personal Health Devices Transcoding White Paper v1.6, 2.2.
    private static func medical(_ raw: UInt64, _ bits: Int, _ field: ValueFormat.Field) -> String {
        let width = bits == 16 ? 12 : 24
        let mantissa = Int64(bitPattern: raw << UInt64(64 - width)) >> Int64(64 - width)
        let exponent = Int(Int64(bitPattern: raw << UInt64(64 - bits)) >> Int64(64 - bits + width))
        let limit = Int64(1) << Int64(width - 1)
        switch (exponent, mantissa) {
        case (0, limit - 1), (0, -limit), (0, -limit + 1): return "not known"
        case (0, limit - 2): return "+∞" + suffix(field)
        case (0, -limit + 2): return "-∞" + suffix(field)
        default:
            return DecimalText.shifted(String(mantissa), by: exponent + field.factor.decimal) + suffix(field)
        }
    }

    private mutating func uuid(_ field: ValueFormat.Field) throws(Mismatch) -> String {
        defer { rest = [] }
        let octets = Array(rest)
        var reader = ByteReader(octets.octetSpan.bytes)
        do throws(DecodeError) {
            return try BluetoothUUID(decoding: &reader, width: octets.count).description
        } catch {
            throw Mismatch(reason: "a UUID has 2, 4 or 16 octets")
        }
    }

    /// `2026-11-21 14:03:32`; what is zero is not known.
    private mutating func date(_ field: ValueFormat.Field) throws(Mismatch) -> String {
        let year = try number(16, field)
        let month = try number(8, field)
        let day = try number(8, field)
        let hour = try number(8, field)
        let minute = try number(8, field)
        let second = try number(8, field)
        guard month <= 12, day <= Self.days(in: month, year), hour < 24, minute < 60, second < 60 else {
            throw Mismatch(reason: "there is no such date or time")
        }
        let date = [
            year == 0 ? "????" : String(year), month == 0 ? "??" : Self.two(month),
            day == 0 ? "??" : Self.two(day),
        ]
        let time = [hour, minute, second].map(Self.two)
        return date.joined(separator: "-") + " " + time.joined(separator: ":")
    }

    /// `2026-11-21`, of days since the first of 1970; 0 is not known.
    private static func day(_ count: UInt64) -> String {
        if count == 0 { return "not known" }
        var (year, month, rest) = (UInt64(1970), UInt64(1), count)
        // All months but February have 337 days together.
        while rest >= 337 + days(in: 2, year) {
            rest -= 337 + days(in: 2, year)
            year += 1
        }
        while rest >= days(in: month, year) {
            rest -= days(in: month, year)
            month += 1
        }
        return [String(year), two(month), two(rest + 1)].joined(separator: "-")
    }

    private static func two(_ number: UInt64) -> String { (number < 10 ? "0" : "") + String(number) }

    /// How many days a month may have; where month or year are not known, as many as any of them has.
    private static func days(in month: UInt64, _ year: UInt64) -> UInt64 {
        switch month {
        case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }
}

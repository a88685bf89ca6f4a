// SPDX-License-Identifier: Apache-2.0

/// Values as programs of all kinds write them into their files.
enum FileValue {
    /// A moment: as ``Timestamp`` reads it, and with months and days of one digit, or months by name.
    ///
    /// - Parameter text: `2023-7-20 18:12:10`, `2019-Mar-04 9:00:00`, `2026-11-21T14:03:32.123Z`; without a zone it is UTC.
    /// - Returns: The moment; `nil` when it is none.
    static func moment(_ text: String) -> Timestamp? {
        if let moment = Timestamp(text) { return moment }
        let octets = text.trimmed.utf8
        let mark = octets.contains(0x20) ? 0x20 : UInt8(ascii: "T")
        let parts = octets.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: true)
        guard let date = parts.first else { return nil }
        let numbers = date.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard numbers.count == 3, let month = month(numbers[1]) else { return nil }
        var plain = "\(Substring(numbers[0]))-\(padded(month))-\(padded(Substring(numbers[2])))"
        if parts.count == 2 {
            let hasShortHour = parts[1].dropFirst().first == UInt8(ascii: ":")
            plain += "T" + (hasShortHour ? "0" : "") + String(Substring(parts[1]))
        }
        return Timestamp(plain)
    }

    /// A moment in Unix time, as programs on small boards write it.
    ///
    /// - Parameter text: Ten digits, which are seconds and may have a fraction, or thirteen, which are milliseconds.
    /// - Returns: The moment; `nil` when it is none.
    static func unix(_ text: String) -> Timestamp? {
        let octets = Array(text.trimmed.utf8)
        let isDigit = { (octet: UInt8) in (0x30...0x39).contains(octet) }
        let count = octets.firstIndex { !isDigit($0) } ?? octets.count
        guard count == 10 || count == 13, octets[0] != 0x30 else { return nil }
        let rest = octets[count...]
        guard rest.isEmpty || rest.first == UInt8(ascii: ".") && rest.dropFirst().allSatisfy(isDigit),
            let number = Double(decimal: octets)
        else { return nil }
        return Timestamp(milliseconds: Int64((count == 10 ? number * 1000 : number).rounded()))
    }

    /// Whether text says that a number is not known.
    static func isUnknown(_ text: String) -> Bool {
        ["nan", "-nan", "null", "none"].contains(text.trimmed.lowercased())
    }

    /// A name without the NULs with which programs fill it up; one that has nothing else is none.
    static func name(_ text: String?) -> String? {
        guard let text, text.utf8.last == 0 else { return text }
        var octets = text.utf8[...]
        while octets.last == 0 { octets.removeLast() }
        return octets.isEmpty ? nil : String(Substring(octets))
    }

    private static func month(_ octets: Substring.UTF8View) -> Substring? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        guard octets.count == 3 else { return Substring(octets) }
        let name = Substring(octets).lowercased()
        return names.firstIndex(of: name).map { Substring("\($0 + 1)") }
    }

    private static func padded(_ digits: Substring) -> String {
        digits.utf8.count == 1 ? "0\(digits)" : String(digits)
    }

    /// An address as it is kept: of six pairs of hex digits in either case, with colons, hyphens or nothing between them.
    static func address(_ text: String) -> String? {
        var digits: [UInt8] = []
        for octet in text.utf8 where octet != UInt8(ascii: ":") && octet != UInt8(ascii: "-") {
            digits.append((0x61...0x66).contains(octet) ? octet - 0x20 : octet)
        }
        let isHex = digits.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
        guard digits.count == 12, isHex, [12, 17].contains(text.utf8.count) else { return nil }
        var address: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if index > 0, index.isMultiple(of: 2) { address.append(UInt8(ascii: ":")) }
            address.append(digit)
        }
        return String(decoding: address, as: UTF8.self)
    }

    /// An address as it is kept, where it may be missing: what is none stays as it is, for whoever judges it.
    static func addressIfAny(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.lowercased() != "unknown" else { return nil }
        return address(text) ?? text
    }

    /// Text of octets: UTF-8, else Latin-1, in which old and small programs write names.
    static func text(_ octets: some Collection<UInt8>) -> String {
        if let text = String(validating: octets, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        for octet in octets { scalars.append(Unicode.Scalar(octet)) }
        return String(scalars)
    }

    /// A number of 0 or more; iOS says -1 where it knows none.
    static func known(_ number: Double?) -> Double? { number.flatMap { $0 < 0 ? nil : $0 } }
}

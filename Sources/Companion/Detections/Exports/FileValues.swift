// SPDX-License-Identifier: Apache-2.0

import Companion

/// Values as programs of all kinds write them into their files.
enum FileValue {
    /// A moment: as ``Timestamp`` reads it, and with months, days, hours, minutes and seconds of one digit, months by name, and
    /// slashes in its date.
    ///
    /// - Parameter text: `2023-7-20 18:2:9`, `2019-Mar-04 9:00:00`, `2023/07/20 18:12:10 UTC`, `2026-11-21T14:03:32.123Z`; without a
    ///   zone it is UTC.
    /// - Returns: The moment; `nil` when it is none.
    static func moment(_ text: String) -> Timestamp? {
        if let moment = Timestamp(text) { return moment }
        var octets = Array(text.trimmed.utf8)
        if octets.suffix(3).elementsEqual("UTC".utf8) || octets.suffix(3).elementsEqual("GMT".utf8) {
            octets.removeLast(3)
            while octets.last == 0x20 { octets.removeLast() }
        }
        // Months by name have the letter, too.
        let end =
            octets.indices.dropFirst().first { index in
                octets[index] == 0x20 || octets[index] | 0x20 == 0x74 && isDigit(octets[index - 1])
            } ?? octets.count
        let date = octets[..<end].split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/")
        }
        guard date.count == 3, let month = month(date[1]) else { return nil }
        let days = [Array(date[0]), padded(month), padded(date[2])]
        var plain = Array(days.joined(separator: [UInt8(ascii: "-")]))
        let clock = octets[end...].dropFirst()
        if !clock.isEmpty { plain += [UInt8(ascii: "T")] + padded(clock: clock) }
        return Timestamp(String(decoding: plain, as: UTF8.self))
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }

    /// A time of the day whose parts have two digits, and its zone without a blank before it.
    private static func padded(clock: ArraySlice<UInt8>) -> [UInt8] {
        let begin = clock.firstIndex { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } ?? clock.endIndex
        var time = clock[..<begin]
        while begin < clock.endIndex, time.last == 0x20 { time.removeLast() }
        let parts = time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
            padded($0)
        }
        return Array(parts.joined(separator: [UInt8(ascii: ":")])) + clock[begin...]
    }

    /// A moment in Unix time, as programs on small boards write it.
    ///
    /// - Parameter text: Ten digits, which are seconds and may have a fraction, or thirteen, which are milliseconds.
    /// - Returns: The moment; `nil` when it is none.
    static func unix(_ text: String) -> Timestamp? {
        let octets = Array(text.trimmed.utf8)
        let count = octets.firstIndex { !isDigit($0) } ?? octets.count
        guard count == 10 || count == 13, octets[0] != 0x30 else { return nil }
        let rest = octets[count...]
        guard rest.isEmpty || rest.first == UInt8(ascii: ".") && rest.dropFirst().allSatisfy(isDigit),
            let number = Double(decimal: octets)
        else { return nil }
        return Timestamp(milliseconds: Int64((count == 10 ? number * 1000 : number).rounded()))
    }

    /// Whether text says that a number or an address is not known, as programs of all kinds write that.
    static func isUnknown(_ text: String) -> Bool {
        let words = ["nan", "-nan", "null", "(null)", "nil", "none", "unknown", "n/a", "-"]
        return words.contains(text.trimmed.lowercased())
    }

    /// A name without the NULs with which programs fill it up; one that has nothing else is none.
    static func name(_ text: String?) -> String? {
        guard let text, text.utf8.last == 0 else { return text }
        var octets = text.utf8[...]
        while octets.last == 0 { octets.removeLast() }
        return octets.isEmpty ? nil : String(Substring(octets))
    }

    /// The number of a month, also of one that is named; `nil` where the name is none.
    private static func month(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = octets.first, !isDigit(first) else { return octets }
        let names = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ]
        let name = String(decoding: octets, as: UTF8.self).lowercased()
        guard name.utf8.count >= 3, let index = names.firstIndex(where: { $0.hasPrefix(name) }) else {
            return nil
        }
        return Array("\(index + 1)".utf8)[...]
    }

    /// What begins with one digit, with another one before it.
    private static func padded(_ part: ArraySlice<UInt8>) -> [UInt8] {
        part.prefix(while: isDigit).count == 1 ? [0x30] + Array(part) : Array(part)
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
        guard let text, !text.isEmpty, !isUnknown(text) else { return nil }
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

    /// Degrees from north, 0 to 360; what is no direction says nothing of the others in its row.
    static func heading(_ number: Double?) -> Double? { number.flatMap { (0...360).contains($0) ? $0 : nil } }

    /// How sure a program is that counts in percent where others count to 1.
    ///
    /// - Parameter number: What it writes.
    /// - Returns: The share, from 0.1 to 1; `nil` when it does not count so. What is little more than 1, as of a slip or of
    ///   rounding, is no percentage: nobody writes down what is hardly sure.
    static func share(ofPercent number: Double) -> Double? {
        (10...100).contains(number) ? number / 100 : nil
    }

    /// Miles an hour in one metre a second, as FlockFinder's app counts.
    static let milesAnHour = 2.237
}

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion

extension ExplorerRequest {
    /// Parses a line.
    ///
    /// - Parameter line: What was typed.
    /// - Returns: What is asked for; `nil` for an empty line or a comment.
    /// - Throws: ``ShellSyntaxError`` that says what to type instead.
    package static func parse(_ line: String) throws(ShellSyntaxError) -> ExplorerRequest? {
        guard let start = line.first(where: { !$0.isWhitespace }), start != "#" else { return nil }
        var words = try ShellWord.words(of: line)
        let name = words.removeFirst().text
        guard let verb = ShellVerb.named(name) else {
            throw ShellSyntaxError("There is no command \(PrintableText.quoted(name)): type help to see all.")
        }
        var arguments = ShellArguments(verb: verb, words: words)
        let request = try verb.parse(&arguments)
        if let extra = arguments.words.first {
            throw ShellSyntaxError(
                "\(PrintableText.quoted(extra.text)) is one word too many: type \(verb.usage).")
        }
        return request
    }
}

extension AttributeReference {
    /// Makes a reference of a word.
    ///
    /// - Parameter word: A UUID, a handle that begins with 0x, or a name like battery-level.
    /// - Throws: ``ShellSyntaxError`` when it can be none of them.
    init(_ word: ShellWord) throws(ShellSyntaxError) {
        let text = word.text
        guard !word.isQuoted else {
            self = .name(text)
            return
        }
        if let reference = AttributeReference(text) {
            self = reference
            return
        }
        throw text.lowercased().hasPrefix("0x")
            ? ShellSyntaxError("\(PrintableText.quoted(text)) is not a handle: they are 0x0001 to 0xffff.")
            : ShellSyntaxError(
                "\(PrintableText.quoted(text)) is not a UUID, which has 4, 8 or 32 hex digits; a handle begins with 0x."
            )
    }
}

/// The words behind a verb, read one by one.
package struct ShellArguments {
    /// The longest value that an attribute can have.
    private static let longestValue = 512

    let verb: ShellVerb
    var words: [ShellWord]

    mutating func next() -> ShellWord? { words.isEmpty ? nil : words.removeFirst() }

    private mutating func needed() throws(ShellSyntaxError) -> ShellWord {
        guard let word = next() else { throw ShellSyntaxError("Something is missing: type \(verb.usage).") }
        return word
    }

    /// A handle in hex, with or without 0x, as gatttool takes it.
    mutating func handle() throws(ShellSyntaxError) -> UInt16 {
        let word = try needed().text
        let digits = word.lowercased().hasPrefix("0x") ? word.dropFirst(2) : word[...]
        guard let handle = UInt16(digits, radix: 16), handle > 0, digits.first != "+" else {
            throw ShellSyntaxError(
                "\(PrintableText.quoted(word)) is not a handle: they are 0x0001 to 0xffff, in hex.")
        }
        return handle
    }

    /// Two handles; without the second one to the last, without both all.
    mutating func range() throws(ShellSyntaxError) -> ClosedRange<UInt16> {
        let start = words.isEmpty ? 1 : try handle()
        let end = words.isEmpty ? 0xFFFF : try handle()
        guard start <= end else {
            throw ShellSyntaxError("The first handle is above the last: type them the other way round.")
        }
        return start...end
    }

    mutating func uuid() throws(ShellSyntaxError) -> BluetoothUUID {
        let word = try needed().text
        // gatttool takes 0x2a19, too.
        let isPrefixed = word.lowercased().hasPrefix("0x") && word.utf8.count <= 10
        guard let uuid = BluetoothUUID(isPrefixed ? String(word.dropFirst(2)) : word) else {
            throw ShellSyntaxError(
                "\(PrintableText.quoted(word)) is not a UUID: it has 4, 8 or 32 hex digits.")
        }
        return uuid
    }

    mutating func optionalUUID() throws(ShellSyntaxError) -> BluetoothUUID? {
        words.isEmpty ? nil : try uuid()
    }

    mutating func reference() throws(ShellSyntaxError) -> AttributeReference {
        try AttributeReference(try needed())
    }

    mutating func optionalReference() throws(ShellSyntaxError) -> AttributeReference? {
        words.isEmpty ? nil : try reference()
    }

    /// A handle as gatttool takes it.
    mutating func target() throws(ShellSyntaxError) -> AttributeReference {
        .handle(AttributeHandle(rawValue: try handle()))
    }

    /// The octets of a value: the rest of the line, in hex, or text in quotes.
    mutating func octets() throws(ShellSyntaxError) -> [UInt8] {
        let value = words
        words = []
        guard !value.isEmpty else { throw ShellSyntaxError("The value is missing: type \(verb.usage).") }
        let octets: [UInt8]
        if value.contains(where: \.isQuoted) {
            guard value.count == 1 else {
                throw ShellSyntaxError("A value is either hex or one text in quotes, not both.")
            }
            octets = Array(value[0].text.utf8)
        } else {
            octets = try Self.octets(value.map(\.text).joined(separator: " "))
        }
        guard octets.count <= Self.longestValue else {
            throw ShellSyntaxError(
                "A value has at most \(Self.longestValue) octets; this one has \(octets.count).")
        }
        return octets
    }

    private static func octets(_ text: String) throws(ShellSyntaxError) -> [UInt8] {
        let digits = text.lowercased().hasPrefix("0x") ? text.dropFirst(2) : text[...]
        if digits.allSatisfy(\.isHexDigit), !digits.count.isMultiple(of: 2) {
            throw ShellSyntaxError(
                "An octet has two hex digits, so a value has an even number of them: write 0f, not f.")
        }
        guard let octets = [UInt8](typed: text), !octets.isEmpty else {
            throw ShellSyntaxError(
                "\(FixedWidthText.fitted(text, columns: 40)) is not a value: write two hex digits for each octet, or text in quotes."
            )
        }
        return octets
    }

    mutating func address() throws(ShellSyntaxError) -> DeviceAddress? {
        guard let word = next()?.text else { return nil }
        let ending: String
        switch next()?.text.lowercased() {
        case nil: ending = ""
        case "public": ending = "/P"
        case "random": ending = "/R"
        case let kind?:
            throw ShellSyntaxError(
                "\(PrintableText.quoted(kind)) is not a kind of address: it is public or random.")
        }
        guard let address = DeviceAddress(word + ending) else {
            throw ShellSyntaxError(
                "\(PrintableText.quoted(word)) is not an address: write it as AA:BB:CC:DD:EE:FF.")
        }
        return address
    }

    mutating func seconds() throws(ShellSyntaxError) -> Duration {
        let word = try needed().text
        guard let seconds = Seconds(word) else {
            throw ShellSyntaxError(
                "\(PrintableText.quoted(word)) is not a number of seconds: write one like 5 or 0.5.")
        }
        return seconds.duration
    }

    /// A number of at least a smallest one.
    mutating func optionalNumber(_ range: ClosedRange<Int>, _ what: String) throws(ShellSyntaxError) -> Int? {
        guard let word = next()?.text else { return nil }
        guard let number = Int(word), range.contains(number) else {
            throw ShellSyntaxError(
                "\(PrintableText.quoted(word)) is not \(what): it is a number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }
}

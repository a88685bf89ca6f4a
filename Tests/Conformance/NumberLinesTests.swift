// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BLEAssignedNumbers

/// What a page fetches may be anything: a text is whole and in order, or it is refused.
@Suite("Text of assigned numbers")
struct NumberLinesTests {
    static let whole = NumberLines.withText { text in text.withUnsafeBufferPointer { Array($0) } }

    private static func error(in text: [UInt8]) -> AssignedNumbersError? {
        do throws(AssignedNumbersError) {
            try NumberLines.check(text)
            return nil
        } catch {
            return error
        }
    }

    private static func name(of digits: String, _ kind: NumberKind, in text: [UInt8]) -> String? {
        NumberLines.name(of: digits, kind, in: text.span)
    }

    private static func all(_ kind: NumberKind, in text: [UInt8]) -> [String] {
        NumberLines.all(kind, in: text.span).map { "\($0.number) \($0.name)" }
    }

    @Test("what the program has is in order")
    func builtIn() {
        #expect(Self.error(in: Self.whole) == nil)
        #expect(Self.whole.count < NumberLines.longestText / 2)
    }

    @Test("a short text is one, and one without lines, too")
    func short() {
        let text = Array("company 004c Apple\ntype 01 Flags = ~ é\n~\n".utf8)
        #expect(Self.error(in: text) == nil)
        #expect(Self.name(of: "004c", .company, in: text) == "Apple")
        #expect(Self.name(of: "01", .type, in: text) == "Flags = ~ é")
        #expect(Self.name(of: "004", .company, in: text) == nil)
        #expect(Self.name(of: "004c", .service, in: text) == nil)
        #expect(Self.all(.type, in: text) == ["01 Flags = ~ é"])
        #expect(Self.all(.unit, in: text) == [])
        #expect(Self.error(in: Array("~\n".utf8)) == nil)
    }

    @Test(
        "refuses what is something else",
        arguments: [
            ("", .cutOff), ("~", .cutOff), ("company 004c Apple\n", .cutOff),
            ("company 004c Apple\n\n~\n", .malformed(line: 2)),
            ("<!doctype html>\n<html>", .malformed(line: 1)),
            ("#companies\n004c Apple\n", .malformed(line: 1)),
            ("company 004c Apple\r\n~\r\n", .malformed(line: 1)),
            ("company 004c Ap\tple\n~\n", .malformed(line: 1)),
            ("company 004C Apple\n~\n", .malformed(line: 1)), ("company 4x Apple\n~\n", .malformed(line: 1)),
            ("company 004c \n~\n", .malformed(line: 1)), ("company 004c\n~\n", .malformed(line: 1)),
            ("company  Apple\n~\n", .malformed(line: 1)), ("company 004c  Apple\n~\n", .malformed(line: 1)),
            (" 004c Apple\n~\n", .malformed(line: 1)), ("companies 004c Apple\n~\n", .malformed(line: 1)),
            ("company 000000000000000000000000000000004c Apple\n~\n", .malformed(line: 1)),
            ("company 004c Apple\n~\n~\n", .malformed(line: 3)), ("~\n\n", .malformed(line: 2)),
            ("type 01 Flags\ncompany 004c Apple\n~\n", .outOfOrder(line: 2)),
            ("type 02 A\ntype 01 B\n~\n", .outOfOrder(line: 2)),
            ("type 01 A\ntype 01 B\n~\n", .outOfOrder(line: 2)),
        ] as [(String, AssignedNumbersError)])
    func refused(text: String, error: AssignedNumbersError) {
        #expect(Self.error(in: Array(text.utf8)) == error)
        #expect(!error.description.isEmpty)
    }

    @Test(
        "refuses what is no UTF-8",
        arguments: [[0xC3], [0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func noText(octets: [UInt8]) {
        #expect(Self.error(in: Array("company 004c Apple".utf8) + octets + Array("\n~\n".utf8)) == .notUTF8)
    }

    @Test("refuses what is too long")
    func tooLong() {
        let many = [UInt8](repeating: UInt8(ascii: "x"), count: NumberLines.longestText + 1)
        #expect(Self.error(in: many) == .tooLong)
        let line = Array("company 004c ".utf8) + many.prefix(NumberLines.longestLine - 13)
        #expect(Self.error(in: line + Array("\n~\n".utf8)) == nil)
        #expect(Self.error(in: line + Array("x\n~\n".utf8)) == .malformed(line: 1))
    }

    @Test("notices wherever a text was cut off")
    func cutOff() {
        // Between lines, within a line, within a character: the end is missing in all of them.
        let few = Array("company 004c Apple\nsymbol 272f °C\ntype 01 Flags\n~\n".utf8)
        for count in few.indices { #expect(Self.error(in: Array(few.prefix(count))) == .cutOff) }
        for missing in [1, 2, 3, 1000] { #expect(Self.error(in: Self.whole.dropLast(missing)) == .cutOff) }
    }

    @Test("what nobody has checked does no harm either")
    func anything() {
        var random = Seeded(state: 35)
        for _ in 0..<300 {
            var text = Array("company 004c Apple\nservice 180f Battery\ntype 01 Flags\n~\n".utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: text.indices, using: &random)
                if Bool.random(using: &random) {
                    text[place] = [0x0A, 0x20, 0x7E, 0xFF, 0x63].randomElement(using: &random) ?? 0
                } else {
                    text.removeSubrange(place...min(place + 3, text.count - 1))
                }
                if text.isEmpty { break }
            }
            for kind in NumberKind.allCases {
                for line in NumberLines.all(kind, in: text.span) {
                    _ = Self.name(of: line.number, kind, in: text)
                }
            }
        }
    }

    /// A text that was fetched holds layouts that no check has read.
    @Test("layouts that are none, and strange ones, do no harm", arguments: 0..<8)
    func strangeLayouts(seed: UInt64) {
        var random = Seeded(state: seed)
        let lines = NumberLines.withText { NumberLines.all(.format, in: $0) }.map { Array($0.name.utf8) }
        let pieces = [
            ",", ";", "~", " ", "{", "}", "|", "=", "-", ":", "/", "[]", "64", "0-63=A:b/c", "u64", "b64",
            "r8", "x9:18:62", "n", "?31",
        ]
        for line in lines {
            var line = line
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...line.count, using: &random)
                if Bool.random(using: &random) {
                    line.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
                } else {
                    line.removeSubrange(place..<min(place + 2, line.count))
                }
            }
            guard let format = StandardFormat(String(decoding: line, as: UTF8.self)) else { continue }
            for count in [0, 1, 7, 20] {
                _ = format.decode((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
                _ = format.decode([UInt8](repeating: 0xFF, count: count))
            }
        }
    }

    @Test(
        "a layout without a name or a form is none, or has none",
        arguments: ["u8 {0=a}", ", X", ",x1:0:0 X", "u8", ""])
    func nothing(layout: String) {
        let fields = StandardFormat(layout)?.decode([0]).fields ?? []
        #expect(fields.allSatisfy { $0.name.isEmpty })
    }

    @Test(
        "parts of all bits are words or numbers",
        arguments: [("b64 X{0-63=A:b/c}", "A: 18446744073709551615"), ("b8 X{0-7=A:b}", "A: 255")])
    func wideParts(layout: String, said: String) throws {
        let format = try #require(StandardFormat(layout))
        #expect(
            format.decode([UInt8](repeating: 0xFF, count: layout.hasPrefix("b64") ? 8 : 1)).fields.map(\.text)
                == [said])
    }

    /// The same numbers each time.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ (state >> 31)) &* 0x9E37_79B9_7F4A_7C15
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionText
import Foundation
import Synchronization
import Testing

@testable import CommandIO

@Suite struct TerminalTests {
    @Test(arguments: [
        ("Lampe dŽ 灯", "Lampe dŽ 灯"),
        ("Evil\u{1B}[2J", "Evil\\u{1b}[2J"),
        ("\u{7}\u{9B}31m\u{7F}", "\\u{7}\\u{9b}31m\\u{7f}"),
        ("a\nb\r\tc\u{0}", "a\\u{a}b\\u{d}\\u{9}c\\u{0}"),
        ("a\r\nb", "a\\u{d}\\u{a}b"),
        ("\u{202E}abc\u{2066}\u{2028}\u{200E}\u{FEFF}", "\\u{202e}abc\\u{2066}\\u{2028}\\u{200e}\\u{feff}"),
        ("👩‍🔧", "👩‍🔧"),
    ])
    func whatCouldSteerATerminalIsEscaped(text: String, escaped: String) {
        #expect(PrintableText.escaped(text) == escaped)
    }

    @Test(arguments: [
        (["TERM": "xterm"], true, true), (["TERM": "xterm", "NO_COLOR": "1"], true, false),
        (["TERM": "xterm", "NO_COLOR": ""], true, true), (["TERM": "dumb"], false, false),
        (["TERM": ""], false, false), ([:], false, false),
    ])
    func whatIsWantedOfATerminalIsHonoured(
        environment: [String: String], isInteractive: Bool, hasColor: Bool
    ) throws {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let terminal = Terminal(descriptor: descriptor, environment: environment)
        #expect(terminal.isInteractive == isInteractive && terminal.hasColor == hasColor)
        #expect(terminal.columns == 80 && terminal.rows == 24)
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("dŽ", 2), ("e\u{301}", 1), ("灯", 2), ("👩‍🔧", 2), ("❤️", 2), ("ﾊ", 1),
    ])
    func widthIsInColumns(text: String, columns: Int) {
        #expect(FixedWidthText.width(text) == columns)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abc", 0, ""), ("", 0, ""),
        ("灯灯灯", 5, "灯灯…"), ("灯灯灯", 4, "灯…"), ("灯", 1, "…"),
    ])
    func longTextIsCutToItsColumns(text: String, columns: Int, fitted: String) {
        #expect(FixedWidthText.fitted(text, columns: columns) == fitted)
        #expect(FixedWidthText.width(FixedWidthText.fitted(text, columns: columns)) <= columns)
    }

    @Test func paddingCountsColumns() {
        #expect(FixedWidthText.padded("灯", columns: 4) == "灯  ")
        #expect(FixedWidthText.padded("abcde", columns: 4) == "abcde")
    }

    @Test func coloursAreForTerminalsThatWantThem() {
        var terminal = Terminal(isInteractive: true, hasColor: true, columns: 80, rows: 24)
        #expect(terminal.styled("x", .red) == "\u{1B}[31mx\u{1B}[0m")
        #expect(terminal.styled("", .red) == "")
        terminal.hasColor = false
        #expect(terminal.styled("x", .red) == "x")
        #expect(Terminal.none.styled("x", .bold) == "x")
    }

    @Test func anOutputPassesOnWhatItsSinkSays() throws {
        let printed = Mutex<[UInt8]>([])
        let output = Output(terminal: .none) { octets throws(OutputError) in
            if octets.isEmpty { throw .readerGone }
            printed.withLock { $0 += octets }
        }
        try output.line("one")
        try output.write("two")
        #expect(printed.withLock { String(decoding: $0, as: UTF8.self) } == "one\ntwo")
        #expect(throws: OutputError.readerGone) { try output.write("") }
    }
}

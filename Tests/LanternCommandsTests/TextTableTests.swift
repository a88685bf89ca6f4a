// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionText
import Foundation
import Testing

@testable import CommandIO

@Suite struct TextTableTests {
    private func table() -> TextTable {
        var table = TextTable([
            .init("N", .right), .init("NAME", least: 4, most: 12), .init("NOTE", least: 0, isCutFirst: true),
        ])
        table.add([.init("7", .red), .init("雪の見張り番", .bold), .init("e\u{301}té")])
        table.add([.init("12"), .init("B"), .init("")], .dim)
        return table
    }

    @Test func columnsAreAsWideAsWhatIsShown() {
        #expect(
            Terminal.none.drawn(table()) == [
                " N  NAME          NOTE", " 7  雪の見張り番  e\u{301}té", "12  B",
            ])
    }

    @Test(arguments: [
        (40, ["雪の見張り番  ét", "NAME          NOTE"]), (16, ["雪の見張り番", "NAME"]), (10, ["雪の…", "NAME"]),
        (1, ["", ""]), (0, ["", ""]),
    ])
    func nothingIsWiderThanTheTerminal(columns: Int, parts: [String]) {
        let terminal = Terminal(isInteractive: true, hasColor: false, columns: columns, rows: 24)
        let lines = terminal.drawn(table())
        #expect(lines.allSatisfy { FixedWidthText.width($0) <= columns })
        #expect(
            parts[0].isEmpty
                || lines[1].decomposedStringWithCanonicalMapping.contains(
                    parts[0].decomposedStringWithCanonicalMapping)
        )
        #expect(parts[1].isEmpty || lines[0].contains(parts[1]))
    }

    @Test func aRowsOwnStyleGoesBeforeThoseOfItsCells() {
        let terminal = Terminal(isInteractive: true, hasColor: true, columns: 80, rows: 24)
        let lines = terminal.drawn(table())
        #expect(lines[1].hasPrefix("\u{1B}[31m 7\u{1B}[0m  \u{1B}[1m"))
        #expect(lines[2].hasPrefix("\u{1B}[2m12\u{1B}[0m  \u{1B}[2mB"))
    }

    @Test func whatCameOverTheAirIsEscaped() {
        var table = TextTable([.init("A")])
        table.add([.init("\u{1B}[2J")])
        #expect(Terminal.none.drawn(table)[1] == "\\u{1b}[2J")
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import CompanionText
import Foundation
import Testing

@testable import CommandIO
@testable import LanternCommands
@testable import OverflowAreaCommands

@Suite("What is said of arguments that cannot be meant")
struct ArgumentSentenceTests {
    /// The first line of what a person reads.
    private func sentence(_ arguments: [String]) throws -> String {
        let error = #expect(throws: (any Error).self) {
            _ = try LanternCommand.parseAsRoot(ArgumentWords.joined(arguments))
        }
        let text = ArgumentSentence.better(LanternCommand.fullMessage(for: try #require(error)))
        return String(text.prefix { $0 != "\n" })
    }

    @Test(arguments: [
        ("detections list --limit -1", "--limit must be 0 or more; 0 shows all."),
        ("detections list --limit abc", "--limit cannot be abc: write a whole number from 0 on, such as 10."),
        ("detections list --limit", "--limit needs a value: write a whole number from 0 on, such as 10."),
        ("detections list --limit=", "--limit cannot be empty: write a whole number from 0 on, such as 10."),
        (
            "detections list --limit 99999999999999999999",
            "--limit cannot be 99999999999999999999: that is too large."
        ),
        ("wifi provision C0:FF:EE:F1:1A:4B --password", PasswordOptions.refusal),
        ("wifi provision C0:FF:EE:F1:1A:4B --password secret", PasswordOptions.refusal),
        (
            "scan --duration nan",
            "--duration cannot be nan: write a number of seconds from 0 on, such as 10 or 0.5."
        ),
        (
            "scan --duration -1",
            "--duration cannot be -1: write a number of seconds from 0 on, such as 10 or 0.5."
        ),
        ("scan --phy 2m", "--phy cannot be 2m: write 1m, coded or 1m,coded."),
        ("scan --rssi 21", "--rssi must be from -127 to 20 dBm; -70 is a device in the same room."),
        (
            "nightlight simulate --week w --at 25:00",
            "--at cannot be 25:00: write a time from 00:00 to 23:59, such as 20:00 or 2026-11-21T20:00."
        ),
        (
            "nightlight simulate --week w --date tomorrow",
            "--date cannot be tomorrow: write a day of the calendar, such as 2026-11-21."
        ),
        (
            "nightlight color C0:FF:EE:F1:1A:4B all red --brightness 101",
            "--brightness must be from 0 to 100 percent for #ff0000: nothing shines brighter than 255."
        ),
        (
            "nightlight color C0:FF:EE:F1:1A:4B 5 red",
            "<led> cannot be 5: write the number of an LED, 1 to 4, or all."
        ),
        (
            "nightlight color C0:FF:EE:F1:1A:4B 1 red --for 99999999",
            "--for must be more than 0 and at most 3600 s."
        ),
        (
            "nightlight button set C0:FF:EE:F1:1A:4B --shake 1",
            "--shake cannot be 1: write one of 'on' and 'off'."
        ),
        ("overflow encode --payload 01020304 --position first", "--position cannot be first: write 0 or 1."),
        ("radio serve --port 0 --devices lamp", "--devices cannot be lamp: write one of these:"),
        (
            "gatt watch C0:FF:EE:F1:1A:4B 2a19 --output a --capture ./a",
            "--capture and --output name the same file: give each one of its own."
        ),
        (
            "bulb color C0:FF:EE:F1:B0:1B rot",
            "rot is not a colour: give RRGGBB, '#RRGGBB' in quotes, or a name such as orange."
        ),
        (
            "detections list --since tomorrow",
            "--since cannot be tomorrow. Write a local time as 2026-11-21 or 2026-11-21T18:30, one with its zone as "
                + "2026-11-21T18:30Z or 2026-11-21T18:30+01:00, or today, yesterday, or how long ago, as in 30m, 2h or 3d."
        ),
        (
            "gatt read C0:FF:EE:F1:0C:01 0x99999",
            "<uuid|0xhandle|name> cannot be 0x99999: write a UUID like 2a19, a handle like 0x001f, or a name."
        ),
        // What the parser thinks is near has often nothing in common with what was written.
        ("detections list --search hik", "Unknown option '--search'"),
        ("bulb white C0:FF:EE:F1:B0:1B --dim 50", "Unknown option '--dim'"),
        ("scan --duratoin 3", "Unknown option '--duratoin'. Did you mean '--duration'?"),
        (
            "flock watch C0:FF:EE:F1:0C:01",
            "Unexpected argument 'C0:FF:EE:F1:0C:01': a device is named with --address."
        ),
        (
            "detections export out.csv --format csv",
            "Unexpected argument 'out.csv': a file to write is named with --output."
        ),
        ("detections list out.csv", "Unexpected argument 'out.csv'"),
        (
            "detections export --output cameras",
            "Give the format with --format csv, json, geojson, gpx, kml or wigle, or with the ending of --output."
        ),
        (
            "nightlight simulate --week w --at 20:00 --date 2026-11-21",
            "Give --at or --date, not both; without either it is today."
        ),
        (
            "flock watch --address=",
            "An empty text is not an address: write one like F0:F1:F2:F3:F4:F5, or the name of a "
                + "device that `lantern scan` has shown recently; `lantern scan` shows both."
        ),
    ])
    func oneSentenceSaysWhatMayBeWritten(arguments: String, words: String) throws {
        #expect(try sentence(arguments.split(separator: " ").map(String.init)) == words)
    }

    @Test func aNameStandsForAServiceWhereABitIsAskedFor() throws {
        let command = try OverflowBitCommand.parse(["heart-rate"])
        #expect(command.uuids == [BluetoothUUID("180d")])
        #expect(try sentence(["overflow", "bit", "heart"]).hasSuffix("or a name such as heart-rate."))
    }

    @Test(arguments: [
        (["--near", "-33.8,151,9"], ["--near=-33.8,151,9"]), (["--near", "-.5,1,9"], ["--near=-.5,1,9"]),
        (["--count", "--json"], ["--count", "--json"]),
        (["-1", "--", "--near", "-1"], ["-1", "--", "--near", "-1"]),
        (["--name=", "x"], ["--name", "", "x"]), (["--name=a=", "-1"], ["--name=a=", "-1"]),
        (["--a", "-"], ["--a", "-"]),
    ])
    func negativeNumbersAndEmptyValuesBelongToTheirOptions(words: [String], joined: [String]) {
        #expect(ArgumentWords.joined(words) == joined)
    }

    @Test(arguments: [(0, 80), (3, 80), (200, 80)])
    func whatIsQuotedIsShortAlsoWhenItIsEscaped(letters: Int, limit: Int) {
        let text = String(repeating: "a", count: letters) + String(repeating: "\0", count: 100)
        let shown = PrintableText.escaped(PrintableText.quoted(text))
        #expect(shown.count <= limit && shown.count > limit - 5, "\(shown)")
        #expect(shown.hasSuffix("…"))
        #expect(PrintableText.quoted(String(repeating: "b", count: 80)) == String(repeating: "b", count: 80))
    }
}

@Suite struct LongLineTests {
    @Test func aLineThatIsTooLongCountsOnce() async throws {
        let file = try TemporaryFile("one\n" + String(repeating: "x", count: 100_000) + "\ntwo\r\n" + "end")
        let descriptor = open(file.path, O_RDONLY)
        defer { close(descriptor) }
        let lines = LineLog()
        await StandardInput(descriptor: descriptor).forEachLine { await lines.append($0) }
        let seen = await lines.lines
        #expect(seen.map { $0.prefix(4) } == ["one", "xxxx", "two", "end"])
    }

    private actor LineLog {
        var lines: [String] = []
        func append(_ line: String) { lines.append(line) }
    }
}

@Suite("Text that is broken between words")
struct WrappingTests {
    private func lines(_ text: StyledText, columns: Int, hasColor: Bool = false) -> [String] {
        Terminal(isInteractive: true, hasColor: hasColor, columns: columns, rows: 24).lines(text)
    }

    @Test func wordsStayWhole() {
        let text = StyledText(.plain("The lamp "), .warning("is dark"), .plain(", without power.")).indented(
            by: 4)
        #expect(lines(text, columns: 80) == ["The lamp is dark, without power."])
        #expect(lines(text, columns: 20) == ["The lamp is dark,", "    without power."])
        #expect(lines(text, columns: 12) == ["The lamp is", "    dark,", "    without", "    power."])
    }

    @Test func aColourTakesTheRoomOfItsPatch() throws {
        let text = StyledText(.plain("now: "), .color(try #require(RGBColor("#ff8800"))), .plain("; then"))
        #expect(lines(text, columns: 19).count == 1)
        #expect(lines(text, columns: 19, hasColor: true).count == 2)
    }

    @Test func aWordThatNoLineHoldsStaysWhereItIs() {
        let address = String(repeating: "7", count: 40)
        #expect(lines(StyledText("see \(address) there"), columns: 20) == ["see \(address)", "  there"])
    }

    @Test func aTableThatWouldBeCutBecomesBlocks() {
        var table = TextTable([.init("EVENT"), .init("WHEN"), .init("VALUES")], isBroken: true)
        table.add([.init("lamp"), .init("A lamp was read."), .init("address, name")])
        table.add([.init("end"), .init("It is over."), .init("")])
        let wide = Terminal(isInteractive: true, hasColor: false, columns: 40, rows: 24)
        #expect(wide.drawn(table).first == "EVENT  WHEN              VALUES")
        let narrow = Terminal(isInteractive: true, hasColor: false, columns: 24, rows: 24)
        #expect(
            narrow.drawn(table) == [
                "lamp", "  WHEN    A lamp was", "          read.", "  VALUES  address, name", "", "end",
                "  WHEN    It is over.",
            ])
    }
}

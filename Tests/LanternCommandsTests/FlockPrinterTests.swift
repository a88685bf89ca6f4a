// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import FlockFinder
import Testing

@testable import LanternCommands

@Suite("News for scripts and for people")
struct FlockPrinterTests {
    static func record(_ detection: Detection, id: Int64 = 7) -> DetectionRecord {
        DetectionRecord(id: id, sighting: Sighting(detection, received: .noon))
    }

    static func show(_ news: [FlockNews], isJSON: Bool, _ selection: FlockPrinter.Selection = .init())
        throws -> (output: [String], errors: [String])
    {
        let (output, errors) = (TextOutput(), TextOutput())
        try FlockPrinter(
            to: output.output(), errors: errors.output(), isJSON: isJSON, selection: selection
        ).show(news, at: .noon)
        return (output.lines, errors.lines)
    }

    @Test func linesOfJSONAreThoseOfTheContract() throws {
        let news: [FlockNews] = [
            .state(DeviceLink.Report(.scanning)),
            .state(DeviceLink.Report(.connected, peer: Peer(device))),
            .state(DeviceLink.Report(.disconnected, peer: Peer(device), reason: .lost(.supervisionTimeout))),
            .parseError(
                ParseFailure(received: .noon, reason: "the object is empty (octet 0)", raw: [0, 0xFF])),
            .stream(Array(#"{ "evt" : "status", "msg":"a\u001b" }"#.utf8)),
            .command("PING", nil),
        ]
        #expect(
            try Self.show(news, isJSON: true).output == [
                #"{"event":"state","state":"scanning","address":null,"reason":null}"#,
                #"{"event":"state","state":"connected","address":"C0:FF:EE:F1:0C:01","reason":null}"#,
                #"{"event":"state","state":"disconnected","address":"C0:FF:EE:F1:0C:01","#
                    + #""reason":"the link was lost: the other side fell silent"}"#,
                #"{"event":"parse_error","reason":"the object is empty (octet 0)","raw":"00ff"}"#,
                #"{"event":"stream","object":{"evt":"status","msg":"a\u001b"}}"#,
            ])
    }

    @Test func aDetectionIsALineOfJSON() throws {
        let detection = Detection(
            type: .raven, label: "Raven", rssi: -51, confidence: 0.85,
            extra: [Detection.ExtraKey(key: "ch", json: Array("[1, 2]".utf8))])
        let rest =
            #""type":"raven","label":"Raven","mac":null,"ssid":null,"rssi":-51,"confidence":0.85,"#
            + #""proximity":"close","device_time":null,"device_uptime_ms":null,"#
            + #""received":"2026-11-21T12:00:00.000Z","latitude":null,"longitude":null,"extra":{"ch":[1,2]}}"#
        let news = [FlockNews.detection(Self.record(detection))]
        #expect(try Self.show(news, isJSON: true).output == [#"{"event":"detection","id":7,"# + rest])
        let unkept = FlockPrinter.Selection(hasNumbers: false)
        #expect(
            try Self.show(news, isJSON: true, unkept).output == [#"{"event":"detection","id":null,"# + rest])
    }

    @Test func adviceGoesToStandardErrorWhileNewsIsForScripts() throws {
        let shown = try Self.show([.advice(.bluetoothOff)], isJSON: true)
        #expect(shown.output.isEmpty)
        #expect(shown.errors == ["lantern: \(FlockFinderAdvice.bluetoothOff)"])
        let read = try Self.show([.advice(.bluetoothOff)], isJSON: false)
        #expect(read.errors.isEmpty)
        #expect(read.output.count == 1 && read.output[0].hasSuffix("\(FlockFinderAdvice.bluetoothOff)"))
    }

    @Test func whatIsNotWantedIsNotShown() throws {
        let news: [FlockNews] = [
            .state(DeviceLink.Report(.scanning)),
            .advice(.characteristicsMissing([FlockFinderUUID.stream])),
        ]
        let selection = FlockPrinter.Selection(hasStates: false, hasMissingCharacteristics: false)
        for isJSON in [true, false] {
            let shown = try Self.show(news, isJSON: isJSON, selection)
            #expect(shown.output.isEmpty && shown.errors.isEmpty)
        }
    }

    @Test func everyNewsIsOneReadableLine() throws {
        let news: [FlockNews] =
            DeviceLink.State.allCases.map { .state(DeviceLink.Report($0, peer: Peer(device))) } + [
                .detection(Self.record(.numbered(1))),
                .parseError(ParseFailure(received: .noon, reason: "bad", raw: Array("a\nb".utf8))),
                .stream(Array("{}".utf8)), .command("PING", nil), .command("PING", .timeout),
                .advice(.unauthorized),
            ]
        #expect(try Self.show(news, isJSON: false).output.count == news.count)
        #expect(try Self.show([.advice(.noLink(retryMilliseconds: 1000))], isJSON: false).output.isEmpty)
    }

    @Test func aDetectionReadsAsALine() throws {
        let line = FlockText(terminal: .none).line(.detection(Self.record(.numbered(1))), at: .noon)
        let words = try #require(line?.dropFirst(8))
        #expect(
            words == "  ● Flock Safety      close       -60 dBm   90 %  58:8E:81:00:00:01  n1")
    }

    @Test func aNarrowTerminalKeepsTheNameRatherThanTheAddress() throws {
        let narrow = FlockText(terminal: .plain(columns: 80))
        let line = try #require(narrow.line(.detection(Self.record(.numbered(1))), at: .noon))
        #expect(line.hasSuffix("  n1") && !line.contains("58:8E"))
        var nameless = Detection.numbered(1)
        nameless.ssid = nil
        #expect(
            narrow.line(.detection(Self.record(nameless)), at: .noon)?.hasSuffix("58:8E:81:00:00:01") == true)
    }

    @Test func hostileTextNeitherSteersTheTerminalNorOutgrowsIt() throws {
        var detection = Detection.numbered(1)
        detection.label = WireText("Evil\u{1B}[2J" + String(repeating: "x", count: 500))
        detection.ssid = WireText(
            "\u{1B}]0;owned\u{7}\u{9B}31m\n\u{202E}" + String(repeating: "灯", count: 500))
        let hostile = "\u{1B}[31m\r" + String(repeating: "y", count: 500)
        let news: [FlockNews] = [
            .detection(Self.record(detection)),
            .parseError(ParseFailure(received: .noon, reason: "bad", raw: Array(hostile.utf8))),
            .stream(Array(("{\"a\":\"" + String(repeating: "z", count: 500) + "\"}").utf8)),
            .command(WireText(hostile), nil),
        ]
        for columns in [75, 80, 90, 120] {
            let text = FlockText(terminal: .plain(columns: columns))
            for item in news {
                let line = try #require(text.line(item, at: .noon))
                #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
                #expect(!line.contains("\u{202E}"))
                #expect(TerminalText.width(line) <= columns, "\(line)")
            }
        }
    }

    @Test func coloursAreThereOnlyWhenWanted() throws {
        let news = FlockNews.detection(Self.record(.numbered(1)))
        let colored = Terminal(isInteractive: true, hasColor: true, columns: 100, rows: 24)
        let line = try #require(FlockText(terminal: colored).line(news, at: .noon))
        #expect(line.contains("\u{1B}[31m"))
        let plain = try #require(FlockText(terminal: .plain(columns: 100)).line(news, at: .noon))
        #expect(!plain.contains("\u{1B}"))
    }
}

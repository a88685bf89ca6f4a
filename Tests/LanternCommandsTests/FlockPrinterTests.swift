// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import Detections
import FlockFinder
import FlockFinderCompanion
import Testing

@testable import CommandIO
@testable import FlockFinderCommands

@Suite("Reports for scripts and for people")
struct FlockPrinterTests {
    static func record(_ detection: Detection, id: Int64 = 7) -> DetectionRecord {
        DetectionRecord(id: id, sighting: Sighting(detection, received: .noon))
    }

    static func show(_ reports: [FlockReport], isJSON: Bool, _ selection: FlockPrinter.Selection = .init())
        throws -> (output: [String], errors: [String])
    {
        let (output, errors) = (TextOutput(), TextOutput())
        try FlockPrinter(
            to: output.output(), errors: errors.output(), isJSON: isJSON, selection: selection,
            radio: "tcp:hall:9000"
        ).show(reports)
        return (output.lines, errors.lines)
    }

    static func line(_ report: FlockReport, on terminal: Terminal) -> String? {
        let output = TextOutput().output()
        return FlockPrinter(to: output, errors: output, isJSON: false, radio: "sim").line(
            report, on: terminal)
    }

    @Test func whatIsKnownOfOurPlace() throws {
        let fix = Fix(time: 0, latitude: 52.52, longitude: 13.40512345678, accuracy: 3.2, source: .receiver)
        let changes = [
            LocationChanged(
                .found, satellites: 8, fix: fix, motion: Sighting.Motion(speed: 9, activity: "driving")),
            LocationChanged(.found, satellites: 1, fix: fix),
            LocationChanged(.searching, satellites: 3),
            LocationChanged(.searching, reason: "the receiver tells no place yet"),
            LocationChanged(.searching, satellites: 6, reason: "the receiver tells no place yet"),
            LocationChanged(.noReceiver),
            LocationChanged(.unreachable, reason: "it cannot be connected to"),
            LocationChanged(.refused, fix: fix, reason: "is too old"),
            LocationChanged(.ended),
        ]
        let (people, scripts) = (TextOutput(), TextOutput())
        for (output, isJSON) in [(people, false), (scripts, true)] {
            let printer = FlockPrinter(
                to: output.output(), errors: TextOutput().output(), isJSON: isJSON, radio: "sim")
            for change in changes { try printer.show(change, at: .noon) }
        }
        let sentences = [
            "place 52.52,13.405123, to 4 m, 8 satellites, driving",
            "place 52.52,13.405123, to 4 m, 1 satellite",
            "the receiver looks for satellites and uses 3", "the receiver tells no place yet",
            "the receiver tells no place yet, 6 satellites",
            "gpsd has no receiver yet: connect one, or start gpsd with its device",
            "no place from gpsd: it cannot be connected to; it is being tried again",
            "a fix is not used: it is too old",
            "the track has ended; from now on there is no place",
        ]
        #expect(people.lines.count == sentences.count)
        for (line, sentence) in zip(people.lines, sentences) { #expect(line.hasSuffix(sentence)) }
        #expect(scripts.lines == changes.map { String(decoding: $0.json(at: .noon), as: UTF8.self) })
    }

    @Test func linesOfJSONAreThoseOfTheContract() throws {
        let reports: [FlockReport] = [
            .state(DeviceLink.Report(.scanning)),
            .state(DeviceLink.Report(.connected, peer: Peer(device))),
            .state(DeviceLink.Report(.disconnected, peer: Peer(device), reason: .lost(.supervisionTimeout))),
            .parseError(
                ParseFailure(received: .noon, reason: "the object is empty (octet 0)", raw: [0, 0xFF])),
            .stream(#"{ "evt" : "status", "msg":"a\u001b" }"#),
            .command("PING", nil),
        ]
        let time = #""time":"2026-11-21T12:00:00.000Z""#
        let device = #""address":"C0:FF:EE:F1:0C:01","address_kind":"random""#
        #expect(
            try Self.show(reports, isJSON: true).output == [
                #"{"event":"link_state",\#(time),"state":"scanning","address":null,"address_kind":null,"#
                    + #""reason":null,"retry_ms":null}"#,
                #"{"event":"link_state",\#(time),"state":"connected",\#(device),"reason":null,"retry_ms":null}"#,
                #"{"event":"link_state",\#(time),"state":"disconnected",\#(device),"#
                    + #""reason":"the link was lost: the other side fell silent","retry_ms":null}"#,
                #"{"event":"flock_parse_error",\#(time),\#(device),"reason":"the object is empty (octet 0)","#
                    + #""octets":"00ff"}"#,
                #"{"event":"flock_stream",\#(time),\#(device),"object":{"evt":"status","msg":"a\u001b"}}"#,
                #"{"event":"flock_command",\#(time),\#(device),"command":"PING","reason":null}"#,
            ])
    }

    @Test func aDetectionIsALineOfJSON() throws {
        let detection = Detection(
            type: .raven, label: "Raven", rssi: -51, confidence: 0.85,
            extra: [Detection.ExtraKey(key: "ch", json: Array("[1, 2]".utf8))])
        let rest =
            #""type":"raven","label":"Raven","mac":null,"ssid":null,"rssi":-51,"confidence":0.85,"#
            + #""proximity":"close","device_time":null,"device_uptime_ms":null,"#
            + #""received":"2026-11-21T12:00:00.000Z","latitude":null,"longitude":null,"speed":null,"#
            + #""heading":null,"activity":null,"fix":null,"address":null,"address_kind":null,"extra":{"ch":[1,2]},"octets":"","#
            + #""source":null,"new":null,"mine":false,"muted":false,"false_alarm":false,"alert":false,"known_nearby":null}"#
        let reports = [FlockReport.detection(Self.record(detection))]
        let head = #"{"event":"detection","time":"2026-11-21T12:00:00.000Z","id":"#
        #expect(try Self.show(reports, isJSON: true).output == [head + "7," + rest])
        let unkept = DetectionEvent(unstored: Self.record(detection).sighting)
        #expect(
            try Self.show([FlockReport(.detection(unkept))], isJSON: true).output == [head + "null," + rest])
    }

    @Test func adviceGoesToStandardErrorWhileNewsIsForScripts() throws {
        let shown = try Self.show([.notice(.unauthorized)], isJSON: true)
        #expect(shown.output.count == 1 && shown.output[0].hasPrefix(#"{"event":"flock_notice","time":"#))
        #expect(shown.errors == ["lantern: \(FlockFinderAdvice.unauthorized)"])
        let read = try Self.show([.notice(.unauthorized)], isJSON: false)
        #expect(read.errors.isEmpty)
        #expect(read.output.count == 1 && read.output[0].hasSuffix("\(FlockFinderAdvice.unauthorized)"))
    }

    @Test func aRadioThatIsAProgramHasEndedAndIsNotSwitchedOff() throws {
        let lost = [FlockReport.state(DeviceLink.Report(.bluetoothOff)), .notice(.bluetoothOff)]
        let shown = try Self.show(lost, isJSON: false)
        #expect(
            shown.output.map { $0.dropFirst(8) } == [
                "  ▲ the radio tcp:hall:9000 has ended",
                "  ▲ Start the radio or connect it again; the search goes on by itself.",
            ])
        #expect(
            try Self.show(lost, isJSON: true).errors == [
                "lantern: Start the radio or connect it again; the search goes on by itself."
            ])
    }

    @Test func whatIsNotWantedIsNotShown() throws {
        let reports: [FlockReport] = [
            .state(DeviceLink.Report(.scanning)),
            .notice(.characteristicsMissing([FlockFinderUUID.stream])),
        ]
        let selection = FlockPrinter.Selection(hasStates: false, hasMissingCharacteristics: false)
        for isJSON in [true, false] {
            let shown = try Self.show(reports, isJSON: isJSON, selection)
            #expect(shown.output.isEmpty && shown.errors.isEmpty)
        }
    }

    @Test func everyNewsIsOneReadableLine() throws {
        let reports: [FlockReport] =
            DeviceLink.State.allCases.map { .state(DeviceLink.Report($0, peer: Peer(device))) } + [
                .detection(Self.record(.numbered(1))),
                .parseError(ParseFailure(received: .noon, reason: "bad", raw: Array("a\nb".utf8))),
                .stream("{}"), .command("PING", nil), .command("PING", .timeout),
                .notice(.unauthorized),
            ]
        #expect(try Self.show(reports, isJSON: false).output.count == reports.count)
        #expect(try Self.show([.notice(.noLink(retryMilliseconds: 1000))], isJSON: false).output.isEmpty)
    }

    @Test func aDetectionReadsAsALine() throws {
        let line = Self.line(.detection(Self.record(.numbered(1))), on: .none)
        let words = try #require(line?.dropFirst(8))
        #expect(
            words == "  ● Flock Safety      close        -60 dBm   90%  58:8E:81:00:00:01  n1")
    }

    @Test(arguments: [
        (90, "  ● Flock Safety      close        -60 dBm   90%  58:8E:81:00:00:01  n1"),
        (80, "  ● Flock Safety      close        90%  58:8E:81:00:00:01  n1"),
        (60, "  ● Flock Safety      close       58:8E:81:00:00:01"),
    ])
    func aNarrowTerminalKeepsWhatFindsTheCameraAgain(columns: Int, words: String) throws {
        let line = Self.line(.detection(Self.record(.numbered(1))), on: .plain(columns: columns))
        #expect(line?.dropFirst(8) == words[...])
    }

    @Test func withoutAnAddressANarrowTerminalHasTheName() {
        var hidden = Detection.numbered(1)
        hidden.mac = nil
        let line = Self.line(.detection(Self.record(hidden)), on: .plain(columns: 40))
        #expect(line?.dropFirst(5) == "  ● Flock Safety  n1")
    }

    @Test func aNarrowTerminalBreaksTheStateOfTheLinkAndLosesNoAddress() throws {
        let report = FlockReport.state(DeviceLink.Report(.connecting, peer: Peer(device)))
        let line = try #require(Self.line(report, on: .plain(columns: 40)))
        #expect(line.dropFirst(8) == "  ○ connecting to\n            C0:FF:EE:F1:0C:01 …")
    }

    @Test func hostileTextNeitherSteersTheTerminalNorOutgrowsIt() throws {
        var detection = Detection.numbered(1)
        detection.label = WireText("Evil\u{1B}[2J" + String(repeating: "x", count: 500))
        detection.ssid = WireText(
            "\u{1B}]0;owned\u{7}\u{9B}31m\n\u{202E}" + String(repeating: "灯", count: 500))
        let hostile = "\u{1B}[31m\r" + String(repeating: "y", count: 500)
        let reports: [FlockReport] = [
            .detection(Self.record(detection)),
            .parseError(ParseFailure(received: .noon, reason: "bad", raw: Array(hostile.utf8))),
            .stream("{\"a\":\"" + String(repeating: "z", count: 500) + "\"}"),
            .command(WireText(hostile), nil),
        ]
        for columns in [40, 60, 75, 80, 90, 120] {
            for item in reports {
                let line = try #require(Self.line(item, on: .plain(columns: columns)))
                #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
                #expect(!line.contains("\u{202E}"))
                #expect(FixedWidthText.width(line) <= columns, "\(line)")
            }
        }
    }

    @Test func coloursAreThereOnlyWhenWanted() throws {
        let reports = FlockReport.detection(Self.record(.numbered(1)))
        let colored = Terminal(isInteractive: true, hasColor: true, columns: 100, rows: 24)
        let line = try #require(Self.line(reports, on: colored))
        #expect(line.contains("\u{1B}[31m"))
        let plain = try #require(Self.line(reports, on: .plain(columns: 100)))
        #expect(!plain.contains("\u{1B}"))
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder
import Testing

@Suite struct DetectionEncodingTests {
    private static func text(_ detection: Detection) -> String { WireText(detection.encoded()).string }

    @Test func writesWhatRealFirmwareWrites() {
        let detection = Detection(
            type: .raven, label: "Raven (Gunshot Detector)", mac: 0x588E_81AA_BB0C, ssid: "", rssi: -127,
            confidence: 0.85, ts: 4821)
        #expect(
            Self.text(detection)
                == #"{"type":"Raven (Gunshot Detector)","mac":"58:8e:81:aa:bb:0c","ssid":"","rssi":-127,"#
                + #""confidence":0.85,"ts":4821}"#)
    }

    @Test func leavesOutWhatIsMissingAndAddsWhatIsExtra() {
        let detection = Detection(
            type: .unknown, label: "x", rssi: 0, confidence: 1,
            extra: [.init(key: "k\"", json: Array("[1,2]".utf8))])
        #expect(Self.text(detection) == #"{"type":"x","rssi":0,"confidence":1,"k\"":[1,2]}"#)
    }

    @Test func escapesHostileText() {
        let detection = Detection(
            type: .unknown, label: WireText("a\"b\\c/\u{8}\t\n\u{c}\r\u{0}\u{1f}\u{7f}é😀"),
            ssid: WireText([0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80]), rssi: -1, confidence: 0)
        #expect(
            Self.text(detection)
                == #"{"type":"a\"b\\c/\b\t\n\f\r\u0000\u001f\u007f"# + "é😀"
                + #"","ssid":"a\#u{FFFD}\#u{FFFD}(\#u{FFFD}\#u{FFFD}\#u{FFFD}","rssi":-1,"confidence":0}"#)
    }

    @Test(
        "Confidence is written short",
        arguments: [
            (0, "0"), (1, "1"), (0.5, "0.5"), (0.05, "0.05"), (0.9, "0.9"), (0.98, "0.98"),
            (0.123456, "0.123456"),
            (0.999999999999999, "0.999999999999999"), (1e-15, "0.000000000000001"), (1e-30, "0"), (-1, "0"),
            (7, "1"), (0.1 + 0.2, "0.3"), (.nan, "0"), (Double(1).nextDown, "1"),
        ])
    func confidence(value: Double, text: String) {
        let detection = Detection(type: .ring, label: "Ring", rssi: -1, confidence: value)
        #expect(Self.text(detection) == #"{"type":"Ring","rssi":-1,"confidence":\#(text)}"#)
    }

    @Test func whatIsWrittenIsReadBack() throws {
        for step in 0...1_000 {
            let detection = Detection(
                type: .wyze, label: "Wyze", mac: UInt64(step) << 30, ssid: WireText("n\u{1}\(step)\"📷"),
                rssi: step % 148 - 127, confidence: Double(step) / 1_000,
                ts: Int64(step))
            var decoded = try Detection(decoding: detection.encoded())
            decoded.raw = []
            #expect(decoded == detection)
        }
    }
}

@Suite struct DetectionTypeTests {
    @Test func everyKindIsFoundByItsLabelAndItsKeyword() {
        for type in DetectionType.allCases {
            #expect(DetectionType(label: WireText(type.labelString)) == type)
            #expect(DetectionType(label: WireText(type.labelString.uppercased())) == type)
            #expect(DetectionType(keyword: type.keywordString) == type)
            #expect(!type.iconString.isEmpty && !type.colorString.isEmpty)
            #expect(type.explanationString.hasSuffix("."))
        }
        #expect(DetectionType(label: "raven") == .raven)
        #expect(DetectionType(keyword: "Flock Safety") == nil)
    }

    @Test func keywordsAreThoseThatScriptsRelyOn() {
        #expect(
            DetectionType.allCases.map(\.keywordString) == [
                "flock_safety", "verkada", "lorex", "reolink", "axis", "hikvision", "dahua", "ring", "nest",
                "arlo", "wyze", "eufy", "penguin", "pigvision", "raven", "unknown",
            ])
    }

    @Test(
        "Labels that nobody knows are unknown",
        arguments: ["", "Acme", "Flock", "Flock Safety ", "Ravens", "\u{130}ring"])
    func unknown(label: String) {
        #expect(DetectionType(label: WireText(label)) == .unknown)
    }

    @Test(
        "Distance words at their borders",
        arguments: [
            (20, "very_close"), (-50, "very_close"), (-51, "close"), (-70, "close"), (-71, "medium"),
            (-85, "medium"), (-86, "far"), (-127, "far"),
        ])
    func proximity(rssi: Int, keyword: String) {
        #expect(Detection.Proximity(rssi: rssi).keywordString == keyword)
    }
}

@Suite struct DetectionScriptTests {
    private static func failure(_ text: String) -> DetectionScript.Failure? {
        do throws(DetectionScript.Failure) {
            _ = try DetectionScript(jsonLines: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func readsLinesAndTakesTheWaitOut() throws {
        let script = try DetectionScript(
            jsonLines: Array(
                """
                {"type":"Ring","rssi":-1,"confidence":0.90,"after_ms":250}

                {"after_ms":0, "b" : [1, 2] , "ssid":"after_ms \\u00e9"}\r
                { "type" : "bad", "rssi": 99, "nested": {"after_ms": 7} }
                {}
                """.utf8))
        #expect(
            script.lines == [
                .init(
                    afterMilliseconds: 250,
                    octets: Array(#"{"type":"Ring","rssi":-1,"confidence":0.90}"#.utf8)
                ),
                .init(afterMilliseconds: 0, octets: Array(#"{"b":[1, 2],"ssid":"after_ms \u00e9"}"#.utf8)),
                .init(
                    afterMilliseconds: 0,
                    octets: Array(#"{"type":"bad","rssi":99,"nested":{"after_ms": 7}}"#.utf8)),
                .init(afterMilliseconds: 0, octets: Array("{}".utf8)),
            ])
    }

    @Test(
        "A line that cannot be played is named",
        arguments: [
            ("{}\n{\"type\":\"Ring\"\n{}", 2, DetectionError.Reason.endsEarly),
            ("\n\nx", 3, .notJSON), ("[1]", 1, .notAnObject), ("{} {}", 1, .trailing),
            (#"{"after_ms":-1}"#, 1, .badWait), (#"{"after_ms":1.5}"#, 1, .badWait),
            (#"{"after_ms":"1"}"#, 1, .badWait), (#"{"after_ms":1e30}"#, 1, .badWait),
        ])
    func failures(text: String, line: Int, reason: DetectionError.Reason) {
        let failure = Self.failure(text)
        #expect(failure?.line == line)
        #expect(failure?.error.reason == reason)
        #expect(failure?.description.hasPrefix("line \(line): ") == true)
    }

    @Test func anEmptyScriptHasNoLines() throws {
        #expect(try DetectionScript(jsonLines: []).lines.isEmpty)
        #expect(try DetectionScript(jsonLines: Array("\n \r\n".utf8)).lines.isEmpty)
    }
}

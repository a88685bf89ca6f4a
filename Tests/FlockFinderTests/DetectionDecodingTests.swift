// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing
import WireJSON

@testable import FlockFinder

@Suite struct DetectionDecodingTests {
    static let receivedAt: Int64 = 1_704_307_300_000

    static func decode(_ text: String) throws(DetectionError) -> Detection {
        try Detection(decoding: Array(text.utf8))
    }

    static func reason(_ octets: [UInt8]) -> DetectionError.Reason? {
        do throws(DetectionError) {
            _ = try Detection(decoding: octets)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func decodesTheDocumentsFirstSample() throws {
        let text = """
            {
              "type": "Flock Safety",
              "mac": "3C:71:BF:12:34:56",
              "ssid": "FLOCK-S3-1234",
              "rssi": -62,
              "confidence": 0.98,
              "ts": 1704307200
            }
            """
        let detection = try Self.decode(text)
        #expect(
            detection
                == Detection(
                    type: .flockSafety, label: "Flock Safety", mac: 0x3C71_BF12_3456, ssid: "FLOCK-S3-1234",
                    rssi: -62, confidence: 0.98, ts: 1_704_307_200,
                    raw: Array(text.utf8)))
        #expect(detection.macString == "3C:71:BF:12:34:56")
    }

    @Test func decodesTheDocumentsSampleWithoutSSID() throws {
        let detection = try Self.decode(
            #"{"type":"Unknown","mac":"00:11:22:33:44:55","rssi":-78,"confidence":0.45,"ts":1704307200}"#)
        #expect(detection.type == .unknown)
        #expect(detection.mac == 0x0011_2233_4455)
        #expect(detection.ssid == nil)
        #expect(detection.confidence == 0.45)
    }

    @Test(
        "Real firmware's payloads",
        arguments: [
            (
                #"{"type":"Raven (Gunshot Detector)","mac":"b4:1e:52:0a:0b:0c","ssid":"","rssi":-127,"confidence":0.85,"ts":123456789}"#,
                DetectionType.raven, ""
            ),
            (
                #"{"type":"Penguin","mac":"cc:09:24:aa:bb:cc","ssid":"Penguin-3301","rssi":20,"confidence":0.9,"ts":0}"#,
                .penguin, "Penguin-3301"
            ),
            (
                #"{"type":"Pigvision","mac":"cc:09:24:aa:bb:cc","ssid":"unknown","rssi":0,"confidence":0.9,"ts":9}"#,
                .pigvision, "unknown"
            ),
        ])
    func firmware(text: String, type: DetectionType, ssid: String) throws {
        let detection = try Self.decode(text)
        #expect(detection.type == type)
        #expect(detection.ssid?.string == ssid)
        guard case .uptime? = detection.deviceTime(receivedAt: Self.receivedAt) else {
            Issue.record("the firmware sends milliseconds since boot")
            return
        }
    }

    @Test(
        "The time is Unix time from 2020 to a day after it was received",
        arguments: [
            (Int64(1_577_836_799), Detection.DeviceTime.uptime(milliseconds: 1_577_836_799)),
            (1_577_836_800, .unix(seconds: 1_577_836_800)),
            (1_704_393_700, .unix(seconds: 1_704_393_700)),
            (1_704_393_701, .uptime(milliseconds: 1_704_393_701)),
            (Int64.max, .uptime(milliseconds: .max)),
        ])
    func deviceTime(ts: Int64, expected: Detection.DeviceTime) {
        #expect(Detection.DeviceTime(ts: ts, receivedAt: Self.receivedAt) == expected)
    }

    @Test func keepsUnknownKeysAsTheyWereWritten() throws {
        let detection = try Self.decode(
            #"{"a":[1, {"b":"}"}],"type":"Ring","x":1.50,"rssi":-1,"é":null,"confidence":1,"x":"last"}"#)
        #expect(
            detection.extra == [
                .init(key: "a", json: Array(#"[1, {"b":"}"}]"#.utf8)),
                .init(key: "é", json: Array("null".utf8)),
                .init(key: "x", json: Array(#""last""#.utf8)),
            ])
    }

    @Test func lastOfTwoEqualKeysCounts() throws {
        let detection = try Self.decode(
            #"{"rssi":"bad","type":7,"type":"Nest","rssi":-5,"confidence":0,"confidence":0.5,"t\u0073":1}"#)
        #expect(detection.type == .nest)
        #expect(detection.rssi == -5)
        #expect(detection.confidence == 0.5)
        #expect(detection.ts == 1)
    }

    @Test func readsEscapesInText() throws {
        let detection = try Self.decode(
            #"{"type":"\u0052ing","ssid":"\"\\\/\b\f\n\r\t\u0000\u00e9\u20AC\uD83D\uDE00é😀","rssi":-1,"confidence":1}"#
        )
        #expect(detection.type == .ring)
        #expect(detection.ssid?.string == "\"\\/\u{8}\u{c}\n\r\t\u{0}é€😀é😀")
    }

    @Test func nullCountsAsMissing() throws {
        let detection = try Self.decode(
            #"{"type":"x","mac":null,"ssid":null,"ts":null,"rssi":-1,"confidence":1}"#)
        #expect(detection.mac == nil)
        #expect(detection.ssid == nil)
        #expect(detection.ts == nil)
        #expect(detection.label == "x")
    }

    @Test func blanksAroundTheObjectAreNotKept() throws {
        let detection = try Self.decode(" \t\r\n{\"type\":\"x\",\"rssi\":-1,\"confidence\":1}\n ")
        #expect(detection.raw == Array(#"{"type":"x","rssi":-1,"confidence":1}"#.utf8))
    }

    @Test(
        "A bad value is refused with its reason",
        arguments: [
            (#"{"rssi":-1,"confidence":1}"#, DetectionError.Reason.missingType),
            (#"{"type":"x","confidence":1}"#, .missingRSSI),
            (#"{"type":"x","rssi":-1}"#, .missingConfidence),
            (#"{"type":null,"rssi":-1,"confidence":1}"#, .badType),
            (#"{"type":"x","rssi":-128,"confidence":1}"#, .badRSSI),
            (#"{"type":"x","rssi":21,"confidence":1}"#, .badRSSI),
            (#"{"type":"x","rssi":-62.5,"confidence":1}"#, .badRSSI),
            (#"{"type":"x","rssi":"-62","confidence":1}"#, .badRSSI),
            (#"{"type":"x","rssi":-99999999999999999999999,"confidence":1}"#, .badRSSI),
            (#"{"type":"x","rssi":-1,"confidence":1.0000000000000001}"#, .badConfidence),
            (#"{"type":"x","rssi":-1,"confidence":-0.1}"#, .badConfidence),
            (#"{"type":"x","rssi":-1,"confidence":1e400}"#, .badConfidence),
            (#"{"type":"x","rssi":-1,"confidence":true}"#, .badConfidence),
            (#"{"type":"x","rssi":-1,"confidence":1,"mac":""}"#, .badMAC),
            (#"{"type":"x","rssi":-1,"confidence":1,"mac":"AA:BB:CC:DD:EE"}"#, .badMAC),
            (#"{"type":"x","rssi":-1,"confidence":1,"mac":"AA:BB:CC:DD:EE:FG"}"#, .badMAC),
            (#"{"type":"x","rssi":-1,"confidence":1,"mac":"AA-BB-CC-DD-EE-FF"}"#, .badMAC),
            (#"{"type":"x","rssi":-1,"confidence":1,"mac":1}"#, .badMAC),
            (#"{"type":"x","rssi":-1,"confidence":1,"ssid":1}"#, .badSSID),
            (#"{"type":"x","rssi":-1,"confidence":1,"ts":-1}"#, .badTime),
            (#"{"type":"x","rssi":-1,"confidence":1,"ts":"now"}"#, .badTime),
            (#"{"type":"x","rssi":-1,"confidence":1,"ts":1e30}"#, .badTime),
        ])
    func badValues(text: String, reason: DetectionError.Reason) {
        #expect(Self.reason(Array(text.utf8)) == reason)
    }

    @Test(
        "Text that is not JSON is refused with its reason",
        arguments: [
            ("", DetectionError.Reason.empty),
            (" ", .endsEarly),
            ("{", .endsEarly),
            (#"{"type""#, .endsEarly),
            (#"{"type":"x","rssi":-1,"confidence":1"#, .endsEarly),
            (#"{"type":"x\"#, .endsEarly),
            (#"{"type":tru"#, .endsEarly),
            (#"{"type":-"#, .endsEarly),
            ("[]", .notAnObject),
            ("42", .notAnObject),
            (#""text""#, .notAnObject),
            ("garbage", .notJSON),
            ("{}x", .trailing),
            ("{}{}", .trailing),
            (#"{"a":1,}"#, .notJSON),
            (#"{a:1}"#, .notJSON),
            (#"{"a" 1}"#, .notJSON),
            (#"{"a":1 "b":2}"#, .notJSON),
            (#"{"a":nul}"#, .notJSON),
            (#"{"a":[1,]}"#, .notJSON),
            (#"{"a":[1}"#, .notJSON),
            (#"{"a":{"b":1]}"#, .notJSON),
            (#"{"a":NaN}"#, .notJSON),
            (#"{"a":'b'}"#, .notJSON),
            (#"{"a":01}"#, .badNumber),
            (#"{"a":-}"#, .badNumber),
            (#"{"a":1.}"#, .badNumber),
            (#"{"a":1e}"#, .badNumber),
            (#"{"a":+1}"#, .notJSON),
            (#"{"a":.5}"#, .notJSON),
            ("{\"a\":\"\n\"}", .controlCharacter),
            (#"{"a":"\x"}"#, .badEscape),
            (#"{"a":"\u12G4"}"#, .badEscape),
            (#"{"a":"\uD800"}"#, .loneSurrogate),
            (#"{"a":"\uD800\n"}"#, .loneSurrogate),
            (#"{"a":"\uD800\u0041"}"#, .loneSurrogate),
            (#"{"a":"\uDC00"}"#, .loneSurrogate),
        ])
    func badText(text: String, reason: DetectionError.Reason) {
        #expect(Self.reason(Array(text.utf8)) == reason)
    }

    @Test(
        "Text that is not UTF-8 is refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3, 0x28], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
            [0xE2, 0x82, 0x22],
        ] as [[UInt8]])
    func badUTF8(octets: [UInt8]) {
        #expect(Self.reason(Array(#"{"a":""#.utf8) + octets + Array(#""}"#.utf8)) == .badUTF8)
    }

    @Test func nestingIsAllowedUpToItsLimit() {
        func nested(_ depth: Int) -> [UInt8] {
            Array(#"{"type":"x","rssi":-1,"confidence":1,"a":"#.utf8)
                + [UInt8](repeating: UInt8(ascii: "["), count: depth)
                + [UInt8](repeating: UInt8(ascii: "]"), count: depth) + Array("}".utf8)
        }
        #expect(Self.reason(nested(32)) == nil)
        #expect(Self.reason(nested(33)) == .tooDeep)
        #expect(Self.reason(nested(4000)) == .tooDeep)
    }

    @Test func lengthIsAllowedUpToItsLimit() {
        let head = Array(#"{"type":""#.utf8)
        let tail = Array(#"","rssi":-1,"confidence":1}"#.utf8)
        let room = JSONObjectStream.maximumLength - head.count - tail.count
        func object(_ count: Int) -> [UInt8] { head + [UInt8](repeating: 0x61, count: count) + tail }
        #expect(Self.reason(object(room)) == nil)
        #expect(Self.reason(object(room + 1)) == .tooLong)
    }

    @Test func offsetSaysWhereTheFaultIs() {
        #expect(throws: DetectionError(.badRSSI, at: 19)) {
            try Self.decode(#"{"type":"x","rssi":99,"confidence":1}"#)
        }
        #expect(throws: DetectionError(.notJSON, at: 6)) { try Self.decode(#"{"a":1"b"#) }
        #expect(DetectionError(.badRSSI, at: 19).description.hasSuffix("from -127 to 20 (octet 19)"))
    }

    @Test func everyCutOfAnObjectEndsEarly() {
        let whole = Array(
            #"{"type":"R\u00e9😀\uD83D\uDE00","rssi":-1e0,"confidence":0.5,"x":[true,null,{"y":-2.5}]}"#.utf8)
        #expect(Self.reason(whole) == nil)
        for count in 1..<whole.count {
            #expect(Self.reason(Array(whole[..<count])) == .endsEarly, "cut to \(count) octets")
        }
    }

    @Test func anyChangedOctetGivesADetectionOrAnError() {
        let whole = Array(
            #"{"type":"Ring","mac":"A4:83:E7:AB:CD:EF","rssi":-71,"confidence":0.85,"ts":1,"e":{"f":[]}}"#
                .utf8)
        for index in whole.indices {
            for octet in UInt8.min...UInt8.max {
                var changed = whole
                changed[index] = octet
                if let detection = try? Detection(decoding: changed) {
                    #expect((-127...20).contains(detection.rssi))
                    #expect((0...1).contains(detection.confidence))
                }
            }
        }
    }
}

@Suite struct JSONNumberTests {
    @Test func everyDoubleComesBackFromItsShortestText() throws {
        var random = SplitMix64(seed: 5)
        // An expectation each would take ten times as long as the reading.
        var wrong: [Double] = []
        for _ in 0..<20_000 {
            let value = Double(
                bitPattern: UInt64.random(in: 0x10_0000_0000_0000..<0x7FF0_0000_0000_0000, using: &random))
            for value in [value, -value] where try Self.number(value.description).double != value {
                wrong.append(value)
            }
        }
        #expect(wrong == [])
        for (text, value) in [
            ("0", 0), ("-0.0", -0.0), ("9007199254740993", 9007199254740992), ("1e-400", 0),
        ] {
            #expect(try Self.number(text).double == value)
        }
        #expect(try Self.number("1.7976931348623159e308").double == nil)
    }

    static func number(_ text: String) throws -> JSONNumber {
        let octets = Array(text.utf8)
        var scanner = JSONScanner(position: 0)
        return JSONNumber(try scanner.value(octets.span), in: octets.span)
    }

    @Test(
        "Proportions are rounded like the standard library rounds them",
        arguments: [
            "0", "-0", "0.0", "1", "1.0", "1e0", "10e-1", "0.1", "0.95", "0.30000000000000004",
            "0.99999999999999999999", "0.94999999999999996", "0.1234567890123456789", "5e-324", "1e-27",
            "9999999999999999999e-20", "0.000000000000000000000000001",
            "0.5000000000000000277555756156289135",
            "1e-999", "0e999999999999", "100000000000000000000e-20", "0.85000000000000000000000000000001",
            "1.7976931348623157e-300", "0.00000000000000000000000000000000000123",
        ])
    func proportion(text: String) throws {
        let expected = try #require(Double(text))
        let value = try #require(try Self.number(text).proportion)
        let mayDiffer = expected < 1e-8 && text.utf8.count > 27 || expected < 1e-27
        #expect(value == expected || mayDiffer && abs(value - expected) <= expected * 1e-13)
    }

    @Test(
        "A proportion outside 0 to 1 is none",
        arguments: ["1.1", "-1e-300", "1e1", "2", "1e999999999999", "1.00000000000000000000001", "-1"])
    func noProportion(text: String) throws {
        #expect(try Self.number(text).proportion == nil)
    }

    @Test func randomProportionsAreRoundedRight() throws {
        var state: UInt64 = 1
        for _ in 0..<2_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(state >> 11) / 0x1p53
            #expect(try Self.number(value.description).proportion == value)
            let digits = String(state % 10_000_000_000_000_000_000)
            let text = "0." + String(repeating: "0", count: Int(state >> 60) / 2) + digits
            #expect(try Self.number(text).proportion == Double(text))
        }
    }

    @Test(
        "Whole numbers are read in every spelling",
        arguments: [
            ("0", 0), ("-0.0", 0), ("-62", -62), ("-62.0", -62), ("-6.2e1", -62), ("620e-1", 62),
            ("1e3", 1000),
            ("9223372036854775807", Int64.max), ("-9223372036854775807", -Int64.max), ("0.5", nil),
            ("9223372036854775808", nil), ("1e19", nil), ("1e400", nil), ("1e-400", nil), ("0e400", 0),
            ("62.50", nil), ("18446744073709551616", nil), ("10000000000000000000000e-20", 100),
        ] as [(String, Int64?)])
    func integer(text: String, expected: Int64?) throws {
        #expect(try Self.number(text).integer == expected)
    }

    @Test(
        "The whole part drops the fraction",
        arguments: [
            ("1704307200.53", 1_704_307_200), ("1.7043072e9", 1_704_307_200), ("0.9", 0), ("-0", 0),
            ("-1", nil),
            ("1e-400", 0), ("1e30", nil), ("9223372036854775807.9", Int64.max),
        ] as [(String, Int64?)])
    func wholePart(text: String, expected: Int64?) throws {
        #expect(try Self.number(text).wholePart == expected)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import Testing

@Suite struct JSONWriterTests {
    @Test func keepsOrderAndWritesEveryKindOfValue() {
        var json = JSONWriter()
        json.object { json in
            json.field("z", "text")
            json.field("a", 5)
            json.field("b", 0.9)
            json.field("c", true)
            json.field("d", nil as String?)
            json.field("e", nil as Int?)
            json.field("f", Double.nan)
            json.field("t", Timestamp(milliseconds: 0))
            json.key("list")
            json.array { json in
                json.value(1)
                json.object { _ in }
                json.array { _ in }
                json.value("x")
            }
        }
        #expect(
            json.text == """
                {"z":"text","a":5,"b":0.9,"c":true,"d":null,"e":null,"f":null,"t":"1970-01-01T00:00:00.000Z",\
                "list":[1,{},[],"x"]}
                """)
    }

    @Test(arguments: [
        ("\"\\/", #""\"\\/""#), ("\u{0}\u{1B}\u{7F}\u{85}\u{9B}", #""\u0000\u001b\u007f\u0085\u009b""#),
        ("\n\r\t", #""\n\r\t""#), ("\u{2028}\u{202E}\u{FEFF}", #""\u2028\u202e\ufeff""#), ("é👩‍👧", "\"é👩‍👧\""),
    ])
    func escapesWhatCouldDoHarm(text: String, expected: String) throws {
        var json = JSONWriter()
        json.value(text)
        #expect(json.text == expected)
        #expect(try JSONDecoder().decode(String.self, from: Data(json.octets)) == text)
    }

    @Test(arguments: [
        ("{ \"a\" : [ 1 ,\n 2 ] }", #"{"a":[1,2]}"#), (#"{"a b":"c \" d\\"} "#, #"{"a b":"c \" d\\"}"#),
        ("\"x\u{85}\u{2028}\"", #""x\u0085\u2028""#), ("-1.50e+3", "-1.50e+3"), ("\"\\\\\" ", "\"\\\\\""),
    ])
    func keepsJSONOnOneLine(json: String, expected: String) {
        var writer = JSONWriter()
        writer.json(json.utf8)
        #expect(writer.text == expected)
    }

    @Test func anyTextComesBack() throws {
        var hostile = HostileSightings(seed: 3)
        for _ in 0..<500 {
            let text = hostile.text()
            var json = JSONWriter()
            json.object { $0.field(text, text) }
            let back = try JSONDecoder().decode([String: String].self, from: Data(json.octets))
            #expect(back.first.map { Array($0.value.utf8) } == Array(text.utf8))
            #expect(json.octets.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        }
    }
}

@Suite struct DetectionEventTests {
    private let detection = Detection(
        type: .flockSafety, label: "Flock Safety", mac: 0x3C71_BF12_3456, ssid: "FLOCK-S3-1234", rssi: -62,
        confidence: 0.98, ts: 1_704_307_200,
        extra: [
            .init(key: "ch\n", json: Array("{ \"n\": 6 }".utf8)), .init(key: "fw", json: Array("null".utf8)),
        ], raw: Array("{}".utf8))

    private func text(_ record: DetectionRecord) -> String {
        String(decoding: DetectionEvent(record).json, as: UTF8.self)
    }

    @Test func hasTheKeysOfTheIssueInTheirOrder() {
        let sighting = Sighting(
            detection, received: Timestamp(milliseconds: 1_704_307_201_005),
            device: BluetoothAddress(0xC0FF_EEF1_0C01, kind: .random),
            position: Position(latitude: 52.52, longitude: -13.405))
        #expect(
            text(
                DetectionRecord(
                    id: 7, sighting: sighting, source: 3,
                    sourceFirstSeen: Timestamp(milliseconds: 1_704_307_201_006 - 86_400_000), mark: .muted))
                    == """
                    {"event":"detection","time":"2024-01-03T18:40:01.005Z","id":7,"type":"flock_safety","label":"Flock Safety","mac":"3C:71:BF:12:34:56",\
                    "ssid":"FLOCK-S3-1234","rssi":-62,"confidence":0.98,"proximity":"close",\
                    "device_time":"2024-01-03T18:40:00.000Z","device_uptime_ms":null,\
                    "received":"2024-01-03T18:40:01.005Z","latitude":52.52,"longitude":-13.405,\
                    "speed":null,"heading":null,"activity":null,"fix":null,"address":"C0:FF:EE:F1:0C:01","address_kind":"random",\
                    "extra":{"ch\\n":{"n":6},"fw":null},"octets":"7b7d","source":3,"new":true,"mine":false,\
                    "muted":true,"false_alarm":false,"alert":false,"known_nearby":null}
                    """)
    }

    @Test("The device's time is judged by when the detection came, not by when listening began")
    func deviceTime() {
        // A hub whose clock was set meanwhile.
        for (received, expected) in [
            (Int64(5_000), Detection.DeviceTime.uptime(milliseconds: 1_704_307_200)),
            (1_704_307_201_005, .unix(seconds: 1_704_307_200)),
        ] {
            let sighting = Sighting(detection, received: Timestamp(milliseconds: received))
            #expect(sighting.deviceTime == expected)
        }
    }

    @Test func writesNullForWhatIsUnknown() {
        let sighting = Sighting(
            Detection(
                type: .unknown, label: "", rssi: -90, confidence: 0, ts: 123),
            received: Timestamp(milliseconds: 0))
        #expect(
            text(DetectionRecord(id: 1, sighting: sighting)) == """
                {"event":"detection","time":"1970-01-01T00:00:00.000Z","id":1,"type":"unknown","label":"","mac":null,"ssid":null,"rssi":-90,\
                "confidence":0.0,"proximity":"far","device_time":null,"device_uptime_ms":123,\
                "received":"1970-01-01T00:00:00.000Z","latitude":null,"longitude":null,"speed":null,"heading":null,"activity":null,"fix":null,"address":null,\
                "address_kind":null,"extra":{},"octets":"","source":null,"new":null,"mine":false,"muted":false,\
                "false_alarm":false,"alert":false,"known_nearby":null}
                """)
    }

    @Test func doesNotTrapOnADeviceTimeThatIsFarOff() {
        var sighting = Sighting(detection, received: Timestamp(milliseconds: 0))
        sighting.deviceTime = .unix(seconds: .max)
        #expect(DetectionRecord(id: 1, sighting: sighting).deviceClock == nil)
    }

    @Test(arguments: [
        ("AA:BB:CC:DD:EE:FF", true), ("aa:BB:CC:DD:EE:FF", false), ("AA:BB:CC:DD:EE", false), ("", false),
        ("AABB:CC:DD:EE:F:F", false), ("AA:BB:CC:DD:EE:FG", false), ("AA:BB:CC:DD:EE:FF:", false),
    ])
    func knowsWhatAnAddressIs(mac: String, isFit: Bool) {
        let sighting = Sighting(
            type: .ring, label: "Ring", mac: mac, rssi: 0, confidence: 1, received: Timestamp(milliseconds: 0)
        )
        #expect((sighting.fault == nil) == isFit)
    }
}

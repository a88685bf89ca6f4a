// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder
import Foundation
import Testing

@Suite struct DetectionCodableTests {
    @Test(
        "A detection comes back as it was",
        arguments: [
            #"{"type":"Ring","mac":"a4:83:e7:36:3c:a5","ssid":"Ring-363CA5","rssi":-71,"confidence":0.9,"ts":81234}"#,
            #"{"type":"Somebody's","rssi":-127,"confidence":0}"#,
            #"{"type":"Raven (Gunshot Detector)","rssi":20,"confidence":1,"extra":{"a":[1,"\u00fc"]},"n":null}"#,
        ])
    func comesBack(object: String) throws {
        let detection = try Detection(decoding: Array(object.utf8))
        let stored = try JSONEncoder().encode([detection])
        #expect(try JSONDecoder().decode([Detection].self, from: stored) == [detection])
    }

    @Test func `it has the keys of the protocol`() throws {
        let detection = Detection(
            type: .ring, label: "Ring", mac: 0xA483_E736_3CA5, rssi: -71, confidence: 0.5, ts: 7)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(detection), as: UTF8.self)
        #expect(
            text == #"{"confidence":0.5,"mac":"a4:83:e7:36:3c:a5","rssi":-71,"ts":7,"type":"Ring"}"#)
        #expect(try Detection(decoding: Array(text.utf8)).mac == detection.mac)
    }

    @Test(
        "What no detection has is refused",
        arguments: [
            #"{"rssi":-71,"confidence":0.9}"#, #"{"type":"Ring","rssi":21,"confidence":0.9}"#,
            #"{"type":"Ring","rssi":-128,"confidence":0.9}"#, #"{"type":"Ring","rssi":-71,"confidence":1.1}"#,
            #"{"type":"Ring","rssi":-71,"confidence":0.9,"mac":"a4:83"}"#,
            #"{"type":"Ring","rssi":-71,"confidence":0.9,"ts":-1}"#,
        ])
    func refused(object: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Detection.self, from: Data(object.utf8))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Detections
import FlockFinder
import Foundation
import Testing

/// Objects as real firmware sends them.
@Suite struct RepairedDetectionTests {
    private static func event(_ octets: [UInt8]) -> FlockFinderEvent {
        do { return .detection(try Detection(decoding: octets)) } catch {
            return .parseError(error, raw: octets)
        }
    }

    private static func detection(_ octets: [UInt8]) -> Detection? {
        if case .detection(let detection) = event(octets).usable { detection } else { nil }
    }

    @Test func whatFirmwareSendsIsKept() throws {
        let lines = try FieldCase.octets("flockfinder-odd-payloads.jsonl").split(separator: 0x0A).map {
            Array($0)
        }
        try #require(lines.count == 10)
        let found = lines.map { Self.detection($0) }
        #expect(found[0]?.mac == nil && found[0]?.ssid == "Flock-0A0B0C")
        #expect(found[1]?.mac == nil && found[1]?.rssi == -56)
        #expect(found[3]?.mac == 0x3C71_BF00_0002)
        #expect(found[6]?.ssid == "say \"hi\"")
        #expect(found[8]?.ssid == "tab\tin")
        #expect(found[9]?.ssid?.string == "café")
        for (detection, line) in zip(found, lines) where detection != nil { #expect(detection?.raw == line) }
        // Nobody knows what 90 is sure of.
        #expect(found[4] == nil)
    }

    @Test func aStrayBackslashIsACharacter() {
        let found = Self.detection(Array(#"{"type":"Ring","ssid":"\q\u0041","rssi":-1,"confidence":1}"#.utf8))
        #expect(found?.ssid == #"\qA"#)
    }

    @Test(arguments: ["", "{", "[]", "{\"type\":\"Ring\"", "{\"a\":\"\u{1}\"}", "rubbish \"\u{FF}"])
    func whatIsNoneStaysNone(text: String) {
        let event = Self.event(Array(text.utf8))
        #expect(event.usable == event)
    }

    /// Whatever comes, it is read or refused.
    @Test func anyCutAndAnyOctetIsTaken() {
        let whole = Array(#"{"type":"Ring","mac":"","ssid":"a\"b\\","rssi":-1,"confidence":1,"ts":5}"#.utf8)
        for index in whole.indices {
            _ = Self.event(Array(whole[..<index])).usable
            for octet in [0, 0x22, 0x5C, 0x80, 0xFF] as [UInt8] {
                var changed = whole
                changed[index] = octet
                _ = Self.event(changed).usable
            }
        }
    }
}

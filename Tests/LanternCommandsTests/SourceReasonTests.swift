// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionText
import FlockFinder
import Testing

@Suite("Reasons of a source")
struct SourceReasonTests {
    static func source(
        _ identity: DetectionSource.Identity, _ type: DetectionType = .raven
    ) -> DetectionSource {
        DetectionSource(
            id: 1, identity: identity, type: type, label: type.labelString, firstSeen: .noon, lastSeen: .noon,
            count: 1, strongest: -60)
    }

    /// What this computer's radio has noticed, for these reasons.
    static func record(_ reasons: String) -> DetectionRecord {
        let detection = Detection(
            type: .raven, label: "Raven", rssi: -60, confidence: 0.5,
            extra: [
                .init(key: DetectionOrigin.key, json: Array(#""this_radio""#.utf8)),
                .init(key: DetectionOrigin.reasons, json: Array(reasons.utf8)),
            ])
        return DetectionRecord(id: 1, sighting: Sighting(detection, received: .noon))
    }

    static func words(
        _ source: DetectionSource, confidence: Double? = nil, last: DetectionRecord? = nil
    ) -> [String] {
        SourceReason.reasons(of: source, confidence: confidence, last: last)
            .map { $0.text + ($0.value ?? "") }
    }

    @Test(arguments: [
        ("service 3100 +0.4", "It offers the service 3100: 40% more sure."),
        ("name FS Ext Battery +0.85", "Its name is like FS Ext Battery: 85% more sure."),
        ("maker 09c8 +1", "Its maker has the number 09c8: 100% more sure."),
        ("prefix B4:1E:52 -0.2", "Its address begins with B4:1E:52: 20% less sure."),
        ("service 3100", "Its advertisement: service 3100"),
        ("service 3100 0.4", "Its advertisement: service 3100 0.4"),
        ("service 3100 +7", "Its advertisement: service 3100 +7"),
        ("smell 3100 +0.4", "Its advertisement: smell 3100 +0.4"),
        ("service", "Its advertisement: service"), ("", "Its advertisement: "),
    ])
    func whatAnAdvertisementHasIsASentence(reason: String, words: String) {
        let last = Self.record(#"["\#(reason)"]"#)
        #expect(Self.words(Self.source(.kind), last: last)[1] == words)
    }

    @Test func whoIsSureAndOfWhat() {
        let source = Self.source(.address("C0:FF:EE:00:00:01"), .axis)
        #expect(Self.words(source).first == "The device calls it Axis")
        #expect(
            Self.words(source, confidence: 0.816)[1]
                == "82% sure that it is an Axis pro IP camera, as the device reckons")
        let heard = Self.words(Self.source(.kind), confidence: 0.4, last: Self.record("[]"))
        #expect(heard[0] == "The hub's own radio noticed it and takes it for Raven (Gunshot Detector)")
        #expect(
            heard[1]
                == "40% sure that it is a Raven gunshot detector, by what speaks for it and against it")
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Detections
import FlockFinder
import FlockFinderCompanion
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
        ("service 3100 +0.4", "It offers the service 3100, which this kind has."),
        ("service 180d -0.8", "It offers the service 180d, which speaks against it."),
        ("name FS Ext Battery +0.85", "Its name is FS Ext Battery, as with this kind."),
        ("name Penguin-########## +0.75", "Its name is Penguin- and ten digits, as with this kind."),
        ("name ########## +0.25", "Its name is ten digits, as with this kind."),
        ("name cam#-############ +0.25", "Its name is cam, one digit, - and 12 digits, as with this kind."),
        ("name *flock* +0.4", "Its name has flock in it, as with this kind."),
        ("name *cam# +0.4", "Its name is anything, cam and one digit, as with this kind."),
        ("name *-cam +0.4", "Its name ends with -cam, as with this kind."),
        ("name flockyou* -0.95", "Its name begins with flockyou, which speaks against it."),
        (##"name a\\*b\\#\\\\c +0.4"##, ##"Its name is a*b#\c, as with this kind."##),
        ("maker 09c8 +1", "Its maker has the number 09c8, as with this kind."),
        ("prefix B4:1E:52 -0.2", "Its address begins with B4:1E:52, which speaks against it."),
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

    /// Each once, the weightiest first, services together, what speaks against it at the end.
    @Test func reasonsAreTheirWeightiestFirst() {
        let reasons = [
            "maker 004c -0.8", "service 180a +0.05", "what is this", "service 3100 +0.4", "service 3200 +0.4",
            "service 1812 -0.9", "prefix D4:11:D6 +0.6", "service 3100 +0.4", "what is this",
            "maker 09c8 +0.25",
        ]
        let last = Self.record("[\(reasons.map { "\"\($0)\"" }.joined(separator: ","))]")
        #expect(
            last.sighting.reasonSentences == [
                "Its address begins with D4:11:D6, as with this kind.",
                "It offers the services 3100, 3200 and 180a, which this kind has.",
                "Its maker has the number 09c8, as with this kind.",
                "It offers the service 1812, which speaks against it.",
                "Its maker has the number 004c, which speaks against it.",
                "Its advertisement: what is this",
            ])
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

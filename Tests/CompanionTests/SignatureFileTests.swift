// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Testing

@Suite struct SignatureFileTests {
    @Test func whatIsShownIsAFile() throws {
        let shown = SignatureTableShown(.builtIn).json(at: Timestamp(milliseconds: 0))
        #expect(try SignatureFile.table(shown) == .builtIn)
    }

    @Test func aFileWithEachMark() throws {
        let text = """
            {"name": "mine", "version": "3", "threshold": 0.5, "signatures": [
              {"name": "Cam-##*", "type": "ring", "weight": 0.6, "version": "2", "source": "seen in the yard"},
              {"service": "FD6F", "type": "nest", "weight": 1},
              {"maker": "004C", "weight": -0.8, "type": null},
              {"prefix": "b4:1e:52:07", "type": "verkada", "weight": 0.25}
            ]}
            """
        let table = try SignatureFile.table(Array(text.utf8))
        #expect(table.title == "mine 3")
        #expect(table.threshold == 0.5)
        #expect(table.signatures.map(\.mark.text) == ["Cam-##*", "fd6f", "004c", "B4:1E:52:07"])
        #expect(table.signatures.map(\.type) == [.ring, .nest, nil, .verkada])
        #expect(table.signatures.map(\.weight) == [0.6, 1, -0.8, 0.25])
        #expect(table.signatures[0].version == "2" && table.signatures[0].source == "seen in the yard")
    }

    /// What one signature in place of a good one leads to; the words that matter.
    @Test(arguments: [
        (#"{"type": "ring", "weight": 0.5}"#, "signature 2 must have one of name, service, maker and prefix"),
        (#"{"name": "abc", "maker": "004c", "type": "ring", "weight": 0.5}"#, "signature 2 must have one of"),
        (
            #"{"name": "*a*", "type": "ring", "weight": 0.5}"#,
            "the name of signature 2 must have 3 to 64 octets"
        ),
        (#"{"name": 7, "type": "ring", "weight": 0.5}"#, "the name of signature 2 must be text"),
        (#"{"service": "31", "type": "ring", "weight": 0.5}"#, "the service of signature 2 must be a UUID"),
        (#"{"maker": "4c", "type": "ring", "weight": 0.5}"#, "the maker of signature 2 must be its assigned"),
        (#"{"maker": "zzzz", "type": "ring", "weight": 0.5}"#, "the maker of signature 2 must have two hex"),
        (
            #"{"prefix": "B4:1E", "type": "ring", "weight": 0.5}"#,
            "the prefix of signature 2 must be the first"
        ),
        (#"{"prefix": "B4:1E:5", "type": "ring", "weight": 0.5}"#, "the prefix of signature 2"),
        (#"{"prefix": "B4::52", "type": "ring", "weight": 0.5}"#, "the prefix of signature 2"),
        (
            #"{"maker": "004c", "type": "camera", "weight": 0.5}"#,
            "the type of signature 2 is \"camera\", which"
        ),
        (#"{"maker": "004c", "type": "ring", "weight": 2}"#, "the weight of signature 2 must be"),
        (#"{"maker": "004c", "type": "ring", "weight": 0}"#, "the weight of signature 2 must be"),
        (#"{"maker": "004c", "type": "ring"}"#, "\"weight\" is missing"),
        (#"{"maker": "004c", "weight": 0.5}"#, "signature 2 speaks for something, so it must say for what"),
        (#"{"maker": "09c8", "type": "penguin", "weight": 0.7}"#, "signature 2 is signature 1 again"),
        (#"{"maker": "004c", "typ": "ring", "weight": 0.5}"#, "\"typ\" is not known here"),
        ("7", "signature 2 must be an object"),
    ])
    func aBadSignatureIsNamed(signature: String, words: String) throws {
        let text = """
            {"name": "t", "version": "1", "threshold": 0.3, "signatures": [
            {"maker": "09c8", "type": "penguin", "weight": 0.5},
            \(signature)]}
            """
        let fault = try #require(refusal(of: text))
        #expect(fault.reason.contains(words), "\(fault.reason)")
        #expect(fault.line == 3)
    }

    @Test(arguments: [
        ("", "end"), ("[]", "an object is expected here"), ("{", "end"),
        (
            #"{"version": "1", "threshold": 0.3, "signatures": [{"maker":"09c8","type":"ring","weight":1}]}"#,
            "\"name\" is missing"
        ),
        (
            #"{"name": "t", "version": "1", "threshold": 0, "signatures": [{"maker":"09c8","type":"ring","weight":1}]}"#,
            "\"threshold\" must be above 0"
        ),
        (
            #"{"name": "t", "version": "1", "threshold": 0.3, "signatures": []}"#,
            "must have 1 to 1000 signatures"
        ),
        (#"{"name": "t", "version": "1", "threshold": 0.3}"#, "must have 1 to 1000 signatures"),
        (
            #"{"name": "t", "version": "1", "threshold": 0.3, "signatures": [{"maker":"09c8","weight":-1}]}"#,
            "nothing could ever be noticed"
        ),
        (#"{"name": "t", "version": "1", "threshold": 0.3, "rules": 1}"#, "\"rules\" is not known here"),
    ])
    func aBadFileIsRefused(text: String, words: String) throws {
        let fault = try #require(refusal(of: text))
        #expect(fault.reason.contains(words), "\(fault.reason)")
    }

    private func refusal(of text: String) -> JSONDecodingError? {
        do throws(JSONDecodingError) {
            _ = try SignatureFile.table(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func aDetectionOfThisRadioIsTold() throws {
        var detection = Detection(
            type: .raven, label: "Raven", rssi: -60, confidence: 0.5,
            extra: [
                .init(key: DetectionOrigin.key, json: Array(#""this_radio""#.utf8)),
                .init(key: DetectionOrigin.reasons, json: Array(#"["service 3100 +0.4", "b"]"#.utf8)),
            ])
        let now = Timestamp(milliseconds: 0)
        #expect(Sighting(detection, received: now).isHeardHere)
        #expect(Sighting(detection, received: now).reasonsHere == ["service 3100 +0.4", "b"])
        // A device may say what it likes of itself.
        let device = BluetoothAddress(1, kind: .random)
        #expect(!Sighting(detection, received: now, device: device).isHeardHere)
        #expect(Sighting(detection, received: now, device: device).reasonsHere.isEmpty)
        detection.extra = []
        #expect(!Sighting(detection, received: now).isHeardHere)
    }
}

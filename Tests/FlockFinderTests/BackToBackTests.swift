// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import FlockFinder
import SessionTesting
import Testing

private typealias Pair = SessionPair<FlockFinderClient, FlockFinderDevice>

extension SessionPair where Client == FlockFinderClient, Device == FlockFinderDevice {
    fileprivate convenience init(_ source: FlockFinderDevice.Source, mtu: Int, switchesStreamOn: Bool = false)
    {
        self.init(
            FlockFinderClient(options: .init(switchesStreamOn: switchesStreamOn)),
            FlockFinderDevice(source: source, seed: 1), mtu: mtu)
        start()
    }

    fileprivate func send(_ command: WireText) {
        update { client, now in client.send(command, at: now) }
    }

    fileprivate var detections: [Detection] {
        events.compactMap { if case .detection(let detection) = $0 { detection } else { nil } }
    }
    fileprivate var streamObjects: [String] {
        events.compactMap { if case .stream(let object) = $0 { WireText(object).string } else { nil } }
    }
    fileprivate var hasParseErrors: Bool {
        events.contains { if case .parseError = $0 { true } else { false } }
    }
}

@Suite struct BackToBackTests {
    private static func script(_ count: Int, every milliseconds: UInt64) -> FlockFinderDevice.Source {
        .script(
            DetectionScript(
                lines: (0..<count).map { index in
                    .init(
                        afterMilliseconds: milliseconds,
                        Detection(
                            type: .flockSafety, label: "Flock Safety", mac: UInt64(index),
                            ssid: WireText("n\(index) \"📷\"\n"), rssi: -60, confidence: 0.9,
                            ts: Int64(index)))
                }))
    }

    @Test("A script arrives whole at any MTU", arguments: [23, 24, 48, 100, 120, 121, 122, 123, 185, 517])
    func script(mtu: Int) {
        let pair = Pair(Self.script(200, every: 37), mtu: mtu)
        pair.run(milliseconds: 200 * 37)
        #expect(pair.detections.map(\.mac) == (0..<200).map { UInt64($0) })
        #expect(pair.detections.allSatisfy { $0.ssid?.string == "n\($0.mac ?? 0) \"📷\"\n" })
        #expect(!pair.hasParseErrors)
    }

    @Test func aBurstArrivesWhole() {
        let pair = Pair(Self.script(5_000, every: 0), mtu: 247)
        pair.run(milliseconds: 1)
        #expect(pair.detections.count == 5_000)
    }

    @Test func aScriptGoesOnAfterALostLink() {
        let pair = Pair(Self.script(20, every: 500), mtu: 60)
        pair.run(milliseconds: 5_000)
        #expect(pair.detections.count == 10)
        pair.loseLink()
        pair.run(milliseconds: 10_000)
        #expect(pair.detections.map(\.mac) == (0..<20).map { UInt64($0) })
        #expect(!pair.hasParseErrors)
    }

    @Test func theDriveIsUnderstoodAndTheStreamToo() {
        let pair = Pair(.route, mtu: 23, switchesStreamOn: true)
        pair.run(milliseconds: 60_000)
        #expect(pair.detections.count > 20)
        #expect(pair.streamObjects.count > 120)
        #expect(!pair.hasParseErrors)
    }

    @Test func commandsAreAnswered() {
        let pair = Pair(.script(DetectionScript(lines: [])), mtu: 185)
        pair.send("STATUS")
        pair.send("nonsense")
        #expect(pair.streamObjects.count == 2)
        #expect(pair.streamObjects.first?.contains(#""msg":"ready""#) == true)
        #expect(pair.streamObjects.last?.contains(#""msg":"unknown command: nonsense""#) == true)
    }

    @Test func aSilentLinkIsPinged() {
        let pair = Pair(.script(DetectionScript(lines: [])), mtu: 185)
        pair.run(milliseconds: 95_000)
        #expect(pair.streamObjects.count == 3)
        #expect(pair.streamObjects.allSatisfy { $0.contains("pong") })
    }

    @Test func theEndIsOrderly() {
        let pair = Pair(.route, mtu: 185, switchesStreamOn: true)
        pair.run(milliseconds: 5_000)
        pair.update { client, now in client.close(at: now) }
        #expect(pair.isFinished)
        #expect(pair.device.nextDeadline == nil)
        #expect(!pair.hasParseErrors)
    }
}

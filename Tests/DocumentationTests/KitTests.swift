// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder
import SessionTesting
import Testing

// snippet: kit-test
@Test func detectionsArriveAlthoughTheLinkIsLost() {
    let ring = Detection(type: .ring, label: "Ring", rssi: -71, confidence: 0.9)
    let script = DetectionScript(
        lines: (0..<10).map { _ in DetectionScript.Line(afterMilliseconds: 1000, ring) })
    let pair = SessionPair(FlockFinderClient(options: .init()), FlockFinderDevice(source: .script(script)))
    pair.start()
    pair.run(seconds: 5)
    pair.loseLink()
    pair.run(seconds: 10)
    let detections = pair.events.compactMap { event in
        if case .detection(let detection) = event { detection } else { nil }
    }
    #expect(detections.count == 10)
    #expect(detections.allSatisfy { $0.type == .ring })
}
// end

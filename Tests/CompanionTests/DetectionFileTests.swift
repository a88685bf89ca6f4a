// SPDX-License-Identifier: Apache-2.0

import Detections
import Foundation
import Testing

@Suite struct DetectionFileTests {
    private static let header = "device_type,rssi,confidence,timestamp\n"

    @Test(arguments: ["\n", "\r\n", "\r"]) func aBadRowIsNamedAndTheRestIsRead(lineEnd: String) {
        let text = Self.header + "Ring,1,1,2024-01-01\nRing,x,1,2024-01-01\n\nRing,1\nRing,2,1,2024-01-01"
        let found = rows(text.replacing("\n", with: lineEnd).utf8).map { row in
            switch row {
            case .detection(let row): "\(row.sighting.rssi)"
            case .bad(let fault): "line \(fault.line): \(fault.reason)"
            case .broken(let fault): "broken \(fault.line)"
            case .drive, .passed, .noted: "something else"
            }
        }
        #expect(
            found == [
                "1", "line 3: its rssi is not a whole number",
                "line 5: it has 2 cells, and the first line has 4", "2",
            ])
    }

    @Test func aFaultInAJSONFileOfOneLineHasItsColumn() {
        let good = #"{"device_type":"Ring","rssi":-61,"confidence":1,"timestamp":"2024-01-01"}"#
        let text = #"{"a":[{}],"detections":["# + good + #",{"device_type":7},"# + good + "]}"
        let found = rows(text.utf8)
        #expect(found.count == 3)
        guard case .bad(let fault) = found[1] else {
            Issue.record("\(found)")
            return
        }
        #expect(fault.line == 1)
        #expect(fault.column == 24 + good.utf8.count + 1 + 15 + 1)
        #expect(fault.reason == "\"device_type\" must be text")
    }

    @Test func whatIsNestedOrLongIsRefusedAtOnce() {
        for text in [
            #"{"detections":["# + String(repeating: "[", count: 1 << 20),
            #"{"detections":[{"a":"# + String(repeating: "[", count: 1 << 20),
            #"{"detections":[{"a":""# + String(repeating: "x", count: 1 << 20),
            String(repeating: "{\"a\":", count: 1 << 18), String(repeating: "\0", count: 1 << 20),
            Self.header + "\"" + String(repeating: "\0", count: 1 << 20),
        ] {
            let found = rows(text.utf8, pieces: 65_536)
            guard found.count == 1, case .broken(let fault) = found[0] else {
                Issue.record("\(found.count) rows")
                continue
            }
            #expect(fault.reason.utf8.count < 200)
        }
    }
}

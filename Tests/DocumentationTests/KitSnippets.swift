// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder

enum KitSnippets {
    static func decode() throws -> [String] {
        var lines: [String] = []
        func print(_ line: String) { lines.append(line) }
        // snippet: decode
        let received = #"{"type":"Ring","mac":"a4:83:e7:36:3c:a5","rssi":-71,"confidence":0.9,"ts":81234}"#
        do throws(DetectionError) {
            let detection = try Detection(decoding: Array(received.utf8))
            print("\(detection.label) at \(detection.rssi) dBm, \(detection.proximity.keyword)")
        } catch {
            print("octet \(error.offset): it \(error.reason.text)")
        }
        // end
        return lines
    }

    static func stream(_ notifications: [[UInt8]]) -> Int {
        var count = 0
        // snippet: decode-stream
        var objects = JSONObjectStream()
        for notification in notifications {
            objects.receive(notification, at: .zero)
            while let piece = objects.next() {
                switch piece {
                case .object(let octets): count += (try? Detection(decoding: octets)) == nil ? 0 : 1
                case .fault(let error, let raw): print(error.reason.text, raw.count)
                }
            }
        }
        // end
        return count
    }
}

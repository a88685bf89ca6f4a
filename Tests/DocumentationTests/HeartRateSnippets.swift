// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEHostDriver

enum HeartRateSnippets {
    static func listen(_ radio: Radio) async throws -> [Int] {
        var rates: [Int] = []
        func print(_ items: Any...) { rates += items.compactMap { $0 as? Int } }
        // snippet: beside
        let sensor = try await radio.find(ScanOptions(services: [.heartRateService]))
        try await radio.withConnection(to: sensor.peer) { connection in
            for try await value in try await connection.notifications(
                of: .heartRateMeasurement, for: .seconds(10))
            {
                let rate = StandardValue.decode(value, of: .heartRateMeasurement)?["Heart Rate"]
                print(rate?.integer ?? 0, "beats a minute")
            }
        }
        // end
        return rates
    }
}

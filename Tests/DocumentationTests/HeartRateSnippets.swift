// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEHostDriver

enum HeartRateSnippets {
    static func listen(_ radio: Radio) async throws -> [Double] {
        var rates: [Double] = []
        func print(_ items: Any...) { rates += items.compactMap { $0 as? Double } }
        // snippet: beside
        let sensor = try await radio.find(ScanOptions(services: [.heartRateService]))
        try await radio.withConnection(to: sensor.peer) { connection in
            for try await value in try await connection.notifications(
                of: .heartRateMeasurement, for: .seconds(10))
            {
                let rate = StandardValue.decode(value, of: .heartRateMeasurement)?["Heart Rate"]
                print(rate?.number ?? 0, "beats a minute")
            }
        }
        // end
        return rates
    }
}

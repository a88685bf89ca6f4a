// SPDX-License-Identifier: Apache-2.0

import BLESystemRadio

enum RadioSnippets {
    static func system(named name: String? = nil) async throws -> Radio {
        // snippet: radio-system
        let radio = try await Radio.system(named: name)
        // end
        return radio
    }

    static func waiting(_ address: TransportAddress) async throws -> Radio {
        // snippet: radio-waiting
        let radio = try await Radio.open(address, waiting: true)
        for await state in await radio.states() {
            print("the radio is \(state)")
            if state == .ready { break }
        }
        // end
        return radio
    }
}

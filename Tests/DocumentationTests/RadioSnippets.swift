// SPDX-License-Identifier: Apache-2.0

import BLESystemRadio

enum RadioSnippets {
    static func system(named name: String? = nil) async throws -> Radio {
        // snippet: radio-system
        let radio = try await Radio.system(named: name)
        // end
        return radio
    }

    static func waiting(named name: String?) async throws -> Radio {
        // snippet: radio-waiting
        let radio = try await Radio.system(named: name, waiting: true)
        try await radio.waitUntilReady()
        // end
        return radio
    }

    static func watch(_ radio: Radio) async {
        // snippet: radio-states
        for await state in await radio.states() {
            print("the radio is \(state)")
            if state == .ready { break }
        }
        // end
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio

enum LiveAirSnippets {
    static func virtualAir() async throws -> Radio {
        // snippet: virtual-air
        let air = try VirtualRadio()
        await air.add(Thermometer(), at: "C0:00:00:00:00:01")
        let radio = try await air.radio("C0:00:00:00:00:02")
        // end
        return radio
    }
}

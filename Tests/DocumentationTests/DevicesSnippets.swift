// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import SimulatedDevices
import Testing

// snippet: devices-test
@Test func theDevicesAreHeard() async throws {
    try await TestAir.run { air in
        await air.add(SimulatedDevices.all)
        let radio = try await air.radio("C0:00:00:00:00:01")
        var names: Set<String> = []
        for try await heard in try await radio.scan(for: .seconds(10)) {
            if let name = heard.name { names.insert(name) }
        }
        #expect(names.isSuperset(of: ["HR strap 9A3C2B", "Thermometer", "FlockFinder-S3"]))
    }
}
// end

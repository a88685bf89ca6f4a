// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import Testing

// snippet: doorbell-test
@Test func aMutedDoorbellSaysSo() async throws {
    try await TestAir.run { air in
        await air.add(Doorbell(), at: "C0:00:00:00:00:02")
        let radio = try await air.radio("C0:00:00:00:00:01")
        let bell = try await radio.find(ScanOptions(name: "Doorbell"))
        try await radio.withConnection(to: bell.peer) { connection in
            try await connection.write([1], to: Doorbell.mute)
            #expect(try await connection.read(Doorbell.mute) == [1])
        }
    }
}
// end

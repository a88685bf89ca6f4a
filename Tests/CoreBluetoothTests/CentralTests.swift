// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEVirtualRadio
import CoreBluetooth
import SimulatedDevices
import Testing
import VirtualPhone

@Suite("Apple's central over our own stack", .timeLimit(.minutes(5)))
struct CentralTests {
    @Test func anAppFindsConnectsReadsWritesAndIsNotified() async throws {
        try await TestAir.run { air in
            await air.air.add { [SimulatedDevices.make("flockfinder")!] }
            let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
            let finder = phone.app().launch { Finder() }
            try await finder.log.next("detection")
            try await finder.log.next("detection")
            finder.disconnect()
            try await finder.log.next("disconnected")
            let lines = finder.log.lines
            #expect(lines.first == "state 5")
            #expect(lines[1] == "found true true true")
            #expect(lines.contains("connected true"))
            #expect(lines.contains("written true"))
            #expect(lines.contains("refused readNotPermitted CBATTErrorDomain 2"))
            #expect(lines.filter { $0 == "notifying true" }.count == 2)
            #expect(lines.last == "disconnected ")
        }
    }
}

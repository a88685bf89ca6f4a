// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import Foundation
import Testing

#if canImport(VirtualPhone)
import VirtualPhone
#endif

/// Each behaviour, over our own host on the virtual air, and over two radios of this machine where the environment names
/// them: `LANTERN_RADIO=hci:0 LANTERN_OTHER_RADIO=hci:1`, as Tests/LinuxRadios does.
@Suite("One behaviour over any radio", .timeLimit(.minutes(5)))
struct BehaviourTests {
    private static let radios = ["LANTERN_RADIO", "LANTERN_OTHER_RADIO"].compactMap {
        ProcessInfo.processInfo.environment[$0]
    }

    /// Those that the radio under test can have: BlueZ is no peripheral here.
    private static var behaviours: [Behaviour] {
        radios.first?.hasPrefix("bluez") == true ? Behaviour.central : Behaviour.all
    }

    @Test("our host on the virtual air", .manualTime, arguments: Behaviour.all)
    func overOurHost(_ behaviour: Behaviour) async throws { try await show(behaviour, on: .virtual()) }

    @Test("radios of this machine", .enabled(if: radios.count == 2), .serialized, arguments: behaviours)
    func overRealRadios(_ behaviour: Behaviour) async throws {
        try await show(behaviour, on: .real(Self.radios[0], Self.radios[1]))
    }

    #if canImport(VirtualPhone)
    @Test("Core Bluetooth for Linux", arguments: Behaviour.all)
    func overCoreBluetooth(_ behaviour: Behaviour) async throws {
        try await TestAir.run { air in try await show(behaviour, on: .coreBluetooth(on: air)) }
    }

    @Test("our host beside Core Bluetooth for Linux", arguments: Behaviour.all)
    func besideCoreBluetooth(_ behaviour: Behaviour) async throws {
        try await TestAir.run { air in try await show(behaviour, on: .coreBluetooth(on: air).turnedRound) }
    }
    #endif

    private func show(_ behaviour: Behaviour, on bench: Bench) async throws {
        do {
            try await behaviour.show(bench)
        } catch {
            await bench.close()
            throw error
        }
        await bench.close()
    }
}

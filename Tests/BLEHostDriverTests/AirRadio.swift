// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import Testing

/// A host on a virtual air, on the air's loop.
struct AirRadio {
    let host: HostRadio
    let radio: Radio
    let address: BluetoothAddress
    /// What lies in wait between it and its controller.
    let ambush = Ambush()

    init(
        _ air: VirtualRadio, _ number: UInt64 = 1, _ configuration: HostConfiguration = HostConfiguration(),
        generation: VirtualAir.Generation = .extended, bonds: (any BondStore)? = nil
    ) {
        let ambush = ambush
        let own = BluetoothAddress(0x00AA_0000_0000 + number, kind: .public)
        address = own
        host = HostRadio(configuration, bonds: bonds, loop: air.loop) { (loop) async throws(TransportError) in
            var configuration = VirtualAir.ControllerConfiguration(address: own)
            configuration.generation = generation
            return AmbushedTransport(await air.attach(configuration, on: loop), ambush)
        }
        radio = host.radio
    }

    /// A radio that is on.
    static func start(
        _ air: VirtualRadio, _ number: UInt64 = 1, _ configuration: HostConfiguration = HostConfiguration(),
        generation: VirtualAir.Generation = .extended
    ) async throws -> AirRadio {
        let radio = AirRadio(air, number, configuration, generation: generation)
        try await radio.host.start()
        return radio
    }

    /// As whom others know it.
    var peer: Peer { get async throws { Peer(try #require(await host.ownAddress)) } }
}

extension AirRadio {
    /// Looks whether nothing is open and nobody waits, a little later: what has just ended takes a while.
    func isQuiet() async throws {
        try await ManualTime.pass(milliseconds: 500)
        let census = await host.census
        #expect(census.peripherals.isEmpty && census.centrals.isEmpty)
        #expect(census.connectAttempts == 0 && census.waitingTasks == 0 && census.sendLines == 0)
        #expect(census.scans == 0)
    }
}

/// Why something failed; `nil` when it did not.
@discardableResult
func failure(_ body: () async throws(BluetoothError) -> Void) async -> BluetoothError? {
    do throws(BluetoothError) {
        try await body()
        return nil
    } catch {
        return error
    }
}

extension DeviceAdvertisement {
    /// Flags, and nothing else.
    static let plain = DeviceAdvertisement(data: [2, 1, 6], scanResponse: [])
}

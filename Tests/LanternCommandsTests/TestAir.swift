// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Synchronization
import Testing

/// Our own radio on a virtual air with devices that a test has laid down; for tests with the trait `manualTime`.
struct TestAir {
    private static let own = BluetoothAddress(0x00AA_0000_0001, kind: .public)

    private let air: VirtualRadio
    private let devices: [(device: TestDevice, id: VirtualAir.ControllerID)]
    private let controller: LosableController
    let radio: Radio

    /// Opens a radio among devices.
    ///
    /// - Parameters:
    ///   - devices: The devices.
    ///   - generation: What the radio's controller can do.
    /// - Throws: What opening a radio throws.
    init(_ devices: TestDevice..., generation: VirtualAir.Generation = .extended) async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        self.air = air
        let ids = await air.add { devices.map { ScriptedHost($0) } }
        self.devices = Array(zip(devices, ids))
        let controller = LosableController()
        self.controller = controller
        let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
            var configuration = VirtualAir.ControllerConfiguration(address: Self.own)
            configuration.generation = generation
            return try controller.hold(await air.attach(configuration, on: loop))
        }
        try await host.start()
        radio = host.radio
    }

    /// What was asked of a device, in order, once what is on the air has arrived.
    func log(of device: TestDevice) async throws -> [String] {
        try await ManualTime.pass(milliseconds: 200)
        return device.log.entries
    }

    /// Carries all devices out of reach.
    func loseDevices() async {
        for (_, id) in devices { await air.move(id, to: .init(x: 1_000_000, y: 0)) }
    }

    /// Pulls the controller out from under the host.
    func loseRadio(returns: Bool) { controller.lose(returns: returns) }
}

/// What a host has of its controller until a test takes it away.
private final class LosableController: Sendable {
    private struct State {
        var transport: (any Transport)?
        var isGone = false
    }

    private let state = Mutex(State())

    func hold(_ transport: any Transport) throws(TransportError) -> any Transport {
        let isGone = state.withLock { state in
            state.transport = transport
            return state.isGone
        }
        if isGone { throw .cannotOpen("it is gone") }
        return transport
    }

    func lose(returns: Bool) {
        state.withLock { state in
            state.isGone = !returns
            return state.transport
        }?.close()
    }
}

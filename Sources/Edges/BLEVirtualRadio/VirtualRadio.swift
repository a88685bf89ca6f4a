// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLETransport
import BLEWire
import BluetoothLE

/// A simulated world in real time, with transports for hosts in this process.
///
/// Each host gets a controller of its own on the air and talks HCI to it, as it would to hardware.
public actor VirtualRadio {
    private struct Attached {
        var octets: [UInt8] = []
        var waiter: CheckedContinuation<[UInt8]?, Never>?
    }

    private let clock = MonotonicClock()
    private let world: SimulatedWorld
    private var attached: [VirtualAir.ControllerID: Attached] = [:]
    private var alarm: Alarm

    /// Makes a world with nobody in it.
    ///
    /// - Parameter configuration: How the air behaves.
    public init(_ configuration: VirtualAir.Configuration = VirtualAir.Configuration()) {
        world = SimulatedWorld(configuration)
        alarm = Alarm(clock)
    }

    /// Puts devices on the air and starts them.
    ///
    /// - Parameter make: Makes the devices; they belong to the world from then on.
    public func add(_ make: @Sendable () -> [any SimulatedHost]) {
        for host in make() { world.add(host, at: clock.now) }
        drain()
    }

    /// Puts a controller on the air for a host in this process.
    ///
    /// - Parameter configuration: The controller.
    /// - Returns: The host's end of the HCI.
    public func attach(_ configuration: VirtualAir.ControllerConfiguration) -> any OctetTransport {
        let id = world.addController(configuration)
        attached[id] = Attached()
        return VirtualTransport(radio: self, id: id)
    }

    func send(_ octets: [UInt8], on id: VirtualAir.ControllerID) throws(TransportError) {
        guard attached[id] != nil else { throw .lost("it was closed") }
        world.receive(octets, on: id, at: clock.now)
        drain()
    }

    func receive(on id: VirtualAir.ControllerID) async -> [UInt8]? {
        guard let host = attached[id] else { return nil }
        guard host.octets.isEmpty else {
            attached[id]?.octets = []
            return host.octets
        }
        return await withCheckedContinuation { attached[id]?.waiter = $0 }
    }

    func detach(_ id: VirtualAir.ControllerID) {
        guard let host = attached.removeValue(forKey: id) else { return }
        host.waiter?.resume(returning: nil)
        world.hostDetached(id, at: clock.now)
        drain()
    }

    private func drain() {
        while let (id, octets) = world.nextOutput() { attached[id]?.octets += octets }
        for (id, host) in attached where !host.octets.isEmpty {
            guard let waiter = host.waiter else { continue }
            attached[id] = Attached()
            waiter.resume(returning: host.octets)
        }
        alarm.set(world.nextDeadline) { [weak self] deadline in await self?.deadlineReached(deadline) }
    }

    private func deadlineReached(_ deadline: HostInstant) {
        guard alarm.rang(deadline) else { return }
        world.advance(to: clock.now)
        drain()
    }
}

/// The host's end of a virtual controller's HCI.
private struct VirtualTransport: OctetTransport {
    let radio: VirtualRadio
    let id: VirtualAir.ControllerID

    func send(_ octets: [UInt8]) async throws(TransportError) { try await radio.send(octets, on: id) }

    func receive() async throws(TransportError) -> [UInt8]? { await radio.receive(on: id) }

    func close() async { await radio.detach(id) }
}

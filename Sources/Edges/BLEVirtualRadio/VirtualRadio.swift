// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLETransport
import BLEWire
import BluetoothLE

/// A simulated world in real time, with transports for hosts in this process.
///
/// Each host gets a controller of its own on the air and talks HCI to it, as it would to hardware. What a
/// host does not take out waits, within bounds: first its controller refuses data and drops reports, as one
/// with full buffers does, and a host that lets even its events pile up is cut off.
public actor VirtualRadio {
    /// Octets that wait for a host from which on its controller holds back what it may.
    static let highWater = 1 << 16
    /// Octets that wait for a host at which it is cut off.
    static let limit = 1 << 20

    /// A host at a controller; the number tells it from those before it.
    struct Attachment: Hashable, Sendable {
        let id: VirtualAir.ControllerID
        let number: UInt64
    }

    private struct Attached {
        let number: UInt64
        /// Whether the controller goes when its host does.
        let isOnlyForIt: Bool
        var octets: [UInt8] = []
        var reader: CheckedContinuation<[UInt8]?, Never>?
        /// Waits until the host has taken out what waits.
        var writer: CheckedContinuation<Void, Never>?

        var isBehind: Bool { octets.count >= VirtualRadio.highWater }
    }

    private let clock = MonotonicClock()
    private let world: SimulatedWorld
    private var attached: [VirtualAir.ControllerID: Attached] = [:]
    private var attachments: UInt64 = 0
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
    /// - Returns: Their controllers, in order.
    @discardableResult
    public func add(_ make: @Sendable () -> [any SimulatedHost]) -> [VirtualAir.ControllerID] {
        let ids = make().map { world.add($0, at: clock.now) }
        drain()
        return ids
    }

    /// Moves a controller or device.
    ///
    /// - Parameters:
    ///   - id: The controller; nothing happens when it is not there.
    ///   - position: Where it stands from now on.
    public func move(_ id: VirtualAir.ControllerID, to position: VirtualAir.Position) {
        world.advance(to: clock.now)
        world.air.move(id, to: position)
        drain()
    }

    /// Changes how likely a packet is lost.
    ///
    /// - Parameter loss: The probability; 0 to 1.
    public func setLoss(_ loss: Double) {
        world.advance(to: clock.now)
        world.air.loss = loss
        drain()
    }

    /// Puts a controller on the air, to which hosts may attach one after the other.
    ///
    /// - Parameter configuration: The controller.
    /// - Returns: Its name.
    public func addController(
        _ configuration: VirtualAir.ControllerConfiguration
    ) -> VirtualAir.ControllerID {
        world.addController(configuration)
    }

    /// Puts a controller on the air for a host in this process; it goes when its host does.
    ///
    /// - Parameter configuration: The controller.
    /// - Returns: The host's end of the HCI.
    public func attach(_ configuration: VirtualAir.ControllerConfiguration) -> any OctetTransport {
        VirtualTransport(radio: self, attachment: attach(to: addController(configuration), onlyForIt: true))
    }

    /// Attaches a host to a controller; the host before it must have been detached.
    func attach(to id: VirtualAir.ControllerID, onlyForIt: Bool = false) -> Attachment {
        attachments += 1
        attached[id] = Attached(number: attachments, isOnlyForIt: onlyForIt)
        return Attachment(id: id, number: attachments)
    }

    func send(_ octets: [UInt8], from attachment: Attachment) throws(TransportError) {
        guard host(attachment) != nil else { throw .lost("it was closed") }
        world.receive(octets, on: attachment.id, at: clock.now)
        drain()
    }

    /// Waits until a host has taken out enough for more to be sent by it; one caller at a time.
    func waitForRoom(_ attachment: Attachment) async {
        guard host(attachment)?.isBehind == true else { return }
        await withCheckedContinuation { attached[attachment.id]?.writer = $0 }
    }

    func receive(_ attachment: Attachment) async -> [UInt8]? {
        guard let host = host(attachment) else { return nil }
        guard host.octets.isEmpty else { return take(attachment.id) }
        return await withCheckedContinuation { attached[attachment.id]?.reader = $0 }
    }

    /// Detaches a host.
    ///
    /// - Returns: Whether it was still attached; not when it has been cut off.
    @discardableResult
    func detach(_ attachment: Attachment) -> Bool {
        guard host(attachment) != nil else { return false }
        remove(attachment.id)
        drain()
        return true
    }

    private func host(_ attachment: Attachment) -> Attached? {
        guard let host = attached[attachment.id], host.number == attachment.number else { return nil }
        return host
    }

    private func remove(_ id: VirtualAir.ControllerID) {
        guard let host = attached.removeValue(forKey: id) else { return }
        host.reader?.resume(returning: nil)
        host.writer?.resume()
        if host.isOnlyForIt {
            world.removeController(id, at: clock.now)
        } else {
            world.hostDetached(id, at: clock.now)
        }
    }

    /// Takes out all that waits for a host.
    private func take(_ id: VirtualAir.ControllerID) -> [UInt8] {
        guard var host = attached[id] else { return [] }
        let octets = host.octets
        host.octets = []
        host.writer?.resume()
        host.writer = nil
        attached[id] = host
        world.air.setHostBusy(id, false)
        return octets
    }

    private func drain() {
        while let (id, octets) = world.nextOutput() {
            attached[id]?.octets += octets
            guard let host = attached[id], host.isBehind else { continue }
            if host.octets.count < Self.limit { world.air.setHostBusy(id, true) } else { remove(id) }
        }
        for (id, host) in attached where !host.octets.isEmpty {
            guard let reader = host.reader else { continue }
            attached[id]?.reader = nil
            reader.resume(returning: take(id))
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
    let attachment: VirtualRadio.Attachment

    func send(_ octets: [UInt8]) async throws(TransportError) {
        try await radio.send(octets, from: attachment)
    }

    func receive() async throws(TransportError) -> [UInt8]? { await radio.receive(attachment) }

    func close() async { await radio.detach(attachment) }
}

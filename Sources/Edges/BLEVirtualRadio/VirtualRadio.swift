// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLETransport
import BLEWire

/// A simulated world in real time, with transports for hosts in this process.
///
/// Each host gets a controller of its own on the air and talks HCI to it, as it would to hardware. What a
/// host does not take out waits, within bounds: first its controller refuses data and drops reports, as one
/// with full buffers does, and a host that lets even its events pile up is cut off.
///
/// The air and everybody whose transport is on its loop share one thread. On a ``ManualLoop`` the air stands still
/// until a test lets it go on.
public actor VirtualRadio {
    /// Octets that wait for a host from which on its controller holds back what it may.
    static let highWater = 1 << 16
    /// Octets that wait for a host at which it is cut off.
    static let limit = 1 << 20

    /// Why a host is there no more.
    enum Departure: Sendable {
        /// Its transport has ended.
        case left
        /// It did not take what its controller sent.
        case cutOff
    }

    /// A host at a controller.
    private struct Attached {
        let transport: any MeasuredTransport
        /// Whether the controller goes when its host does.
        let isOnlyForIt: Bool
        /// Called once when the host has gone.
        let departed: @Sendable (Departure) -> Void
        var isBusy = false
    }

    /// The thread of the air, and its clock.
    public nonisolated let loop: TransportLoop
    private let world: SimulatedWorld
    private var attached: [VirtualAir.ControllerID: Attached] = [:]
    private var timer: LoopTimer?
    /// Who is on it, by address.
    var addresses = AirAddresses()

    /// Runs on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a world with nobody in it, on a loop of its own.
    ///
    /// - Parameter configuration: How the air behaves.
    /// - Throws: `TransportError` when the system gives no more descriptors or threads.
    public init(
        _ configuration: VirtualAir.Configuration = VirtualAir.Configuration()
    ) throws(TransportError) {
        self.init(configuration, on: try TransportLoop())
    }

    /// Makes a world with nobody in it.
    ///
    /// - Parameters:
    ///   - configuration: How the air behaves.
    ///   - loop: What it runs on; its clock is that of the world.
    public init(
        _ configuration: VirtualAir.Configuration = VirtualAir.Configuration(), on loop: TransportLoop
    ) {
        self.loop = loop
        world = SimulatedWorld(configuration)
    }

    /// Puts devices on the air and starts them.
    ///
    /// - Parameter make: Makes the devices; they belong to the world from then on.
    /// - Returns: Their controllers, in order.
    @discardableResult
    public func add(_ make: @Sendable () -> [any SimulatedHost]) -> [VirtualAir.ControllerID] {
        make().map { add($0) }
    }

    /// Puts one device on the air and starts it.
    func add(_ host: any SimulatedHost) -> VirtualAir.ControllerID {
        defer { drain() }
        let address = host.address
        let controller = world.add(host, at: loop.now)
        addresses.add(address, at: controller)
        return controller
    }

    /// Moves a controller or device.
    ///
    /// - Parameters:
    ///   - id: The controller; nothing happens when it is not there.
    ///   - position: Where it stands from now on.
    public func move(_ id: VirtualAir.ControllerID, to position: VirtualAir.Position) {
        world.advance(to: loop.now)
        world.air.move(id, to: position)
        drain()
    }

    /// Changes how likely a packet is lost.
    ///
    /// - Parameter loss: The probability; 0 to 1.
    public func setLoss(_ loss: Double) {
        world.advance(to: loop.now)
        world.air.loss = loss
        drain()
    }

    /// Lets a test look at the air, or change it.
    package func withAir<Result>(_ body: (VirtualAir) -> Result) -> Result {
        world.advance(to: loop.now)
        let result = body(world.air)
        drain()
        return result
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
    /// - Parameters:
    ///   - configuration: The controller.
    ///   - loop: The loop of the host; that of the air costs no change of threads.
    /// - Returns: The host's end of the HCI, which names the controller.
    public func attach(
        _ configuration: VirtualAir.ControllerConfiguration, on loop: TransportLoop
    ) -> VirtualTransport {
        let (host, air) = TransportPair.make(loop, self.loop)
        let controller = addController(configuration)
        attach(air, to: controller, onlyForIt: true) { _ in }
        return VirtualTransport(host, to: controller)
    }

    /// Attaches a host to a controller; the host before it must have gone.
    ///
    /// The air lives as long as its hosts.
    ///
    /// - Parameters:
    ///   - transport: The air's end of the HCI, on the air's loop.
    ///   - id: The controller.
    ///   - onlyForIt: Whether the controller goes when its host does.
    ///   - departed: Called on the loop once the host has gone; its links are dropped then.
    func attach(
        _ transport: any MeasuredTransport, to id: VirtualAir.ControllerID, onlyForIt: Bool = false,
        _ departed: @escaping @Sendable (Departure) -> Void
    ) {
        attached[id] = Attached(transport: transport, isOnlyForIt: onlyForIt, departed: departed)
        transport.whenGone { self.assumeIsolated { $0.hostHasRead(id) } }
        transport.start { input in
            self.assumeIsolated { radio in
                switch input {
                case .octets(let octets): radio.receive(octets, on: id, transport)
                case .ended: radio.remove(id, transport, .left)
                }
            }
        }
    }

    /// Attaches a host and waits until it has gone.
    func carry(_ transport: any MeasuredTransport, at id: VirtualAir.ControllerID) async -> Departure {
        await withCheckedContinuation { waiter in
            attach(transport, to: id) { waiter.resume(returning: $0) }
        }
    }

    /// Takes a controller that is for one host only off the air, and cuts the host off.
    func detach(_ id: VirtualAir.ControllerID) {
        guard let host = attached[id] else { return }
        remove(id, host.transport, .left)
    }

    private func receive(
        _ octets: [UInt8], on id: VirtualAir.ControllerID, _ transport: any MeasuredTransport
    ) {
        guard attached[id]?.transport === transport else { return }
        world.receive(octets, on: id, at: loop.now)
        drain()
    }

    /// Nothing waits for a host any more.
    private func hostHasRead(_ id: VirtualAir.ControllerID) {
        guard attached[id]?.isBusy == true else { return }
        attached[id]?.isBusy = false
        world.air.setHostBusy(id, false)
        drain()
    }

    private func remove(
        _ id: VirtualAir.ControllerID, _ transport: any MeasuredTransport, _ departure: Departure
    ) {
        guard let host = attached[id], host.transport === transport else { return }
        attached[id] = nil
        if host.isOnlyForIt {
            world.removeController(id, at: loop.now)
        } else {
            world.hostDetached(id, at: loop.now)
        }
        transport.close()
        host.departed(departure)
        drain()
    }

    /// Hands out what the world says, and sets the timer.
    private func drain() {
        while let (id, octets) = world.nextOutput() {
            guard let host = attached[id] else { continue }
            host.transport.send(octets)
            let waiting = host.transport.waitingCount
            guard waiting >= Self.highWater else { continue }
            if waiting >= Self.limit {
                remove(id, host.transport, .cutOff)
            } else if !host.isBusy {
                attached[id]?.isBusy = true
                world.air.setHostBusy(id, true)
            }
        }
        setTimer(world.nextDeadline)
    }

    private func setTimer(_ deadline: HostInstant?) {
        if timer == nil {
            timer = loop.makeTimer { [weak self] in self?.assumeIsolated { $0.deadlineReached() } }
        }
        timer?.set(deadline)
    }

    private func deadlineReached() {
        world.advance(to: loop.now)
        drain()
    }
}

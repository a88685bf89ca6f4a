// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEHost
public import BLEWire

/// Any device session on a host and controller of its own, all of it simulated but the protocols.
public final class SimulatedDevice<Session: DeviceSession & ~Copyable>: SimulatedHost {
    /// The device's kind, as it is named on the command line.
    public let kind: String
    /// Its static random address.
    public let address: BluetoothAddress
    /// Its controller's place on the air and properties.
    public let controller: VirtualAir.ControllerConfiguration
    private var host: DeviceHost<Session>
    private let observer: (Session.Event, HostInstant) -> Void

    /// Puts a session on a simulated host.
    ///
    /// - Parameters:
    ///   - kind: The device's kind.
    ///   - session: The session; it has not been started.
    ///   - address: The device's static random address.
    ///   - position: Where it stands.
    ///   - observer: Called for what the session reports, with the moment.
    public init(
        kind: String,
        _ session: consuming Session,
        address: BluetoothAddress,
        position: VirtualAir.Position = VirtualAir.Position(),
        observer: @escaping (Session.Event, HostInstant) -> Void = { _, _ in }
    ) {
        self.kind = kind
        self.address = address
        self.observer = observer
        var controller = VirtualAir.ControllerConfiguration(address: BluetoothAddress(0, kind: .public))
        controller.position = position
        self.controller = controller
        host = DeviceHost(session, randomAddress: address)
    }

    /// Starts the device.
    public func start(at now: HostInstant) {
        host.start(at: now)
        collect(at: now)
    }

    /// Takes octets from its controller.
    public func receive(_ octets: [UInt8], at now: HostInstant) {
        host.receive(octets, at: now)
        collect(at: now)
    }

    /// Handles ``nextDeadline`` once it has come.
    public func deadlineReached(at now: HostInstant) {
        host.deadlineReached(at: now)
        collect(at: now)
    }

    /// The next octets for its controller.
    public func nextOutput() -> [UInt8]? { octets.popFirst() }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? { host.nextDeadline }

    /// Does something with the session, such as pressing its button.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - body: What to do.
    public func update(at now: HostInstant, _ body: (inout Session) -> Void) {
        host.update(at: now, body)
        collect(at: now)
    }

    private var octets = FIFO<[UInt8]>()

    private func collect(at now: HostInstant) {
        while let output = host.nextOutput() {
            switch output {
            case .send(let packet): octets.append(packet)
            case .event(let event): observer(event, now)
            case .advertising: break
            // A virtual controller goes off only when the world ends.
            case .failed: break
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEHost
public import BLEWire

/// A device session on the whole host and a controller of its own, all of it simulated but the protocols.
public typealias SimulatedDevice<Session: DeviceSession & ~Copyable> = SimulatedDeviceHost<
    DeviceHost<Session>
>

/// A host with a device session on it, on the air.
public final class SimulatedDeviceHost<Host: DeviceHosting & ~Copyable>: SimulatedHost {
    /// The device's kind, as it is named on the command line.
    public let kind: String
    /// Its static random address.
    public let address: BluetoothAddress
    /// Its controller's place on the air and properties.
    public let controller: VirtualAir.ControllerConfiguration
    private var host: Host
    private let observer: (Host.Event, HostInstant) -> Void

    /// Puts a host on the air.
    ///
    /// - Parameters:
    ///   - kind: The device's kind.
    ///   - host: The host, with this random address; it has not been started.
    ///   - address: The device's static random address.
    ///   - position: Where it stands.
    ///   - observer: Called for what the session reports, with the moment.
    public init(
        kind: String,
        host: consuming Host,
        address: BluetoothAddress,
        position: VirtualAir.Position = VirtualAir.Position(),
        observer: @escaping (Host.Event, HostInstant) -> Void = { _, _ in }
    ) {
        self.kind = kind
        self.address = address
        self.observer = observer
        var controller = VirtualAir.ControllerConfiguration(address: BluetoothAddress(0, kind: .public))
        controller.position = position
        self.controller = controller
        self.host = host
    }

    /// Puts a session on a whole host on the air.
    ///
    /// - Parameters:
    ///   - kind: The device's kind.
    ///   - session: The session; it has not been started.
    ///   - address: The device's static random address.
    ///   - position: Where it stands.
    ///   - observer: Called for what the session reports, with the moment.
    public convenience init<Session: DeviceSession & ~Copyable>(
        kind: String,
        _ session: consuming Session,
        address: BluetoothAddress,
        position: VirtualAir.Position = VirtualAir.Position(),
        observer: @escaping (Session.Event, HostInstant) -> Void = { _, _ in }
    ) where Host == DeviceHost<Session> {
        self.init(
            kind: kind, host: DeviceHost(session, randomAddress: address), address: address,
            position: position,
            observer: observer)
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

    /// Does something with the host.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - body: What to do.
    public func withHost(at now: HostInstant, _ body: (inout Host) -> Void) {
        body(&host)
        collect(at: now)
    }

    /// Does something with the session, such as pressing its button.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - body: What to do.
    public func update<Session: DeviceSession & ~Copyable>(
        at now: HostInstant, _ body: (inout Session) -> Void
    ) where Host == DeviceHost<Session> { withHost(at: now) { $0.update(at: now, body) } }

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

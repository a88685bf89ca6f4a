// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A virtual air with devices on it as one machine, for those who write a host or drive one octet by octet.
///
/// It takes and gives HCI octets, only for controllers that have no simulated device: those of hosts outside.
/// Time is whatever the caller says; deadlines of air and devices are met in order, however far it jumps. It knows no radios: for tests
/// of apps there is `TestAir` of BLEVirtualRadio, which lives on one of these.
public final class SimulatedWorld {
    /// The air.
    public let air: VirtualAir
    private var hosts: [(id: VirtualAir.ControllerID, host: any SimulatedHost)] = []
    private var outputs = FIFO<(controller: VirtualAir.ControllerID, octets: [UInt8])>()

    /// Starts with nobody on the air.
    ///
    /// - Parameter configuration: How the air behaves.
    public init(_ configuration: VirtualAir.Configuration = VirtualAir.Configuration()) {
        air = VirtualAir(configuration)
    }

    /// Puts a device on the air and starts it.
    ///
    /// - Parameters:
    ///   - host: The device.
    ///   - now: The moment.
    /// - Returns: Its controller.
    @discardableResult
    public func add(_ host: any SimulatedHost, at now: HostInstant) -> VirtualAir.ControllerID {
        advance(to: now)
        let id = air.addController(host.controller)
        hosts.append((id, host))
        host.start(at: now)
        send(of: host, id, at: now)
        pump(at: now)
        return id
    }

    /// Puts a controller for a host outside on the air.
    ///
    /// - Parameter configuration: The controller.
    /// - Returns: Its name.
    public func addController(_ configuration: VirtualAir.ControllerConfiguration) -> VirtualAir.ControllerID
    {
        air.addController(configuration)
    }

    /// Takes the controller of a host outside off the air; its peers find out by their timeouts.
    ///
    /// - Parameters:
    ///   - id: The controller.
    ///   - now: The moment.
    public func removeController(_ id: VirtualAir.ControllerID, at now: HostInstant) {
        advance(to: now)
        air.removeController(id)
        pump(at: now)
    }

    /// Takes octets from a host outside.
    ///
    /// - Parameters:
    ///   - octets: H4 packets, cut in any way.
    ///   - id: The host's controller.
    ///   - now: The moment.
    public func receive(_ octets: [UInt8], on id: VirtualAir.ControllerID, at now: HostInstant) {
        advance(to: now)
        air.receive(octets, on: id, at: now)
        pump(at: now)
    }

    /// Handles that a host outside has vanished: its links are dropped.
    ///
    /// - Parameters:
    ///   - id: The host's controller.
    ///   - now: The moment.
    public func hostDetached(_ id: VirtualAir.ControllerID, at now: HostInstant) {
        advance(to: now)
        air.hostDetached(id)
        pump(at: now)
    }

    /// The next octets for a host outside.
    ///
    /// - Returns: The host's controller and octets; `nil` when there are none until the next input.
    public func nextOutput() -> (controller: VirtualAir.ControllerID, octets: [UInt8])? {
        outputs.popFirst()
    }

    /// When to call ``advance(to:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var earliest = air.nextDeadline
        for (_, host) in hosts { earliest = HostInstant.earliest(earliest, host.nextDeadline) }
        return earliest
    }

    /// Moves the receiver on to the present.
    ///
    /// - Parameter moment: Up to when; every deadline until then is met, in order.
    public func advance(to moment: HostInstant) {
        while let due = nextDeadline, due <= moment {
            let now = max(due, air.now)
            air.advance(to: now)
            for (id, host) in hosts {
                guard let deadline = host.nextDeadline, deadline <= now else { continue }
                host.deadlineReached(at: now)
                send(of: host, id, at: now)
            }
            pump(at: now)
        }
        air.advance(to: moment)
        pump(at: moment)
    }

    /// Carries octets between controllers and hosts until nothing moves.
    private func pump(at now: HostInstant) {
        // A device may have been told to do something since.
        for (id, host) in hosts { send(of: host, id, at: now) }
        while let (id, octets) = air.nextOutput() {
            guard let host = hosts.first(where: { $0.id == id })?.host else {
                outputs.append((id, octets))
                continue
            }
            host.receive(octets, at: now)
            send(of: host, id, at: now)
        }
    }

    private func send(of host: any SimulatedHost, _ id: VirtualAir.ControllerID, at now: HostInstant) {
        while let octets = host.nextOutput() { air.receive(octets, on: id, at: now) }
    }
}

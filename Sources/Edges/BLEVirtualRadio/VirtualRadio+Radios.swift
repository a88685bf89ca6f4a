// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEHost
import BLEHostDriver
public import BLESimulation
import BLETransport
public import BLEWire
public import BluetoothLE

extension VirtualRadio {
    /// Puts a radio on the air, with our own host and a controller of its own.
    ///
    /// - Parameters:
    ///   - address: By which others know it: a static random one, as `C0:00:00:00:00:01`, which our host always has.
    ///   - position: Where it stands.
    ///   - configuration: How its host behaves.
    ///   - bonds: What keeps its bonds from run to run; `nil` keeps them as long as the radio lives.
    /// - Returns: The radio, started; whoever makes it closes it.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` for another kind of address.
    public nonisolated func radio(
        _ address: BluetoothAddress, at position: VirtualAir.Position = VirtualAir.Position(),
        _ configuration: HostConfiguration = HostConfiguration(), bonds: (any BondStore)? = nil
    ) async throws(BluetoothError) -> Radio {
        try await radio(address, at: position, configuration, bonds: bonds) { _ in }
    }

    /// Puts a radio on the air.
    ///
    /// - Parameters:
    ///   - address: By which others know it.
    ///   - position: Where it stands.
    ///   - configuration: How its host behaves.
    ///   - bonds: What keeps its bonds.
    ///   - attached: Called with its controller, and again with another one when it was cut off.
    /// - Returns: The radio, started.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` for another kind of address.
    nonisolated func radio(
        _ address: BluetoothAddress, at position: VirtualAir.Position, _ configuration: HostConfiguration,
        bonds: (any BondStore)?, attached: @escaping @Sendable (VirtualAir.ControllerID) -> Void
    ) async throws(BluetoothError) -> Radio {
        guard address.kind == .random, BluetoothAddress.likelyKind(of: address.value) == .random else {
            throw .invalidArgument(
                "A radio on the virtual air has a static random address, such as C0:00:00:00:00:01.")
        }
        var host = configuration
        host.randomAddress = address
        var controller = VirtualAir.ControllerConfiguration(address: BluetoothAddress(0, kind: .public))
        controller.position = position
        let radio = HostRadio(host, bonds: bonds, loop: loop) {
            [controller] (loop) async throws(TransportError) in
            let transport = await self.attach(controller, on: loop)
            attached(transport.controller)
            return transport
        }
        try await radio.start()
        return Radio(owning: radio)
    }

    /// Puts a device of any session on the air and starts it.
    ///
    /// - Parameters:
    ///   - session: The session; it has not been started.
    ///   - address: Its static random address.
    ///   - position: Where it stands.
    /// - Returns: Its controller.
    @discardableResult
    public func add<Session: DeviceSession & ~Copyable>(
        _ session: consuming sending Session, at address: BluetoothAddress,
        position: VirtualAir.Position = VirtualAir.Position()
    ) -> VirtualAir.ControllerID {
        add(SimulatedDevice(kind: "", session, address: address, position: position))
    }
}

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
    ///   - cryptography: What keys are made with, as `HostCryptography()` of BLECrypto; without it the radio cannot pair.
    ///   - bonds: What keeps its bonds from run to run; `nil` keeps them as long as the radio lives.
    ///   - agent: How this side pairs, and who answers for it, when a device asks for it; as `pairWhenAsked` sets it.
    /// - Returns: The radio, started; whoever makes it closes it.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` for another kind of address, ``BluetoothError/pairing(_:)`` with
    ///   `noCryptography` for an agent without cryptography.
    public nonisolated func radio(
        _ address: BluetoothAddress, at position: VirtualAir.Position = VirtualAir.Position(),
        _ configuration: HostConfiguration = HostConfiguration(),
        cryptography: (any PairingCryptography)? = nil, bonds: (any BondStore)? = nil,
        agent: PairingAgent? = nil
    ) async throws(BluetoothError) -> Radio {
        var configuration = configuration
        if let cryptography { configuration.cryptography = cryptography }
        guard address.kind == .random, BluetoothAddress.likelyKind(of: address.value) == .random else {
            throw .invalidArgument(
                "A radio on the virtual air has a static random address, such as C0:00:00:00:00:01.")
        }
        var host = configuration
        host.randomAddress = address
        var controller = VirtualAir.ControllerConfiguration(address: BluetoothAddress(0, kind: .public))
        controller.position = position
        await addRadio(address)
        let radio = HostRadio(host, bonds: bonds, loop: loop) {
            [controller] (loop) async throws(TransportError) in
            try await self.attach(controller, of: address, on: loop)
        }
        do throws(BluetoothError) {
            // Before anybody can ask, and with the keys that are kept.
            if let agent { try await radio.pairWhenAsked(agent) }
            try await radio.start()
            if let agent { try await radio.pairWhenAsked(agent) }
        } catch {
            await radio.close()
            throw error
        }
        return Radio(owning: radio)
    }

    private func addRadio(_ address: BluetoothAddress) { addresses.addRadio(address) }

    /// Gives a radio a controller, unless it is switched off.
    private func attach(
        _ controller: VirtualAir.ControllerConfiguration, of address: BluetoothAddress, on loop: TransportLoop
    ) throws(TransportError) -> VirtualTransport {
        guard addresses.isOn(address) else { throw .cannotOpen("it is switched off") }
        let transport = attach(controller, on: loop)
        addresses.add(address, at: transport.controller)
        return transport
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

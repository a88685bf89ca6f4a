// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLETransport

/// A host's way to its controller on a virtual air.
public final class VirtualTransport: Transport {
    /// The controller, to be moved or looked at.
    public let controller: VirtualAir.ControllerID
    private let end: any Transport

    init(_ end: any Transport, to controller: VirtualAir.ControllerID) {
        self.end = end
        self.controller = controller
    }

    /// Where what arrives is handed over.
    public var loop: TransportLoop { end.loop }
    /// Whether each input is exactly one HCI packet.
    public var isPacketBased: Bool { end.isPacketBased }
    /// Starts to read; once.
    public func start(_ receiver: @escaping @Sendable (TransportInput) -> Void) { end.start(receiver) }
    /// Sends octets.
    public func send(_ octets: [UInt8]) { end.send(octets) }
    /// Takes the host off the air, and the controller with it.
    public func close() { end.close() }
}

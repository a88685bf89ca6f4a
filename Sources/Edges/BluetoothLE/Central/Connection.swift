// SPDX-License-Identifier: Apache-2.0

/// A link to a device, as its GATT client.
///
/// Every request is completed exactly once: with ``BluetoothError/disconnected(_:)`` when the link is lost before, with
/// ``BluetoothError/cancelled`` when the task is cancelled. A request that was sent cannot be taken back: the device may
/// still carry it out. A link stays open until somebody closes it, also when nobody holds it any more.
public final class Connection: Sendable {
    let backend: any ConnectionBackend

    package init(_ backend: any ConnectionBackend) { self.backend = backend }

    /// Whom the link goes to.
    public var peer: Peer { backend.peer }

    /// The MTU, in octets; what it was last when the link is gone.
    public var mtu: Int { backend.state.mtu }

    /// Whether the link is gone.
    public var isDisconnected: Bool { disconnectReason != nil }

    /// Why the link is gone; `nil` while it is open.
    public var disconnectReason: LinkError? { backend.state.ending.reason }

    /// Waits until the link is gone.
    ///
    /// - Returns: Why.
    /// - Throws: ``BluetoothError/cancelled``, and nothing else.
    @discardableResult
    public func waitUntilDisconnected() async throws(BluetoothError) -> LinkError {
        try await backend.state.ending.wait()
    }

    /// Closes the link and waits until it is gone; what was to be sent before still goes out.
    ///
    /// When the task is cancelled the link is closed all the same, but not waited for.
    public func disconnect() async { await backend.disconnect() }

    /// What changes about the link from now on; ends with the link.
    ///
    /// Whoever listens first is told of what was wrong with the device before, too.
    ///
    /// - Returns: The changes; each call gives a stream of its own.
    public func changes() -> LinkChangeStream { backend.state.changes() }

    /// The link's timing; `nil` when the platform does not tell or the link is gone.
    public var parameters: ConnectionParameters? { get async { await backend.parameters } }

    /// How strong the peer is received.
    ///
    /// - Returns: The strength in dBm.
    /// - Throws: ``BluetoothError``.
    public func readRSSI() async throws(BluetoothError) -> Int8 { try await backend.readRSSI() }

    /// How the link is modulated.
    ///
    /// - Returns: The modulation each way.
    /// - Throws: ``BluetoothError``.
    public func readPHY() async throws(BluetoothError) -> LinkPHY { try await backend.readPHY() }

    /// Asks for another modulation.
    ///
    /// - Parameters:
    ///   - tx: How this side may send; nothing leaves it to the radios.
    ///   - rx: How the peer may send; nothing leaves it to the radios.
    /// - Returns: What the radios have agreed upon, which may be what was.
    /// - Throws: ``BluetoothError/unsupported(_:)`` when this radio cannot, ``BluetoothError/notOffered(_:)`` when the peer's
    ///   cannot.
    public func setPHY(tx: Set<PHY>, rx: Set<PHY>) async throws(BluetoothError) -> LinkPHY {
        try await backend.setPHY(tx: tx, rx: rx)
    }

    /// Changes the link's timing.
    ///
    /// - Parameter range: What is wanted.
    /// - Returns: The timing from now on.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when no link can have such timing,
    ///   ``BluetoothError/refusedByPeer`` when the other side says no.
    public func updateParameters(
        _ range: ConnectionParameterRange
    ) async throws(BluetoothError) -> ConnectionParameters {
        try Self.check(range)
        return try await backend.updateParameters(range)
    }

    static func check(_ range: ConnectionParameterRange) throws(BluetoothError) {
        guard range.isValid else {
            throw .invalidArgument("No link can have this timing: see ConnectionParameterRange.isValid.")
        }
    }

    /// Which controller the peer has.
    ///
    /// - Returns: Its version and maker.
    /// - Throws: ``BluetoothError``.
    public func readPeerVersion() async throws(BluetoothError) -> PeerVersion {
        try await backend.readPeerVersion()
    }

    /// Opens an L2CAP channel.
    ///
    /// - Parameters:
    ///   - psm: What the channel is for, 0x0001 to 0x00FF: the device's maker says which.
    ///   - options: What this side takes on it.
    /// - Returns: The open channel.
    /// - Throws: ``BluetoothError/channel(_:)`` when the peer refuses.
    public func openChannel(
        psm: UInt16, _ options: ChannelOptions = ChannelOptions()
    ) async throws(BluetoothError) -> Channel {
        Channel(try await backend.openChannel(psm: psm, options))
    }
}

extension Connection: Hashable {
    /// Whether both are the same link.
    public static func == (a: Connection, b: Connection) -> Bool { a.backend === b.backend }

    /// Hashes which link it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(backend)) }
}

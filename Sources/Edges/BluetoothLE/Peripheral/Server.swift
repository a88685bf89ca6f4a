// SPDX-License-Identifier: Apache-2.0

/// A running server: this program as a device.
///
/// It runs until somebody stops it, also when nobody holds it any more.
public final class Server: Sendable {
    /// Somebody who uses the server, for as long as their link lasts.
    public struct Client: Hashable, Sendable {
        /// Who they are.
        public let peer: Peer
        /// Their link, which is never used for anybody else.
        public let link: LinkID

        package init(peer: Peer, link: LinkID) {
            self.peer = peer
            self.link = link
        }
    }

    let backend: any ServerBackend

    package init(_ backend: any ServerBackend) { self.backend = backend }

    /// Who uses the server now.
    public var clients: Set<Client> { backend.state.clients }

    /// The attributes with their handles.
    public var database: GATT.Database { get async { await backend.database } }

    /// The handle of the first value of a kind.
    ///
    /// - Parameter uuid: What the value is.
    /// - Returns: Its handle; `nil` when there is no such value.
    public func valueHandle(of uuid: BluetoothUUID) async -> AttributeHandle? {
        await backend.database.valueHandle(of: uuid)
    }

    /// What clients do, in order; ends when the server is stopped, and throws when the radio is gone.
    ///
    /// One consumer, who must go on taking events out. As long as nobody does, a client that has read or written what is
    /// delegated waits for its response; after 30 s it gives up, and the link with it. One whose events pile up is cut off
    /// (`LinkError.consumerTooSlow`). When nobody holds the stream any more, requests are refused.
    public func events() -> ServerEventStream { backend.state.events }

    /// Answers a read.
    ///
    /// - Parameters:
    ///   - request: The read; one that was answered before is not answered again.
    ///   - value: The whole value, at most 512 octets.
    public func respond(to request: ReadRequest, with value: [UInt8]) async {
        await backend.answer(.success(value), to: request.number, of: request.client)
    }

    /// Answers a write: the value is taken.
    ///
    /// - Parameter request: The write; one that expects no response, or was answered before, is not answered.
    public func respond(to request: WriteRequest) async {
        guard request.expectsResponse else { return }
        await backend.answer(.success([]), to: request.number, of: request.client)
    }

    /// Refuses a read.
    ///
    /// - Parameters:
    ///   - request: The read.
    ///   - code: Why.
    public func refuse(_ request: ReadRequest, with code: ATT.ErrorCode) async {
        await backend.answer(.failure(code), to: request.number, of: request.client)
    }

    /// Refuses a write.
    ///
    /// - Parameters:
    ///   - request: The write; one that expects no response is not answered.
    ///   - code: Why.
    public func refuse(_ request: WriteRequest, with code: ATT.ErrorCode) async {
        guard request.expectsResponse else { return }
        await backend.answer(.failure(code), to: request.number, of: request.client)
    }

    /// Gives a characteristic a new value: stores it, and sends it to all who have subscribed.
    ///
    /// Waits for nobody: a client whose link has no room gets it when it has, or a newer one instead.
    ///
    /// - Parameters:
    ///   - value: The value, at most 512 octets; what exceeds a client's MTU - 3 is not sent to it.
    ///   - handle: The handle of the characteristic's value; a delegated one is only sent.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when there is no such value,
    ///   ``BluetoothError/tooLong(octets:limit:)``.
    public func update(_ value: [UInt8], of handle: AttributeHandle) async throws(BluetoothError) {
        guard value.count <= ATT.maximumValueLength else {
            throw .tooLong(octets: value.count, limit: ATT.maximumValueLength)
        }
        try await backend.update(value, of: handle)
    }

    /// Gives the first value of a kind a new value, as ``update(_:of:)-([UInt8],AttributeHandle)`` does.
    ///
    /// - Parameters:
    ///   - value: The value, at most 512 octets.
    ///   - uuid: What the characteristic is.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when there is no such value,
    ///   ``BluetoothError/tooLong(octets:limit:)``.
    public func update(_ value: [UInt8], of uuid: BluetoothUUID) async throws(BluetoothError) {
        try await update(value, of: try await handle(of: uuid))
    }

    /// Notifies one client of a value, without storing it; waits while its link has no room.
    ///
    /// - Parameters:
    ///   - value: The value; what exceeds MTU - 3 octets is cut off.
    ///   - handle: Its handle.
    ///   - client: To whom.
    /// - Returns: Whether it was sent; not when the client has not subscribed or is gone.
    /// - Throws: ``BluetoothError/cancelled``.
    @discardableResult
    public nonisolated(nonsending) func notify(
        _ value: [UInt8], of handle: AttributeHandle, to client: Client
    ) async throws(BluetoothError) -> Bool {
        try await backend.send(value, of: handle, as: .notify, to: client)
    }

    /// Notifies one client of the first value of a kind, as ``notify(_:of:to:)-([UInt8],AttributeHandle,_)`` does.
    ///
    /// - Parameters:
    ///   - value: The value; what exceeds MTU - 3 octets is cut off.
    ///   - uuid: What the characteristic is.
    ///   - client: To whom.
    /// - Returns: Whether it was sent; not when the client has not subscribed or is gone.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when there is no such value, ``BluetoothError/cancelled``.
    @discardableResult
    public nonisolated(nonsending) func notify(
        _ value: [UInt8], of uuid: BluetoothUUID, to client: Client
    ) async throws(BluetoothError) -> Bool {
        try await notify(value, of: try await handle(of: uuid), to: client)
    }

    private func handle(of uuid: BluetoothUUID) async throws(BluetoothError) -> AttributeHandle {
        guard let handle = await valueHandle(of: uuid) else {
            throw .invalidArgument("This server has no value \(uuid).")
        }
        return handle
    }

    /// Indicates a value to one client, without storing it; waits while its link has no room.
    ///
    /// ``ServerEvent/indicationConfirmed(of:by:)`` tells when the client has it.
    ///
    /// - Parameters:
    ///   - value: The value; what exceeds MTU - 3 octets is cut off.
    ///   - handle: Its handle.
    ///   - client: To whom.
    /// - Returns: Whether it was sent; not when the client has not subscribed or is gone.
    /// - Throws: ``BluetoothError/cancelled``.
    @discardableResult
    public nonisolated(nonsending) func indicate(
        _ value: [UInt8], of handle: AttributeHandle, to client: Client
    ) async throws(BluetoothError) -> Bool {
        try await backend.send(value, of: handle, as: .indicate, to: client)
    }

    /// The link of a client, to use what that client itself serves.
    ///
    /// - Parameter client: Whose.
    /// - Returns: The link; all calls for one client give the same.
    /// - Throws: ``BluetoothError/disconnected(_:)`` when it is gone.
    public func connection(to client: Client) async throws(BluetoothError) -> Connection {
        Connection(try await backend.connection(to: client))
    }

    /// Asks a client for other timing of its link.
    ///
    /// - Parameters:
    ///   - range: What is wanted.
    ///   - client: Whose link.
    /// - Returns: The timing from now on.
    /// - Throws: ``BluetoothError/refusedByPeer`` when the client's host says no,
    ///   ``BluetoothError/invalidArgument(_:)`` when no link can have such timing.
    public func updateParameters(
        _ range: ConnectionParameterRange, of client: Client
    ) async throws(BluetoothError) -> ConnectionParameters {
        try Connection.check(range)
        return try await backend.updateParameters(range, of: client)
    }

    /// Changes what is advertised.
    ///
    /// - Parameter advertisement: What to advertise; the name goes with it as ``ServerDescription/advertisesName`` says.
    /// - Throws: ``BluetoothError/refusedByRadio(_:)``, ``BluetoothError/tooLong(octets:limit:)``.
    public func advertise(_ advertisement: DeviceAdvertisement) async throws(BluetoothError) {
        try await backend.advertise(advertisement)
    }

    /// Advertises no more, until ``advertise(_:)``; links that are open stay so.
    ///
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when the server was stopped.
    public func stopAdvertising() async throws(BluetoothError) { try await backend.stopAdvertising() }

    /// Offers a service more; clients that are connected are told, if they want to know.
    ///
    /// - Parameter service: The service.
    /// - Returns: Its handles.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when its handles are taken or there is no room.
    public func add(_ service: GATT.ServiceDefinition) async throws(BluetoothError) -> ATT.HandleRange {
        try await backend.add(service)
    }

    /// Offers a service no more; clients that are connected are told, if they want to know.
    ///
    /// Their subscriptions to its values end without another event. A request of one of its values that waits still
    /// needs a response.
    ///
    /// - Parameter handle: The handle of its declaration.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when there is none, or another service includes it.
    public func removeService(at handle: AttributeHandle) async throws(BluetoothError) {
        try await backend.removeService(at: handle)
    }

    /// Closes a client's link; done when it is gone or the task is cancelled.
    ///
    /// - Parameter client: Whose.
    /// - Throws: ``BluetoothError/unsupported(_:)`` where a platform does not let a peripheral do that.
    public func disconnect(_ client: Client) async throws(BluetoothError) {
        try await backend.disconnect(client)
    }

    /// Stops advertising and closes the clients' links; done when they are gone or the task is cancelled.
    ///
    /// Requests that wait are refused.
    public func stop() async { await backend.stop() }
}

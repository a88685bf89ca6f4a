// SPDX-License-Identifier: Apache-2.0

/// What a platform must do to be the server behind ``Server``.
///
/// Requirements that a platform may lack have a default that throws ``BluetoothError/unsupported(_:)``.
package protocol ServerBackend: AnyObject, Sendable {
    /// Who uses the server, and what they do.
    nonisolated var state: ServerState { get }
    nonisolated var database: GATT.Database { get async }
    /// Answers a request, unless it has been answered before.
    nonisolated func answer(
        _ result: Result<[UInt8], ATT.ErrorCode>, to number: UInt64, of client: Server.Client
    ) async
    nonisolated func update(_ value: [UInt8], of handle: AttributeHandle) async throws(BluetoothError)
    /// Sends a value when the link has room for it.
    nonisolated(nonsending) func send(
        _ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, to client: Server.Client
    ) async throws(BluetoothError) -> Bool
    nonisolated func advertise(_ advertisement: DeviceAdvertisement) async throws(BluetoothError)
    nonisolated func stopAdvertising() async throws(BluetoothError)
    nonisolated func stop() async

    nonisolated func connection(to client: Server.Client) async throws(BluetoothError)
        -> any ConnectionBackend
    nonisolated func updateParameters(
        _ range: ConnectionParameterRange, of client: Server.Client
    ) async throws(BluetoothError) -> ConnectionParameters
    nonisolated func add(_ service: GATT.ServiceDefinition) async throws(BluetoothError) -> ATT.HandleRange
    nonisolated func removeService(at handle: AttributeHandle) async throws(BluetoothError)
    nonisolated func disconnect(_ client: Server.Client) async throws(BluetoothError)
}

extension ServerBackend {
    package nonisolated func connection(
        to client: Server.Client
    ) async throws(BluetoothError) -> any ConnectionBackend { throw .unsupported(.clientOfCentrals) }
    package nonisolated func updateParameters(
        _ range: ConnectionParameterRange, of client: Server.Client
    ) async throws(BluetoothError) -> ConnectionParameters { throw .unsupported(.connectionParameters) }
    package nonisolated func add(
        _ service: GATT.ServiceDefinition
    ) async throws(BluetoothError) -> ATT.HandleRange { throw .unsupported(.dynamicServices) }
    package nonisolated func removeService(at handle: AttributeHandle) async throws(BluetoothError) {
        throw .unsupported(.dynamicServices)
    }
    package nonisolated func disconnect(_ client: Server.Client) async throws(BluetoothError) {
        throw .unsupported(.disconnectingClients)
    }
}

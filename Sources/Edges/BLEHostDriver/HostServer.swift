// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Synchronization

/// A running server of our own host stack.
final class HostServer: ServerBackend {
    let description: ServerDescription
    let state: ServerState
    private let radio: HostRadio
    private let consumed: ConsumedEvents

    init(_ radio: HostRadio, _ description: ServerDescription) {
        self.radio = radio
        self.description = description
        let consumed = ConsumedEvents()
        self.consumed = consumed
        state = ServerState(
            consumed: { [weak radio] event in
                guard let radio, consumed.add(event) else { return }
                radio.loop.execute { radio.onLoop(consumed) { $0.eventsConsumed($1) } }
            },
            abandoned: { [weak radio] in
                guard let radio else { return }
                radio.loop.execute { radio.assumeIsolated { $0.abandoned(consumed) } }
            })
    }

    /// Whether this is its consumption, not that of another server.
    func isOf(_ consumed: ConsumedEvents) -> Bool { self.consumed === consumed }

    var database: GATT.Database { get async { await radio.database } }

    func answer(
        _ result: Result<[UInt8], ATT.ErrorCode>, to number: UInt64, of client: Server.Client
    ) async { await radio.answer(result, to: number, on: client.link) }

    func update(_ value: [UInt8], of handle: AttributeHandle) async throws(BluetoothError) {
        try await radio.update(value, of: handle, for: self)
    }

    nonisolated(nonsending) func send(
        _ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, to client: Server.Client
    ) async throws(BluetoothError) -> Bool {
        let sending = Sending.value(handle, value, kind)
        do throws(BluetoothError) {
            if case .wasSent(true) = try await radio.send(sending, on: .link(client.link)) { return true }
            return false
        } catch .disconnected {
            return false
        }
    }

    func advertise(_ advertisement: DeviceAdvertisement) async throws(BluetoothError) {
        try await radio.advertise(advertisement, for: self)
    }

    func stopAdvertising() async throws(BluetoothError) { try await radio.stopAdvertising(for: self) }

    func connection(to client: Server.Client) async throws(BluetoothError) -> any ConnectionBackend {
        try await link(client)
    }

    private func link(_ client: Server.Client) async throws(BluetoothError) -> HostConnection {
        guard let connection = await radio.connection(of: client.link) else {
            throw .disconnected(.closedByPeer)
        }
        return connection
    }

    func updateParameters(
        _ range: ConnectionParameterRange, of client: Server.Client
    ) async throws(BluetoothError) -> ConnectionParameters {
        try await link(client).updateParameters(range)
    }

    func add(_ service: GATT.ServiceDefinition) async throws(BluetoothError) -> ATT.HandleRange {
        try await radio.add(service, to: self)
    }

    func removeService(at handle: AttributeHandle) async throws(BluetoothError) {
        try await radio.removeService(at: handle, of: self)
    }

    func disconnect(_ client: Server.Client) async throws(BluetoothError) {
        guard state.clients.contains(client) else { return }
        await radio.connection(of: client.link)?.disconnect()
    }

    func stop() async { await radio.stop(self) }
}

/// Events of clients that were taken out, but not yet reported as consumed.
final class ConsumedEvents: Sendable {
    private let counts = Mutex<[LinkID: Int]>([:])

    /// Counts an event that the stack waits for.
    ///
    /// - Returns: Whether it is the first since the last report.
    func add(_ event: ServerEvent) -> Bool {
        let link: LinkID
        switch event {
        case .writeRequest(let request): link = request.client.link
        case .valueWritten(_, _, let client): link = client.link
        default: return false
        }
        return counts.withLock { counts in
            defer { counts[link, default: 0] += 1 }
            return counts.isEmpty
        }
    }

    /// What was taken out since the last report.
    func removeAll() -> [LinkID: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }
}

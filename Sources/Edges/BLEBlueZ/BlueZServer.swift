// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLETransport
import BLEWire
import BluetoothLE

/// A running server behind BlueZ; what changes is the radio's.
final class BlueZServer: ServerBackend {
    let description: ServerDescription
    let state: ServerState
    private let radio: BlueZRadio

    init(_ radio: BlueZRadio, _ description: ServerDescription) {
        self.radio = radio
        self.description = description
        state = ServerState(abandoned: { [weak radio] in
            guard let radio else { return }
            radio.loop.execute { radio.onLoop { $0.refuseRequests() } }
        })
    }

    var database: GATT.Database { get async { await radio.servedDatabase(of: self) } }

    func answer(
        _ result: Result<[UInt8], ATT.ErrorCode>, to number: UInt64, of client: Server.Client
    ) async { await radio.answer(result, to: number) }

    func update(_ value: [UInt8], of handle: AttributeHandle) async throws(BluetoothError) {
        try await radio.update(value, of: handle, for: self)
    }

    nonisolated(nonsending) func send(
        _ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, to client: Server.Client
    ) async throws(BluetoothError) -> Bool {
        try await radio.send(value, of: handle, as: kind, to: client, of: self)
    }

    func advertise(_ advertisement: DeviceAdvertisement) async throws(BluetoothError) {
        try await radio.advertise(advertisement, for: self)
    }

    func stopAdvertising() async throws(BluetoothError) { try await radio.stopAdvertising(for: self) }

    func disconnect(_ client: Server.Client) async throws(BluetoothError) {
        guard state.clients.contains(client) else { return }
        await radio.disconnect(client, of: self)
    }

    func stop() async { await radio.stop(self) }
}

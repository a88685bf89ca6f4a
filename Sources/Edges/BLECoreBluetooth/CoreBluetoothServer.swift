// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE

/// A running server behind Core Bluetooth; what changes is the radio's.
final class CoreBluetoothServer: ServerBackend {
    let description: ServerDescription
    let state: ServerState
    private let radio: CoreBluetoothRadio

    init(_ radio: CoreBluetoothRadio, _ description: ServerDescription) {
        self.radio = radio
        self.description = description
        state = ServerState(abandoned: { [weak radio] in
            guard let radio else { return }
            radio.queue.perform { radio.onQueue { $0.refuseRequests() } }
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

    func add(_ service: GATT.ServiceDefinition) async throws(BluetoothError) -> ATT.HandleRange {
        try await radio.add(service, to: self)
    }

    func removeService(at handle: AttributeHandle) async throws(BluetoothError) {
        try await radio.removeService(at: handle, of: self)
    }

    func stop() async { await radio.stop(self) }
}

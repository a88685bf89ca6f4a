// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import CoreBluetooth
import Synchronization

/// A device on the air whose answers a test decides.
final class Device: Sendable {
    static let service = BluetoothUUID(0xFFF0)
    static let ticks = BluetoothUUID(0xFFF1)
    static let note = BluetoothUUID(0xFFF2)
    static let asked = BluetoothUUID(0xFFF3)

    let radio: Radio
    let server: Server
    let log = Log()
    private let task: Task<Void, Never>

    // Puts it on the air; `reading` answers who reads `asked`, `subscribed` is called when somebody has subscribed.
    init(
        on air: TestAir, _ address: BluetoothAddress = "C0:AA:00:00:00:10", name: WireText = "Device",
        reading: @escaping @Sendable (Device, ReadRequest) async throws -> Void = { device, request in
            await device.server.respond(to: request, with: [42])
        },
        subscribed: @escaping @Sendable (Device, Server.Client) async throws -> Void = { _, _ in }
    ) async throws {
        radio = try await air.radio(address)
        let service = GATT.ServiceDefinition(
            Self.service,
            characteristics: [
                .init(
                    Self.ticks, [.read, .notify], value: .stored([0]),
                    descriptors: [.userDescription("ticks")]),
                .init(Self.note, [.write, .writeWithoutResponse], value: .stored([])),
                .init(Self.asked, [.read], value: .delegated),
            ])
        server = try await radio.serve(ServerDescription(name: name, services: [service]))
        let log = log
        let events = server.events()
        let holder = Holder()
        task = Task(executorPreference: radio.executor) {
            do {
                for try await event in events {
                    guard let device = holder.device.withLock({ $0 }) else { continue }
                    switch event {
                    case .connected: log.add("connected")
                    case .disconnected: log.add("disconnected")
                    case .subscribed(let client, _, _):
                        log.add("subscribed")
                        try await subscribed(device, client)
                    case .unsubscribed: log.add("unsubscribed")
                    case .readRequest(let request): try await reading(device, request)
                    case .valueWritten(let value, _, _): log.add("written \(value)")
                    default: break
                    }
                }
            } catch {
                log.add("failed \(error)")
            }
        }
        holder.device.withLock { $0 = self }
    }

    private final class Holder: Sendable {
        let device = Mutex<Device?>(nil)
    }

    /// Sends a value to a client.
    func send(_ value: UInt8, to client: Server.Client) async throws {
        guard let handle = await server.valueHandle(of: Self.ticks) else { return }
        try await server.notify([value], of: handle, to: client)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import CompanionDevices
import LEDBulbSimulated
import Nightlight
import NightlightCompanion
import NightlightDevices
import NightlightSimulated
import Synchronization
import Testing

@Suite("A connection to one device", .manualTime, .timeLimit(.minutes(5)))
struct ClientConnectionTests {
    private let own = BluetoothAddress(0x00AA_0000_0001, kind: .public)

    /// A radio on an air with a lamp and a bulb.
    private func radio() async throws -> Radio {
        let air = VirtualRadio(on: ManualTime.loop)
        await air.add { [SimulatedNightlight.make(), SimulatedBulb.make()] }
        let host = HostRadio(loop: air.loop) { [own] (loop) async throws(TransportError) in
            await air.attach(VirtualAir.ControllerConfiguration(address: own), on: loop)
        }
        try await host.start()
        return host.radio
    }

    private func client(_ address: BluetoothAddress = SimulatedNightlight.address) -> NightlightClient {
        NightlightClient(options: .init(target: .peer(Peer(address)), reconnects: false))
    }

    @Test func aLampIsReadAndWritten() async throws {
        let radio = try await radio()
        let states = Collected<ConnectionNotice>()
        let (before, after) = try await ClientConnection.open(
            client(), on: radio, notices: { states.add($0) }
        ) {
            connection in
            let lamp = try await connection.lamp()
            return (lamp, try await connection.set([.childName("Ida")], of: lamp.peer))
        }
        #expect(before.childName == "Mia" && after.childName == "Ida")
        #expect(before.peer == Peer(SimulatedNightlight.address))
        #expect(
            states.all == [
                .state(.scanning), .state(.connecting), .state(.discovering), .state(.connected),
            ])
    }

    @Test func whoIsNotThereIsNotFound() async throws {
        let nobody = BluetoothAddress(0xC0FF_EE00_0000, kind: .random)
        let radio = try await radio()
        await #expect(throws: ConnectionError.notFound) {
            try await ClientConnection.open(client(nobody), on: radio, .init(patience: .milliseconds(200))) {
                _ = try await $0.lamp()
            }
        }
    }

    @Test func aDeviceOfAnotherKindIsNamed() async throws {
        let radio = try await radio()
        await #expect(
            throws: ConnectionError.wrongDevice(missing: [NightlightItem.led1.uuid], having: [])
        ) {
            try await ClientConnection.open(client(SimulatedBulb.address), on: radio) {
                _ = try await $0.lamp()
            }
        }
    }

    @Test func anAnswerFromOutsideIsNotAwaitedLongerThanTheLinkLasts() async throws {
        let radio = try await radio()
        await #expect(throws: ConnectionError.timeLimit(.milliseconds(1500))) {
            try await ClientConnection.open(client(), on: radio, .init(limit: .milliseconds(1500))) {
                connection in
                _ = try await connection.lamp()
                let answer: Int? = try await connection.whileConnected {
                    // Nobody answers.
                    try? await Task.sleep(for: .seconds(3600))
                    return nil
                }
                #expect(answer == nil)
            }
        }
    }

    @Test func whoIsCancelledLeavesNoLink() async throws {
        let radio = try await radio()
        let (began, ready) = AsyncStream.makeStream(of: Void.self)
        let task = begin {
            try await ClientConnection.open(client(), on: radio) { connection in
                _ = try await connection.lamp()
                ready.yield()
                try await connection.wait(for: .seconds(3600))
            }
        }
        for await _ in began { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The lamp takes one link at a time, so that it can be opened again says that it was closed.
        _ = try await ClientConnection.open(client(), on: radio) { try await $0.lamp() }
    }
}

/// What came, in order.
private final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

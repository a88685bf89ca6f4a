// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import Foundation
import Synchronization
import Testing

/// The code of the articles on radios and pairing, on an air behind TCP ports.
@Suite("The code of the articles on radios and pairing", .timeLimit(.minutes(5)))
struct PairingTests {
    /// An air with controllers at ports.
    private struct Ports {
        let air: VirtualRadio
        let listeners: [TCPListener]
        private let serving: [Task<Void, Never>]

        init(_ count: Int = 2, at port: Int = 0) async throws {
            air = try VirtualRadio()
            var listeners: [TCPListener] = []
            var serving: [Task<Void, Never>] = []
            for number in 1...UInt64(count) {
                let listener = try await TCPListener.bind(host: "127.0.0.1", port: port, on: air.loop)
                let id = await air.addController(
                    VirtualAir.ControllerConfiguration(
                        address: BluetoothAddress(0x00AA_0000_0000 + number, kind: .public)))
                let server = ControllerServer(id, of: air, on: listener)
                serving.append(Task { await server.run { _ in } })
                listeners.append(listener)
            }
            self.listeners = listeners
            self.serving = serving
        }

        func address(_ index: Int) -> TransportAddress {
            .tcp(host: "127.0.0.1", port: listeners[index].port)
        }

        func close() async {
            for listener in listeners { await listener.close() }
            for task in serving { await task.value }
        }
    }

    /// A folder that is not there yet.
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("lantern-pairing-\(UUID().uuidString)").path

    /// What one side shows and the other one asks for.
    private final class Screen: Sendable {
        private let text = Mutex("")

        func show(_ line: String) { text.withLock { $0 = line } }

        /// The six digits that are shown, as soon as they are.
        func digits(_ question: String) async -> String? {
            while true {
                let line = text.withLock { $0 }
                if line.hasPrefix("Enter ") { return String(line.dropFirst(6).prefix(6)) }
                await Task.yield()
            }
        }
    }

    @Test func entersTheDigitsThatADeviceShows() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ports = try await Ports()
        let screen = Screen()
        let (device, server) = try await PairingSnippets.serve(ports.address(0)) { screen.show($0) }
        let radio = try await PairingSnippets.open(ports.address(1), folder)
        let peer = try await CentralSnippets.find(radio, offering: BluetoothUUID(0xFFF0))
        let security = try await PairingSnippets.pair(radio, with: peer) { await screen.digits($0) }
        #expect(security.level == .secureConnections && security.isBonded)
        // The keys stay: the next link is encrypted, and what is protected can be read.
        let connection = try await radio.connect(to: peer)
        let services = try await connection.discoverServices()
        let secret = try #require(services.characteristic(BluetoothUUID(0xFFF1)))
        #expect(try await PairingSnippets.protect(connection) { _ in "no" }.isBonded)
        let value = try await PairingSnippets.readProtected(radio, connection, secret) { _ in "no" }
        #expect(value == [42])
        await connection.disconnect()
        #expect(try await PairingSnippets.forget(radio) == 1)
        #expect(try await radio.bonds().isEmpty)
        await radio.close()
        await server.stop()
        await device.close()
        await ports.close()
    }

    @Test func aRadioWithoutCryptographySaysHowToGetIt() async throws {
        let ports = try await Ports()
        await #expect(throws: BluetoothError.pairing(.noCryptography)) {
            try await Radio.open(ports.address(0), agent: .justWorks)
        }
        let (device, server) = try await PairingSnippets.serve(ports.address(0)) { _ in }
        let radio = try await Radio.open(ports.address(1))
        let peer = try await CentralSnippets.find(radio, offering: BluetoothUUID(0xFFF0))
        let connection = try await radio.connect(to: peer)
        let text = await PairingSnippets.explain(connection)
        #expect(text.contains("cryptography: HostCryptography()") && text.contains("BLECrypto"), "\(text)")
        await connection.disconnect()
        await radio.close()
        await server.stop()
        await device.close()
        await ports.close()
    }

    @Test func aDeviceThatShowsDigitsIsNotPairedWithoutThem() async throws {
        let ports = try await Ports()
        let (device, server) = try await PairingSnippets.serve(ports.address(0)) { _ in }
        let radio = try await PairingSnippets.open(ports.address(1), folder)
        let peer = try await CentralSnippets.find(radio, offering: BluetoothUUID(0xFFF0))
        let connection = try await radio.connect(to: peer)
        #expect(await PairingSnippets.explain(connection).hasPrefix("Not paired. The device refused to pair"))
        await connection.disconnect()
        await radio.close()
        await server.stop()
        await device.close()
        await ports.close()
    }

    @Test func waitsForARadioThatIsNotThereYet() async throws {
        // A port that was free a moment ago.
        let before = try await Ports(1)
        let address = before.address(0)
        await before.close()
        let off = try await Radio.open(address, waiting: true)
        var states = await off.states().makeAsyncIterator()
        #expect(await states.next() == .off)
        await #expect(throws: BluetoothError.self) { _ = try await off.scan() }
        await off.close()
        #expect(await states.next() == nil)
        guard case .tcp(_, let port) = address else { return }
        let radio = try await Radio.open(address, waiting: true)
        async let on: Void = radio.waitUntilReady()
        let ports = try await Ports(1, at: port)
        try await on
        await RadioSnippets.watch(radio)
        #expect(await radio.capabilities.contains(.peripheral))
        await radio.close()
        await ports.close()
    }

    @Test func anAdapterThatIsNotThereIsNoRadio() async throws {
        let error = await #expect(throws: BluetoothError.self) {
            _ = try await RadioSnippets.system(named: "hci65000")
        }
        guard case .radioUnavailable(let why)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!why.isEmpty)
        let waiting = Task { try await RadioSnippets.waiting(named: "hci65000") }
        waiting.cancel()
        await #expect(throws: BluetoothError.cancelled) { _ = try await waiting.value }
    }

    @Test func aNameThatIsNoneSaysWhatIsExpected() async throws {
        let error = await #expect(throws: BluetoothError.self) { _ = try await Radio.open("tcp:nowhere") }
        #expect(error.map { "\($0)" }?.contains("tcp:HOST:PORT") == true)
    }
}

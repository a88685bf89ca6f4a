// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import Foundation
import Synchronization
import Testing

@Suite("What goes wrong, and what comes back", .timeLimit(.minutes(5)))
struct ErrorTests {
    private final class Values: Sendable {
        private let values = Mutex<[[UInt8]]>([])

        var all: [[UInt8]] { values.withLock { $0 } }

        func add(_ value: [UInt8]) { values.withLock { $0.append(value) } }
    }

    @Test func listeningGoesOnOverLostLinks() async throws {
        try await TestAir.run { air in
            let lamp = try await air.radio("C0:00:00:00:00:01")
            let level = GATT.CharacteristicDefinition(
                .batteryLevel, [.read, .notify], value: .stored([100]))
            let battery = GATT.ServiceDefinition(.batteryService, characteristics: [level])
            let server = try await lamp.serve(ServerDescription(name: "Kitchen", services: [battery]))
            let radio = try await air.radio("C0:00:00:00:00:02")
            let peer = try await radio.find(ScanOptions(name: "Kitchen")).peer
            let values = Values()
            let listening = Task {
                try await ErrorSnippets.keepListening(to: peer, on: radio) { values.add($0) }
            }
            // One value on each link, which the device then closes.
            var sent: UInt8 = 0
            for try await event in server.events() {
                guard case .subscribed(let client, _, .notify) = event else { continue }
                sent += 1
                try await server.update([sent], of: .batteryLevel)
                try await air.advance(by: .seconds(1))
                try await server.disconnect(client)
                if sent == 3 { break }
            }
            #expect(values.all == [[1], [2], [3]])
            // The radio goes off and comes back.
            try await air.switchOff("C0:00:00:00:00:02")
            await air.switchOn("C0:00:00:00:00:02")
            for try await event in server.events() {
                if case .subscribed = event { break }
            }
            listening.cancel()
            _ = await listening.result
            // It has left no link open: a task that was cancelled does not wait until the device has answered.
            try await air.advance(by: .seconds(1))
            try await radio.connect(to: peer).disconnect()
        }
    }

    @Test func controlCLetsTheLinkGo() async throws {
        try await TestAir.run { air in
            let lamp = try await air.radio("C0:00:00:00:00:01")
            let server = try await lamp.serve(ServerDescription(name: "Kitchen", services: []))
            let radio = try await air.radio("C0:00:00:00:00:02")
            _ = await InterruptSnippets.run(on: radio) { radio in
                try await radio.withConnection(to: "C0:00:00:00:00:01") { connection in
                    kill(getpid(), SIGINT)
                    try await connection.waitUntilDisconnected()
                }
            }
            for try await event in server.events() {
                if case .disconnected(_, let reason) = event {
                    #expect(reason == .closedByPeer)
                    break
                }
            }
        }
    }
}

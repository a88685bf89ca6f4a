// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Testing
import VirtualPhone

@Suite("Channels through Core Bluetooth", .timeLimit(.minutes(5)))
struct ChannelTests {
    private static let octets = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// Takes out as many octets as are wanted.
    private static func receive(_ count: Int, of channel: Channel) async throws -> [UInt8] {
        var received: [UInt8] = []
        for try await part in channel.received() {
            received += part
            if received.count >= count { break }
        }
        return received
    }

    /// Sends both ways through an open channel, and closes it from one side.
    private static func use(_ air: TestAir, _ one: Channel, _ other: Channel) async throws {
        for (from, to) in [(one, other), (other, one)] {
            let sending = Task(executorPreference: air.air.loop) {
                let limit = min(from.description.mtu, 2000)
                for start in stride(from: 0, to: octets.count, by: limit) {
                    try await from.send(Array(octets[start..<min(start + limit, octets.count)]))
                }
            }
            #expect(try await receive(octets.count, of: to) == octets)
            try await sending.value
        }
        await one.close()
        #expect(one.closeReason == .closedByUs)
        #expect(try await other.waitUntilClosed() == .closedByPeer)
        await #expect(throws: BluetoothError.self) { try await one.send([1]) }
        await #expect(throws: BluetoothError.self) { try await other.send([1]) }
    }

    @Test func aCentralOpensOne() async throws {
        try await TestAir.run { air in
            let lamp = try await Lamp.on(air)
            let listener = try await lamp.radio.listen()
            var opened = listener.channels().makeAsyncIterator()
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            await #expect(throws: BluetoothError.channel(.notOffered)) {
                try await link.openChannel(psm: 0xFE)
            }
            await #expect(throws: BluetoothError.self) { try await link.openChannel(psm: 0x100) }
            let channel = try await link.openChannel(psm: listener.psm)
            let other = try #require(try await opened.next())
            try await Self.use(air, channel, other)
            // The end of the link is that of its channels.
            let last = try await link.openChannel(psm: listener.psm)
            _ = try #require(try await opened.next())
            await link.disconnect()
            #expect(last.closeReason == .linkLost)
            await phone.radio.close()
        }
    }

    @Test func aDeviceTakesOne() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            let listener = try await phone.radio.listen()
            _ = try await Lamp(on: phone.radio)
            let central = try await air.radio("C0:AA:00:00:00:02")
            let link = try await central.connect(
                to: try await central.find(ScanOptions(services: [Lamp.service])).peer)
            var opened = listener.channels().makeAsyncIterator()
            let channel = try await link.openChannel(psm: listener.psm)
            let other = try #require(try await opened.next())
            #expect(other.description.psm == listener.psm)
            try await Self.use(air, other, channel)
            await listener.stop()
            #expect(try await opened.next() == nil)
            await #expect(throws: BluetoothError.self) { try await link.openChannel(psm: listener.psm) }
            await phone.radio.close()
        }
    }

    @Test func aSlowConsumerHoldsThePeerUp() async throws {
        try await TestAir.run { air in
            let lamp = try await Lamp.on(air)
            let listener = try await lamp.radio.listen()
            var opened = listener.channels().makeAsyncIterator()
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            let channel = try await link.openChannel(psm: listener.psm)
            let other = try #require(try await opened.next())
            let sending = Task(executorPreference: air.air.loop) {
                var sent = 0
                // More than may wait anywhere.
                while sent < 400_000 {
                    try await other.send([UInt8](repeating: 7, count: 1000))
                    sent += 1000
                }
            }
            try await air.advance(by: .seconds(600))
            #expect(try await Self.receive(400_000, of: channel).count == 400_000)
            try await sending.value
            await phone.radio.close()
        }
    }
}

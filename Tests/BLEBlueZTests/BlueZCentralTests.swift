// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
import BluetoothLE
import DBus
import Synchronization
import Testing

@testable import BLEBlueZ

@Suite(
    "A central behind BlueZ", .enabled(if: PrivateBus.isThere, "there is no /usr/bin/dbus-daemon"),
    .timeLimit(.minutes(5)))
struct BlueZCentralTests {
    private static let peer = Peer(BluetoothAddress(0x00AA_0100_0001, kind: .public))

    private static func withRadio(_ body: (FakeBlueZ, BlueZRadio) async throws -> Void) async throws {
        let bus = try PrivateBus()
        let loop = try TransportLoop()
        defer { bus.end() }
        let blueZ = try FakeBlueZ(bus.address, on: loop)
        try await blueZ.begin()
        let radio = BlueZRadio(bus: bus.address, loop: loop)
        try await radio.start()
        try await body(blueZ, radio)
        await radio.close()
        blueZ.bus.close()
    }

    private static func link(_ blueZ: FakeBlueZ, _ radio: BlueZRadio) async throws -> Connection {
        // It is known, and then connected to.
        blueZ.connect(true)
        blueZ.connect(false)
        return try await radio.radio.connect(to: peer)
    }

    @Test(
        "why a link has ended is what BlueZ says, before or after that it has",
        arguments: [
            ("Timeout", LinkError.supervisionTimeout), ("Remote", .closedByPeer), ("Local", .closedByUs),
            ("Unknown", .closedByPeer), (nil, .closedByPeer),
        ] as [(String?, LinkError)], [true, false])
    func reasons(_ told: (reason: String?, failure: LinkError), isFirst: Bool) async throws {
        try await Self.withRadio { blueZ, radio in
            let link = try await Self.link(blueZ, radio)
            blueZ.disconnect(told.reason, isFirst: isFirst)
            #expect(try await link.waitUntilDisconnected() == told.failure)
        }
    }

    @Test func anAdapterThatIsPulledOutEndsItsLinksAndComesBack() async throws {
        try await Self.withRadio { blueZ, radio in
            var states = await radio.radio.states().makeAsyncIterator()
            #expect(await states.next() == .ready)
            let link = try await Self.link(blueZ, radio)
            blueZ.plug(false)
            #expect(try await link.waitUntilDisconnected() == .radioLost)
            #expect(await states.next() == .off)
            await #expect(throws: BluetoothError.self) {
                try await radio.radio.connect(to: Self.peer, ConnectOptions(timeout: .seconds(1)))
            }
            blueZ.plug(true)
            #expect(await states.next() == .ready)
            let again = try await Self.link(blueZ, radio)
            await again.disconnect()
        }
    }

    @Test func whatIsNotThereYetIsWaitedFor() async throws {
        let bus = try PrivateBus()
        let loop = try TransportLoop()
        defer { bus.end() }
        let radio = BlueZRadio(bus: bus.address, loop: loop)
        try await radio.startWaiting()
        await #expect(throws: BluetoothError.self) { _ = try await radio.radio.scan() }
        await #expect(throws: BluetoothError.self) { try await radio.startWaiting() }
        let blueZ = try FakeBlueZ(bus.address, on: loop)
        try await blueZ.begin()
        try await radio.radio.waitUntilReady()
        let link = try await Self.link(blueZ, radio)
        await link.disconnect()
        await radio.close()
        blueZ.bus.close()
    }

    /// While it listens, a real kernel connects only when it hears the device anew, up to ten seconds later.
    @Test func aScanRestsWhileADeviceIsConnectedToAndGoesOn() async throws {
        try await Self.withRadio { blueZ, radio in
            blueZ.connect(true)
            blueZ.connect(false)
            // Nor does it rest because nothing is heard.
            radio.loop.execute { radio.onLoop { $0.discovery.deafSeconds = 1_000_000 } }
            var heard = try await radio.radio.scan().makeAsyncIterator()
            blueZ.hear(-40)
            while try await heard.next()?.rssi != -40 {}
            let link = try await radio.radio.connect(to: Self.peer, ConnectOptions(timeout: .seconds(120)))
            // A scan of somebody else learns at once who was heard a moment ago.
            while !blueZ.known.withLock({ $0.isDiscovering }) { await Task.yield() }
            blueZ.hear(-50)
            while try await heard.next()?.rssi != -50 {}
            var other = try await radio.radio.scan().makeAsyncIterator()
            while try await other.next()?.rssi != -50 {}
            await link.disconnect()
        }
    }

    @Test func whatAnotherAdapterHearsIsNotTold() async throws {
        try await Self.withRadio { blueZ, radio in
            let other = "/org/bluez/hci7"
            for adapter in [FakeBlueZ.adapter, other] {
                blueZ.connect(true, to: adapter)
                blueZ.connect(false, to: adapter)
            }
            var heard = try await radio.radio.scan().makeAsyncIterator()
            let device = FakeBlueZ.device.replacing(FakeBlueZ.adapter, with: other)
            blueZ.change(["RSSI": .int16(-90)], of: device, BlueZ.device)
            blueZ.hear(-40)
            // What it heard before it was asked has no strength.
            var strengths: [Int8?] = []
            repeat { strengths.append(try await heard.next()?.rssi) } while strengths.last != -40
            #expect(!strengths.contains(-90))
        }
    }

    @Test func aDiscoveryThatBringsNothingIsBegunAnew() async throws {
        try await Self.withRadio { blueZ, radio in
            radio.loop.execute { radio.onLoop { $0.discovery.deafSeconds = 0 } }
            blueZ.connect(true)
            blueZ.connect(false)
            var heard = try await radio.radio.scan().makeAsyncIterator()
            while blueZ.known.withLock({ $0.discoveries < 3 }) { await Task.yield() }
            radio.loop.execute { radio.onLoop { $0.discovery.deafSeconds = 60 } }
            blueZ.hear(-60)
            while try await heard.next()?.rssi != -60 {}
        }
    }
}

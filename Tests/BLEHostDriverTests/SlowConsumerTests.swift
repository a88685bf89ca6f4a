// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEHostDriver
import BLEVirtualRadio
import Testing

/// A link whose consumer is too far behind ends with an error that says so, and nobody else notices.
@Suite("Consumers that take nothing out", .manualTime, .timeLimit(.minutes(5)))
struct SlowConsumerTests {
    private static let configuration = HostConfiguration(limits: HostLimits(unconsumedEvents: 300))

    /// A server that notifies.
    private struct Notifier {
        let radio: AirRadio
        let server: Server
        let peer: Peer

        init(_ air: VirtualRadio, _ number: UInt64) async throws {
            radio = try await AirRadio.start(air, number)
            server = try await radio.radio.serve(
                ServerDescription(name: "notifier", services: ScriptedDevice().services))
            peer = try await radio.peer
        }

        func notify(_ count: Int) async throws {
            let client = try #require(server.clients.first)
            let handle = try #require(await server.valueHandle(of: ScriptedDevice.value))
            for number in 0..<count {
                // It is not sent any more once the link is gone.
                _ = try await server.notify([UInt8(number & 0xFF)], of: handle, to: client)
            }
        }
    }

    /// Opens a link and subscribes.
    private static func open(_ radio: AirRadio, _ peer: Peer) async throws -> (
        Connection, GATT.Characteristic
    ) {
        let link = try await radio.radio.connect(to: peer)
        return (link, try #require(try await link.discoverServices().characteristic(ScriptedDevice.value)))
    }

    @Test func aLinkBesideOthersIsClosedAloneAndSaysWhy() async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        let radio = try await AirRadio.start(air, 1, Self.configuration)
        let servers = [try await Notifier(air, 2), try await Notifier(air, 3)]
        let (slow, first) = try await Self.open(radio, servers[0].peer)
        let (good, second) = try await Self.open(radio, servers[1].peer)
        let unread = try await slow.notifications(of: first)
        let read = try await good.notifications(of: second)
        begin { try await servers[0].notify(1000) }
        begin { try await servers[1].notify(1000) }
        var received = 0
        for try await value in read {
            #expect(value == [UInt8(received & 0xFF)])
            received += 1
            if received == 1000 { break }
        }
        #expect(try await slow.waitUntilDisconnected() == .consumerTooSlow)
        #expect(!good.isDisconnected)
        #expect(try await good.readRSSI() < 0)
        // What had come before is there, then comes why there is no more.
        var left = 0
        let error = await failure { () async throws(BluetoothError) in for try await _ in unread { left += 1 }
        }
        #expect(error == .disconnected(.consumerTooSlow) && left > 300 && left < 1000)
        await #expect(throws: BluetoothError.disconnected(.consumerTooSlow)) {
            _ = try await slow.read(first)
        }
        await radio.radio.close()
        try await radio.isQuiet()
        for server in servers { await server.radio.radio.close() }
    }

    /// A link that is alone is not closed: its controller holds what the host has no room for, and the air waits.
    ///
    /// What is counted are packets: one may bring as many values as fit into it (Multiple Handle Value Notification).
    @Test func aLinkAloneHoldsTheAirAndLosesNothing() async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        let radio = try await AirRadio.start(air, 1)
        let notifier = try await Notifier(air, 2)
        let (link, value) = try await Self.open(radio, notifier.peer)
        let unread = try await link.notifications(of: value)
        let count = 10_000
        begin { try await notifier.notify(count) }
        try await ManualTime.pass(milliseconds: 60_000)
        #expect(!link.isDisconnected)
        let waiting = await radio.host.census.stack.unconsumed
        #expect(waiting > 0 && waiting < count)
        try await ManualTime.pass(milliseconds: 60_000)
        #expect(await radio.host.census.stack.unconsumed == waiting)
        var received = 0
        for try await value in unread {
            #expect(value == [UInt8(received & 0xFF)])
            received += 1
            if received == count { break }
        }
        #expect(!link.isDisconnected)
        await radio.radio.close()
        await notifier.radio.radio.close()
    }

    /// Where the controller has no flow control towards its host, also a link that is alone.
    @Test func withoutFlowControlALinkIsClosedTooAndSaysWhy() async throws {
        let controller = ScriptedController()
        // Host Buffer Size and Set Controller To Host Flow Control are not known to it.
        controller.change { script in
            script.refusals[0x0C33] = 1
            script.refusals[0x0C31] = 1
        }
        let host = controller.makeRadio(Self.configuration)
        try await host.start()
        let link = try await host.radio.connect(to: RobustRadioTests.peer)
        let values = link.allValues()
        for number in 0..<301 {
            #expect(!link.isDisconnected)
            controller.give(ControllerScript.att(1, [0x1B, 3, 0, UInt8(number & 0xFF)]))
        }
        try await ManualTime.pass(milliseconds: 100)
        #expect(link.disconnectReason == .consumerTooSlow)
        var left = 0
        let error = await failure { () async throws(BluetoothError) in for try await _ in values { left += 1 }
        }
        #expect(error == .disconnected(.consumerTooSlow) && left == 301)
        await host.close()
    }

    /// All that a peer pours out stands before the controller's answers: that link ends, and no other.
    @Test func aLinkThatPoursEndsAloneThoughNoCommandIsAnsweredMeanwhile() async throws {
        let controller = ScriptedController()
        controller.change { script in
            script.refusals[0x0C33] = 1
            script.refusals[0x0C31] = 1
        }
        let host = controller.makeRadio(Self.configuration)
        try await host.start()
        let link = try await host.radio.connect(to: RobustRadioTests.peer)
        // Disconnect waits for its turn behind the values.
        controller.change { $0.silences = [0x0406] }
        let values = link.allValues()
        let value = ControllerScript.att(1, [0x1B, 3, 0] + [UInt8](repeating: 7, count: 512))
        for _ in 0..<10 {
            for _ in 0..<4000 { controller.give(value) }
            try await ManualTime.pass(milliseconds: 1500)
        }
        // Its turn has come.
        controller.give([4, 0x0F, 4, 0, 1, 0x06, 0x04, 4, 5, 4, 0, 1, 0, 0x16])
        try await ManualTime.pass(milliseconds: 100)
        #expect(link.disconnectReason == .consumerTooSlow)
        #expect(await host.controller != nil, "the radio is gone")
        withExtendedLifetime(values) {}
        await host.close()
    }

    /// Also what is heard of others may stand before the controller's answers.
    @Test func reportsThatPourDoNotCostTheRadio() async throws {
        let controller = ScriptedController()
        let host = controller.makeRadio(Self.configuration)
        try await host.start()
        let link = try await host.radio.connect(to: RobustRadioTests.peer)
        controller.change { $0.silences = [0x0406] }
        let leaving = begin { await link.disconnect() }
        for _ in 0..<10 {
            for number in 0..<1000 {
                controller.give([4, 0x3E, 12, 2, 1, 0, 1, UInt8(number & 0xFF), 2, 3, 4, 5, 0xC0, 0, 0xC4])
            }
            try await ManualTime.pass(milliseconds: 1500)
        }
        controller.give([4, 0x0F, 4, 0, 1, 0x06, 0x04, 4, 5, 4, 0, 1, 0, 0x16])
        await leaving.value
        #expect(await host.controller != nil, "the radio is gone")
        await host.close()
    }

    /// A controller that has agreed to hold back what its host has no room for, and does not.
    @Test func aControllerThatIgnoresItsFlowControlIsNamed() async throws {
        let controller = ScriptedController()
        let host = controller.makeRadio(Self.configuration)
        try await host.start()
        let link = try await host.radio.connect(to: RobustRadioTests.peer)
        let values = link.allValues()
        for number in 0..<301 {
            controller.give(ControllerScript.att(1, [0x1B, 3, 0, UInt8(number & 0xFF)]))
        }
        try await ManualTime.pass(milliseconds: 100)
        #expect(link.disconnectReason == .flowControlIgnored)
        #expect("\(BluetoothError.disconnected(.flowControlIgnored))".contains("ignores the limit"))
        withExtendedLifetime(values) {}
        await host.close()
    }

    /// What a server's consumer does not take out ends the link of whoever has written it.
    @Test func aServerWhoseConsumerTakesNothingLosesTheWriter() async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        let server = try await AirRadio.start(air, 1, Self.configuration)
        let running = try await server.radio.serve(
            ServerDescription(name: "server", services: ScriptedDevice().services))
        let writers = [try await AirRadio.start(air, 2), try await AirRadio.start(air, 3)]
        let (link, value) = try await Self.open(writers[0], try await server.peer)
        let (other, _) = try await Self.open(writers[1], try await server.peer)
        let burst = begin {
            await failure { () async throws(BluetoothError) in
                for number in 0..<1000 {
                    try await link.writeWithoutResponse([UInt8(number & 0xFF)], to: value)
                }
            }
        }
        #expect(try await link.waitUntilDisconnected() == .closedByPeer)
        _ = await burst.value
        #expect(!other.isDisconnected && running.clients.count == 1)
        var reasons: [LinkError] = []
        for try await event in running.events() {
            guard case .disconnected(_, let reason) = event else { continue }
            reasons.append(reason)
            break
        }
        #expect(reasons == [.consumerTooSlow])
        for radio in [server] + writers { await radio.radio.close() }
    }
}

@Suite("The name of a server on the air", .manualTime, .timeLimit(.minutes(5)))
struct ServerNameTests {
    /// What is heard of a server in its advertisement and in its scan response.
    private static func heard(_ description: ServerDescription) async throws -> (
        Advertisement, Advertisement?
    ) {
        let air = VirtualRadio(on: ManualTime.loop)
        let server = try await AirRadio.start(air, 2)
        let listener = try await AirRadio.start(air, 1)
        _ = try await server.radio.serve(description)
        let stream = try await listener.radio.scan()
        try await ManualTime.pass(milliseconds: 5000)
        await listener.radio.close()
        var advertisement: Advertisement?
        var response: Advertisement?
        for try await one in stream { if one.isScanResponse { response = one } else { advertisement = one } }
        await server.radio.close()
        return (try #require(advertisement), response)
    }

    @Test func itIsThereByDefault() async throws {
        let (advertisement, response) = try await Self.heard(ServerDescription(name: "lamp", services: []))
        #expect(advertisement.name == nil && response?.name == "lamp")
        let (_, beside) = try await Self.heard(
            ServerDescription(name: "lamp", services: [], advertisement: .plain))
        #expect(beside?.name == "lamp")
        let (beacon, none) = try await Self.heard(
            ServerDescription(name: "lamp", services: [], isConnectable: false))
        #expect(beacon.name == "lamp" && none == nil)
    }

    @Test func itIsNotThereWhenToldOtherwise() async throws {
        let (advertisement, response) = try await Self.heard(
            ServerDescription(name: "lamp", services: [], advertisesName: false))
        #expect(advertisement.name == nil && response?.name == nil)
    }

    @Test func aNameThatTheAdvertisementSaysStays() async throws {
        let own = DeviceAdvertisement(data: [2, 1, 6, 4, 9, 0x6F, 0x77, 0x6E], scanResponse: [])
        let (advertisement, response) = try await Self.heard(
            ServerDescription(name: "lamp", services: [], advertisement: own))
        #expect(advertisement.name == "own" && response?.name == nil)
    }
}

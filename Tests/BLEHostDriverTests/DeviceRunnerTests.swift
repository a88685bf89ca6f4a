// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLESessions
import BLEVirtualRadio
import Testing

@Suite("A device session on a radio", .manualTime, .timeLimit(.minutes(5)))
struct DeviceRunnerTests {
    /// A device and the radios of two clients.
    private struct Scene {
        let air = VirtualRadio(on: ManualTime.loop)
        let device: AirRadio
        let clients: [AirRadio]
        let running: RunningDevice

        init(gate: Ending<Void>? = nil) async throws {
            device = try await AirRadio.start(air, 2)
            clients = [try await AirRadio.start(air, 3), try await AirRadio.start(air, 4)]
            running = try await RunningDevice(on: device.radio, gate: gate)
        }

        /// Connects a client and subscribes; nobody takes its values out until somebody does.
        func connect(_ number: Int) async throws -> Client {
            let link = try await clients[number].radio.connect(to: try await device.peer)
            let values = link.allValues()
            let value = try #require(try await link.discoverServices().characteristic(ScriptedDevice.value))
            try await link.subscribe(.notify, to: value)
            return Client(link: link, values: values, characteristic: value)
        }

        func close() async throws {
            for radio in [device] + clients {
                await radio.radio.close()
                try await radio.isQuiet()
            }
        }
    }

    private struct Client {
        let link: Connection
        let values: ValueStream
        let characteristic: GATT.Characteristic

        /// Receives so many values.
        func receive(_ count: Int) async throws -> [[UInt8]] {
            var received: [[UInt8]] = []
            var values = values.makeAsyncIterator()
            while received.count < count, let value = try await values.next() { received.append(value.value) }
            return received
        }
    }

    private static func values(_ count: Int) -> [[UInt8]] {
        (0..<count).map { [UInt8($0 & 0xFF), UInt8($0 >> 8), 0, 0, 0, 0, 0, 0] }
    }

    @Test func whatClientsDoIsToldInOrder() async throws {
        let scene = try await Scene()
        let client = try await scene.connect(0)
        #expect(try await client.link.read(client.characteristic) == [7])
        try await client.link.write([1], to: client.characteristic)
        await #expect(throws: BluetoothError.refused(.valueNotAllowed)) {
            try await client.link.write([], to: client.characteristic)
        }
        try await client.link.subscribe([], to: client.characteristic)
        await client.link.disconnect()
        let inputs = scene.running.inputs
        guard case .connected(let link, let peer) = try await inputs.next() else {
            Issue.record("something before the link")
            return
        }
        #expect(try await peer == scene.clients[0].peer)
        var events: [String] = []
        while events.last != "gone" {
            switch try await inputs.next() {
            case .connected: events.append("another link")
            case .mtuChanged(link, let mtu): events.append("MTU \(mtu)")
            case .subscribed(link, client.characteristic.valueHandle, let subscription):
                events.append("subscribed \(subscription.rawValue)")
            // The client's host wants to know of changes.
            case .subscribed: break
            case .disconnected(link): events.append("gone")
            default: events.append("something else")
            }
        }
        #expect(events == ["MTU 517", "subscribed 1", "subscribed 0", "gone"])
        scene.running.run.cancel()
        #expect(await scene.running.run.value == nil)
        try await scene.close()
    }

    @Test func itsNameIsOnTheAirAndItsNewAdvertisementToo() async throws {
        let scene = try await Scene()
        let peer = try await scene.device.peer
        func hear(_ isWanted: (Advertisement) -> Bool) async throws {
            for try await heard in try await scene.clients[0].radio.scan(ScanOptions(peers: [peer]))
            where isWanted(heard) { return }
        }
        try await hear { $0.isScanResponse && $0.name == "scripted" }
        let other: [UInt8] = [2, 1, 4]
        await scene.running.runner.update { session, _ in
            session.advertise(DeviceAdvertisement(data: other, scanResponse: []))
        }
        try await hear { !$0.isScanResponse && $0.data.octets == other }
        try await hear { $0.isScanResponse && $0.name == "scripted" }
        // What the radio cannot advertise ends the run, and says why.
        await scene.running.runner.update { session, _ in
            session.advertise(
                DeviceAdvertisement(data: [UInt8](repeating: 0, count: 1651), scanResponse: []))
        }
        guard case .tooLong = await scene.running.run.value else {
            Issue.record("the run goes on")
            return
        }
        try await scene.close()
    }

    @Test func aClientThatTakesNothingIsCutOffAfterTenSeconds() async throws {
        let controller = ScriptedController()
        let host = controller.makeRadio()
        try await host.start()
        let device = try await RunningDevice(on: host.radio)
        // The controller's buffers are never free again.
        controller.change { $0.completesData = false }
        controller.give(ControllerScript.central)
        let link = try await device.client()
        controller.give(ControllerScript.att(1, [0x12, 17, 0, 1, 0]))
        _ = try await device.inputs.next { if case .subscribed(link, _, .notify) = $0 { true } else { nil } }
        let before = ManualTime.loop.now
        await device.send(Self.values(200), to: link)
        _ = try await device.inputs.next { if case .disconnected(link) = $0 { true } else { nil } }
        let waited = ManualTime.loop.now.microseconds(since: before)
        #expect(waited >= 10_000_000 && waited < 12_000_000)
        // The next client is served as if there had been none before.
        controller.change { $0.completesData = true }
        controller.give(ControllerScript.central)
        let next = try await device.client()
        controller.give(ControllerScript.att(1, [0x12, 17, 0, 1, 0]))
        await device.send(Self.values(200), to: next)
        for _ in 0..<10 { await controller.sees(0x1B) }
        device.run.cancel()
        #expect(await device.run.value == nil)
        await host.close()
    }

    /// What ends a run.
    enum End: CaseIterable, Sendable {
        case cancelled
        case radioClosed
        case radioLost
    }

    @Test(arguments: End.allCases) func aRunEndsAtOnceThoughAClientHangs(_ end: End) async throws {
        let scene = try await Scene()
        let hung = try await scene.connect(0)
        let link = try await scene.running.client()
        await scene.running.send(Self.values(2000), to: link)
        try await ManualTime.pass(milliseconds: 5000)
        let before = ManualTime.loop.now
        switch end {
        case .cancelled: scene.running.run.cancel()
        case .radioClosed: await scene.device.radio.close()
        case .radioLost: scene.device.ambush.cut()
        }
        let error = await scene.running.run.value
        #expect(ManualTime.loop.now <= before.advanced(bySeconds: 2), "it has waited for the client")
        switch end {
        case .cancelled, .radioClosed: #expect(error == nil)
        case .radioLost: #expect(error == .radioUnavailable("the connection to it was lost"))
        }
        _ = try await hung.link.waitUntilDisconnected()
        try await scene.close()
    }

    @Test func aRunThatWasCancelledLeavesTheRadioToTheNext() async throws {
        let scene = try await Scene()
        let client = try await scene.connect(0)
        // While one runs, another is refused.
        let second = DeviceRunner(ScriptedDevice(), on: scene.device.radio)
        let refusal = await failure { () async throws(BluetoothError) in try await second.run { _ in } }
        guard case .invalidArgument = refusal else {
            Issue.record("two servers on one radio")
            return
        }
        scene.running.run.cancel()
        #expect(await scene.running.run.value == nil)
        #expect(try await client.link.waitUntilDisconnected() == .closedByPeer)
        let next = try await RunningDevice(on: scene.device.radio)
        _ = try await scene.connect(1)
        _ = try await next.client()
        next.run.cancel()
        #expect(await next.run.value == nil)
        try await scene.close()
    }

    @Test func aClientThatVanishesIsToldAsGone() async throws {
        let scene = try await Scene()
        _ = try await scene.connect(0)
        let link = try await scene.running.client()
        // What is on its way to it is nobody's any more.
        await scene.running.send(Self.values(2000), to: link)
        scene.clients[0].ambush.cut()
        _ = try await scene.running.inputs.next { input -> Bool? in
            if case .disconnected(link) = input { true } else { nil }
        }
        let other = try await scene.connect(1)
        let next = try await scene.running.client()
        await scene.running.send(Self.values(10), to: next)
        #expect(try await other.receive(10) == Self.values(10))
        scene.running.run.cancel()
        #expect(await scene.running.run.value == nil)
        try await scene.close()
    }

    @Test func aSlowHandlerHoldsUpWhatComesAndLosesNothing() async throws {
        let gate = Ending<Void>()
        let scene = try await Scene(gate: gate)
        let link = try await scene.clients[0].radio.connect(to: try await scene.device.peer)
        let value = try #require(try await link.discoverServices().characteristic(ScriptedDevice.value))
        let read = begin { try await link.read(value) }
        let writes = begin {
            for number in 0..<3000 {
                try await link.writeWithoutResponse([UInt8(number & 0xFF)], to: value)
            }
        }
        try await ManualTime.pass(milliseconds: 10_000)
        #expect(!link.isDisconnected)
        gate.end(())
        #expect(try await read.value == [7])
        try await writes.value
        #expect(try await link.read(value) == [7])
        scene.running.run.cancel()
        #expect(await scene.running.run.value == nil)
        try await scene.close()
    }

    @Test func whoCancelsWhileTheHandlerHangsWaitsForTheHandlerAlone() async throws {
        let gate = Ending<Void>()
        let scene = try await Scene(gate: gate)
        _ = try await scene.clients[0].radio.connect(to: try await scene.device.peer)
        try await ManualTime.pass(milliseconds: 1000)
        scene.running.run.cancel()
        gate.end(())
        #expect(await scene.running.run.value == nil)
        try await scene.close()
    }
}

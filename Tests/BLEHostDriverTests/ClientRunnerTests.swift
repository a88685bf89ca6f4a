// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLESessions
import BLEVirtualRadio
import Testing

/// Fault 6: a runner leaves no link behind and tells each end once, whatever crosses what.
@Suite("A client session on a radio", .manualTime, .timeLimit(.minutes(5)))
struct ClientRunnerTests {
    /// A radio that serves, and one for the session.
    private struct Pair {
        let air = VirtualRadio(on: ManualTime.loop)
        let server: AirRadio
        let client: AirRadio
        let running: Server
        let peer: Peer

        init() async throws {
            server = try await AirRadio.start(air, 2)
            client = try await AirRadio.start(air)
            let value = GATT.CharacteristicDefinition(
                ScriptedDevice.value, [.read, .notify], value: .stored([1]))
            running = try await server.radio.serve(
                ServerDescription(
                    name: "server",
                    services: [GATT.ServiceDefinition(BluetoothUUID(0xFFF0), characteristics: [value])]))
            peer = try await server.peer
        }

        func close() async throws {
            await client.radio.close()
            await server.radio.close()
            #expect(await client.host.waitingTasks == 0)
            #expect(await server.host.waitingTasks == 0)
        }
    }

    /// How an attempt to open a link has ended, if it has.
    private static func ending(_ input: ClientInput) -> String? {
        switch input {
        case .connectFailed(_, .closedByUs): "failed"
        case .connectFailed(_, let failure): "failed: \(failure)"
        case .disconnected(.closedByUs): "closed"
        case .disconnected(.closedByPeer): "left"
        case .disconnected(let failure): "lost: \(failure)"
        default: nil
        }
    }

    @Test func aLinkThatIsWantedNoMoreIsClosedWhateverItCrosses() async throws {
        let pair = try await Pair()
        let client = RunningClient(on: pair.client.radio)
        let loop = ManualTime.loop
        var endings: [String: Int] = [:]
        // The disconnect comes with each packet of opening, and so many turns of tasks later.
        for packet in 1...24 {
            for turns in 0..<10 {
                await client.ask(.connect(pair.peer))
                pair.client.ambush.lay(packet) {
                    Task(executorPreference: loop) {
                        for _ in 0..<turns { await Task.yield() }
                        await client.ask(.disconnect)
                    }
                }
                try await ManualTime.pass(milliseconds: 1000)
                if !pair.client.ambush.lift() { await client.ask(.disconnect) }
                var isOpen = false
                let end = try await client.inputs.next { input -> String? in
                    if case .connected = input {
                        #expect(!isOpen, "connected twice")
                        isOpen = true
                    }
                    return Self.ending(input)
                }
                #expect(end == (isOpen ? "closed" : "failed"), "packet \(packet), \(turns) turns")
                endings[end, default: 0] += 1
                try await pair.client.isQuiet()
                #expect(pair.running.clients.isEmpty, "packet \(packet), \(turns) turns")
            }
        }
        #expect(endings.values.allSatisfy { $0 > 10 } && endings.count == 2, "\(endings)")
        await client.finish()
        await client.run.value
        try await pair.close()
    }

    @Test func aRunThatIsCancelledLeavesNoLink() async throws {
        let pair = try await Pair()
        let loop = ManualTime.loop
        for packet in 1...24 {
            for turns in 0..<6 {
                let client = RunningClient(on: pair.client.radio)
                await client.ask(.connect(pair.peer))
                pair.client.ambush.lay(packet) {
                    Task(executorPreference: loop) {
                        for _ in 0..<turns { await Task.yield() }
                        client.run.cancel()
                    }
                }
                try await ManualTime.pass(milliseconds: 1000)
                if !pair.client.ambush.lift() { client.run.cancel() }
                await client.run.value
                try await pair.client.isQuiet()
                #expect(pair.running.clients.isEmpty, "packet \(packet), \(turns) turns")
            }
        }
        try await pair.close()
    }

    @Test func aSessionThatFinishesLeavesNoLink() async throws {
        let pair = try await Pair()
        for milliseconds in [0, 20, 1000] as [UInt64] {
            let client = RunningClient(on: pair.client.radio)
            await client.ask(.connect(pair.peer))
            try await ManualTime.pass(milliseconds: milliseconds)
            await client.finish()
            await client.run.value
            try await pair.client.isQuiet()
            #expect(pair.running.clients.isEmpty)
        }
        try await pair.close()
    }

    @Test func aLinkWhoseEndTheControllerKeepsToItselfEndsAllTheSame() async throws {
        let controller = ScriptedController()
        controller.change { $0.closesLinks = false }
        let host = controller.makeRadio()
        try await host.start()
        let client = RunningClient(on: host.radio)
        await client.ask(.connect(RobustRadioTests.peer))
        _ = try await client.inputs.next { if case .connected = $0 { true } else { nil } }
        let before = ManualTime.loop.now
        await client.ask(.disconnect)
        #expect(try await client.inputs.next(Self.ending) == "closed")
        // The supervision timeout is 1 s, and the controller has 2 s to say that it has passed.
        #expect(ManualTime.loop.now <= before.advanced(bySeconds: 4))
        await client.finish()
        await client.run.value
        #expect(await host.census.peripherals.isEmpty)
        await host.close()
    }

    @Test func aPeerThatVanishesAndARadioThatFailsEndTheLink() async throws {
        let pair = try await Pair()
        let client = RunningClient(on: pair.client.radio)
        func open() async throws {
            await client.ask(.connect(pair.peer))
            _ = try await client.inputs.next { if case .connected = $0 { true } else { nil } }
        }
        try await open()
        await pair.running.stop()
        #expect(try await client.inputs.next(Self.ending) == "left")
        _ = try await pair.server.radio.serve(ServerDescription(name: "again", services: []))
        try await open()
        // The controller says nothing any more: the host gives it up when it does not answer.
        pair.client.ambush.freeze()
        await client.ask(.request(id: 1, .read(3)))
        await client.ask(.disconnect)
        #expect(try await client.inputs.next(Self.ending) != "failed")
        await client.finish()
        await client.run.value
        await pair.client.radio.close()
        await pair.server.radio.close()
    }

    @Test func aRadioThatIsClosedEndsTheRun() async throws {
        let pair = try await Pair()
        let client = RunningClient(on: pair.client.radio)
        await client.ask(.connect(pair.peer))
        _ = try await client.inputs.next { if case .connected = $0 { true } else { nil } }
        await pair.client.radio.close()
        await client.run.value
        try await pair.close()
    }

    @Test func aSlowHandlerLosesNothingAndHoldsUpNobodyElse() async throws {
        let pair = try await Pair()
        let other = try await AirRadio.start(pair.air, 3)
        let link = try await other.radio.connect(to: pair.peer)
        let gate = Ending<Void>()
        let slow = RunningClient(on: pair.client.radio, gate: gate)
        await slow.ask(.connect(pair.peer))
        _ = try await slow.inputs.next { if case .connected = $0 { true } else { nil } }
        await slow.ask(.discover)
        let services = try await slow.inputs.next {
            if case .discovered(let all, _) = $0 { all } else { nil }
        }
        let characteristic = try #require(services.characteristic(ScriptedDevice.value))
        await slow.ask(.request(id: 1, .subscribe(characteristic, .notify)))
        _ = try await slow.inputs.next { if case .completed = $0 { true } else { nil } }
        let handle = characteristic.valueHandle
        let own = try await pair.client.peer
        let client = try #require(pair.running.clients.first { $0.peer == own })
        let count = 3000
        let sent = Happenings<Int>()
        begin {
            for number in 0..<count {
                _ = try await pair.running.notify(
                    [UInt8(number & 0xFF), UInt8(number >> 8)], of: handle, to: client)
            }
            sent.add(count)
        }
        try await ManualTime.pass(milliseconds: 60_000)
        // The device is held up by now, and its other client does not notice.
        #expect(try await link.read(handle) == [1])
        gate.end(())
        for number in 0..<count {
            let value = try await slow.inputs.next {
                if case .value(_, let value, _) = $0 { value } else { nil }
            }
            #expect(value == [UInt8(number & 0xFF), UInt8(number >> 8)])
        }
        #expect(try await sent.next() == count)
        await slow.finish()
        await slow.run.value
        await other.radio.close()
        try await pair.close()
    }
}

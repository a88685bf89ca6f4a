// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEHostDriver
import BLESessions
import BLEVirtualRadio
import Testing

/// What once stalled or leaked; see issue 12.
@Suite("Nothing stalls and nothing leaks", .manualTime, .timeLimit(.minutes(5)))
struct FaultTests {
    private static let value = BluetoothUUID(0xFFF1)

    private static var services: [GATT.ServiceDefinition] {
        let value = GATT.CharacteristicDefinition(
            Self.value, [.read, .write, .writeWithoutResponse, .notify], value: .delegated)
        return [GATT.ServiceDefinition(BluetoothUUID(0xFFF0), characteristics: [value])]
    }

    /// A server and a client on one air, with a link.
    private struct Pair {
        let server: AirRadio
        let client: AirRadio
        let running: Server
        let link: Connection
        let characteristic: GATT.Characteristic

        init() async throws {
            let air = VirtualRadio(on: ManualTime.loop)
            server = try await AirRadio.start(air, 2)
            client = try await AirRadio.start(air)
            running = try await server.radio.serve(ServerDescription(name: "server", services: services))
            link = try await client.radio.connect(to: try await server.peer)
            characteristic = try #require(try await link.discoverServices().characteristic(value))
        }

        func close() async {
            await client.radio.close()
            await server.radio.close()
            #expect(await client.host.waitingTasks == 0)
            #expect(await server.host.waitingTasks == 0)
        }
    }

    // Faults 1 and 2: whoever takes nothing out, or sends while it takes out, stops nobody.
    @Test func valuesThatNobodyTakesStopNobody() async throws {
        let pair = try await Pair()
        var unread: ValueStream? = pair.link.allValues()
        let stream = try await pair.link.notifications(of: pair.characteristic)
        let client = try #require(pair.running.clients.first)
        let handle = pair.characteristic.valueHandle
        let echo = begin {
            for try await event in pair.running.events() {
                guard case .writeRequest(let request) = event else { continue }
                try await pair.running.notify(request.value, of: request.handle, to: request.client)
            }
        }
        let sender = begin {
            for number in 0..<300 {
                try await pair.running.notify([UInt8(number & 0xFF)], of: handle, to: client)
            }
        }
        // Somebody takes nothing: the device is held up, and the link can be used all the same.
        #expect(try await pair.link.readRSSI() < 0)
        #expect(unread != nil)
        unread = nil
        var received = 0
        for try await value in stream {
            try await pair.link.writeWithoutResponse(value, to: pair.characteristic)
            received += 1
            if received == 600 { break }
        }
        try await sender.value
        await pair.link.disconnect()
        echo.cancel()
        await pair.close()
    }

    // Fault 3.
    @Test func stoppingWhileAdvertisingChangesLetsTheNextServe() async throws {
        let radio = try await AirRadio.start(VirtualRadio(on: ManualTime.loop))
        var crossings = 0
        for moment in 0..<20 {
            let server = try await radio.radio.serve(ServerDescription(name: "a", services: []))
            let change = begin {
                await failure { () async throws(BluetoothError) in try await server.advertise(.plain) }
            }
            for _ in 0..<moment { await Task.yield() }
            if await radio.host.waitingTasks > 0 { crossings += 1 }
            await server.stop()
            let end = await change.value
            #expect(end == nil || end == .invalidArgument("The server was stopped."))
        }
        #expect(crossings > 0, "no change was under way")
        await radio.radio.close()
        #expect(await radio.host.waitingTasks == 0)
    }

    // Fault 4: what is off the air against the application's will is told, and so is its return.
    @Test func advertisingThatIsLostIsTold() async throws {
        let controller = ScriptedController()
        let host = controller.makeRadio(HostConfiguration(maximumCentrals: 1))
        try await host.start()
        let server = try await host.radio.serve(ServerDescription(name: "a", services: []))
        var events = server.events().makeAsyncIterator()
        controller.give(ControllerScript.central)
        while let event = try await events.next() { if case .connected = event { break } }
        // The central leaves, and the controller refuses once to advertise again.
        controller.change { $0.refusalsOnce[0x200A] = 0x0C }
        controller.give([4, 5, 4, 0, 1, 0, 0x13])
        var seen: [String] = []
        while seen.count < 2, let event = try await events.next() {
            switch event {
            case .advertisingStopped: seen.append("stopped")
            case .advertisingResumed: seen.append("resumed")
            default: continue
            }
        }
        #expect(seen == ["stopped", "resumed"])
        await host.close()
    }

    // Fault 14: what makes no sense, and what is asked for in vain, is told.
    @Test func whatAPeerSendsInVainIsTold() async throws {
        let controller = ScriptedController()
        let host = controller.makeRadio()
        try await host.start()
        let link = try await host.radio.connect(to: RobustRadioTests.peer)
        var changes = link.changes().makeAsyncIterator()
        // A notification with half a handle, and a Security Request.
        controller.give(ControllerScript.att(1, [0x1B, 3]))
        controller.give([2, 1, 0x20, 6, 0, 2, 0, 6, 0, 0x0B, 0x01])
        var seen: [LinkChange] = []
        while seen.count < 2, let change = await changes.next() {
            switch change {
            case .malformedPDU, .securityRefused: seen.append(change)
            default: continue
            }
        }
        #expect(seen == [.malformedPDU([0x1B, 3]), .securityRefused])
        await host.close()
    }

    // Fault 5.
    @Test func aServerThatHasStoppedHasNoLinks() async throws {
        let pair = try await Pair()
        await pair.running.stop()
        #expect(pair.running.clients.isEmpty)
        #expect(await pair.server.host.census.centrals.isEmpty)
        _ = try await pair.server.radio.serve(ServerDescription(name: "next", services: []))
        #expect(try await pair.link.waitUntilDisconnected() == .closedByPeer)
        await pair.close()
    }

    // Fault 8: a link that this side has opened is a client once the peer uses our server, and goes like one.
    @Test func aLinkInTheCentralRoleIsAClient() async throws {
        let pair = try await Pair()
        let mine = try await pair.client.radio.serve(ServerDescription(name: "mine", services: Self.services))
        var events = mine.events().makeAsyncIterator()
        let client = try #require(pair.running.clients.first)
        let back = try await pair.running.connection(to: client)
        let value = try #require(try await back.discoverServices().characteristic(Self.value))
        let read = begin {
            await failure { () async throws(BluetoothError) in _ = try await back.read(value) }
        }
        guard case .connected(let central) = try await events.next() else {
            Issue.record("not announced")
            return
        }
        #expect(central.peer == pair.link.peer && mine.clients == [central])
        while let event = try await events.next() { if case .readRequest = event { break } }
        // The read that waits is refused when the server stops.
        await mine.stop()
        #expect(await read.value == .refused(.unlikelyError))
        #expect(!pair.link.isDisconnected)
        await pair.close()
    }

    // Fault 9.
    @Test func whoeverIsCancelledWaitsNoMore() async throws {
        let pair = try await Pair()
        let read = begin {
            await failure { () async throws(BluetoothError) in
                _ = try await pair.link.read(pair.characteristic)
            }
        }
        for try await event in pair.running.events() { if case .readRequest = event { break } }
        read.cancel()
        #expect(await read.value == .cancelled)
        let end = begin {
            await failure { () async throws(BluetoothError) in try await pair.link.waitUntilDisconnected() }
        }
        // It waits before it is cancelled.
        try await ManualTime.pass(milliseconds: 10)
        end.cancel()
        #expect(await end.value == .cancelled)
        await pair.close()
    }

    // What the stack keeps for itself is no event: an application would answer it with values of its own.
    @Test func subscribingToServiceChangesIsNotTold() async throws {
        let pair = try await Pair()
        let stream = try await pair.link.notifications(of: pair.characteristic)
        for try await event in pair.running.events() {
            guard case .subscribed(_, let handle, _) = event else { continue }
            #expect(handle == pair.characteristic.valueHandle)
            break
        }
        #expect(stream.droppedCount == 0)
        await pair.close()
    }

    // A subscription is shared, and goes with the last who listens.
    @Test func eachConsumerGetsEveryValueAndTheLastUnsubscribes() async throws {
        let pair = try await Pair()
        var first: NotificationStream? = try await pair.link.notifications(of: pair.characteristic)
        let second = try await pair.link.notifications(of: pair.characteristic)
        var events = pair.running.events().makeAsyncIterator()
        var client: Server.Client?
        while let event = try await events.next() {
            if case .subscribed(let who, _, .notify) = event {
                client = who
                break
            }
        }
        let handle = pair.characteristic.valueHandle
        try await pair.running.update([1], of: handle)
        for stream in [first, second] {
            var values = try #require(stream).makeAsyncIterator()
            #expect(try await values.next() == [1])
        }
        first = nil
        try await pair.running.update([2], of: handle)
        for try await value in second {
            #expect(value == [2])
            break
        }
        let task = begin { for try await _ in second {} }
        task.cancel()
        _ = try? await task.value
        while let event = try await events.next() {
            if case .unsubscribed(let who, handle) = event {
                #expect(who == client)
                break
            }
        }
        await pair.close()
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import BLEGATT
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Testing
import VirtualPhone

@Suite("Links through Core Bluetooth", .timeLimit(.minutes(5)))
struct LinkTests {
    @Test func connectingHasNoLimitWhereNoneIsWanted() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            let device = try await air.radio("C0:AA:00:00:00:02")
            let known: Peer
            do {
                let lamp = try await Lamp(on: device)
                known = try await phone.radio.find(ScanOptions(services: [Lamp.service])).peer
                await lamp.server.stop()
            }
            let connecting = Task(executorPreference: air.air.loop) {
                try await phone.radio.connect(to: known, ConnectOptions(timeout: nil))
            }
            try await air.advance(by: .seconds(900))
            let lamp = try await Lamp(on: device)
            let link = try await connecting.value
            #expect(try await link.read(Lamp.value) == [1])
            await #expect(throws: BluetoothError.alreadyConnected) {
                try await phone.radio.connect(to: known)
            }
            await phone.radio.close()
            await lamp.server.stop()
        }
    }

    @Test func aDeviceThatWasNeverHeardIsLookedFor() async throws {
        try await TestAir.run { air in
            let host = try await air.radio("C0:AA:00:00:00:01")
            // Another phone of the same name calls the device the same.
            let identifier = VirtualPhone(radio: host).identifier(of: Peer("C0:AA:00:00:00:02"))
            let radio = try await Phone.opening(VirtualPhone(radio: host).app(), air).value
            let connecting = Task(executorPreference: air.air.loop) {
                try await radio.connect(to: Peer(identifier: identifier))
            }
            let lamp = try await Lamp.on(air)
            #expect(try await connecting.value.read(Lamp.value) == [1])
            await radio.close()
            await lamp.server.stop()
        }
    }

    @Test func handlesStayAndThoseOfChangedServicesDoNot() async throws {
        try await TestAir.run { air in
            let lamp = try await Lamp.on(air)
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            let first = try await link.discoverServices()
            #expect(try await link.discoverServices() == first)
            let handles = first.flatMap { service in
                [service.handle]
                    + service.characteristics.flatMap { one in
                        [one.handle, one.valueHandle] + one.descriptors.map(\.handle)
                    }
            }
            #expect(handles == handles.sorted() && Set(handles).count == handles.count)
            var changes = link.serviceChanges().makeAsyncIterator()
            let added = try await lamp.server.add(
                GATT.ServiceDefinition(
                    Lamp.later, characteristics: [.init(Lamp.later, [.read, .notify], value: .stored([9]))]))
            _ = await changes.next()
            let second = try await link.discoverServices()
            #expect(second.filter { $0.uuid == Lamp.service } == first.filter { $0.uuid == Lamp.service })
            #expect(try await link.read(Lamp.later) == [9])
            let values = try await link.notifications(of: Lamp.later)
            try await lamp.server.removeService(at: added.start)
            await #expect(throws: BluetoothError.servicesChanged) { for try await _ in values {} }
            #expect(try await link.discoverServices() == first)
            let old = try #require(second.characteristic(Lamp.later))
            await #expect(throws: BluetoothError.refused(.invalidHandle)) { try await link.read(old) }
            await phone.radio.close()
        }
    }

    @Test func readsAndNotificationsOfOneValueAreToldApart() async throws {
        try await TestAir.run { air in
            var lamp = try await Lamp.on(air)
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            let values = try await link.notifications(of: Lamp.asked)
            let client = try await lamp.subscriber()
            let handle = try await lamp.handle(Lamp.asked)
            var answers: [[UInt8]] = []
            for number in 0..<100 as Range<UInt8> {
                async let answer = link.read(Lamp.asked)
                let request = try await lamp.readRequest()
                await lamp.server.respond(to: request, with: [number])
                answers.append(try await answer)
                try await lamp.server.notify([number, 1], of: handle, to: client)
            }
            #expect(answers == (0..<100).map { [$0] })
            var received: [[UInt8]] = []
            for try await value in values.prefix(100) { received.append(value) }
            #expect(received == (0..<100).map { [$0, 1] })
            await phone.radio.close()
        }
    }

    @Test func aValueThatIsSentWhileAReadWaitsIsNotLost() async throws {
        try await TestAir.run { air in
            var lamp = try await Lamp.on(air)
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            let values = try await link.notifications(of: Lamp.asked)
            let client = try await lamp.subscriber()
            async let answer = link.read(Lamp.asked)
            let request = try await lamp.readRequest()
            try await lamp.server.notify([2], of: try await lamp.handle(Lamp.asked), to: client)
            try await air.advance(by: .seconds(1))
            await lamp.server.respond(to: request, with: [1])
            #expect(try await answer == [1])
            for try await value in values {
                #expect(value == [2])
                break
            }
            await phone.radio.close()
        }
    }

    @Test func whatAnotherValueSendsIsNoAnswer() async throws {
        try await TestAir.run { air in
            var lamp = try await Lamp.on(air)
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            let all = link.allValues()
            try await link.subscribe(.notify, to: try await link.characteristic(Lamp.asked))
            let client = try await lamp.subscriber()
            try await link.subscribe(.notify, to: try await link.characteristic(Lamp.value))
            _ = try await lamp.subscriber()
            async let answer = link.read(Lamp.asked)
            let request = try await lamp.readRequest()
            await lamp.server.respond(to: request, with: [1])
            // There before the switch is read, which is what the radio waits for.
            try await lamp.server.notify([7], of: try await lamp.handle(Lamp.value), to: client)
            try await lamp.server.notify([8], of: try await lamp.handle(Lamp.value), to: client)
            #expect(try await answer == [1])
            var values: [[UInt8]] = []
            for try await value in all.prefix(2) { values.append(value.value) }
            #expect(values == [[7], [8]])
            await phone.radio.close()
        }
    }

    @Test func answersKeepTheirPlaceAmongValues() async throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            try await TestAir.run(seed: seed) { air in
                var lamp = try await Lamp.on(air)
                let phone = try await Phone.on(air)
                let link = try await phone.connect(offering: Lamp.service)
                let asked = try await link.characteristic(Lamp.asked)
                let value = try await link.characteristic(Lamp.value)
                let line = link.ordered()
                try await link.subscribe(.notify, to: value)
                let client = try await lamp.subscriber()
                let handle = try await lamp.handle(Lamp.value)
                let read = Task(executorPreference: phone.radio.executor) {
                    await line.perform {
                        _ = try? await link.read(asked)
                        return {}
                    }
                }
                let request = try await lamp.readRequest()
                try await lamp.server.notify([1], of: handle, to: client)
                await lamp.server.respond(to: request, with: [0])
                try await lamp.server.notify([2], of: handle, to: client)
                var order: [String] = []
                for try await event in line.events {
                    switch event {
                    case .value(let value): order.append("\(value.value)")
                    case .answered(let request, let attempt):
                        guard await request.completion(of: attempt) != nil else { continue }
                        order.append("answer")
                    default: continue
                    }
                    if order.count == 3 { break }
                }
                await read.value
                #expect(order == ["[1]", "answer", "[2]"])
                await phone.radio.close()
            }
        }
    }

    @Test func commandsWaitForRoomAndAllArriveInOrder() async throws {
        try await TestAir.run { air in
            var lamp = try await Lamp.on(air)
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            let commands = try await link.characteristic(Lamp.commands)
            let sending = Task(executorPreference: phone.radio.executor) {
                for number in 0..<200 as Range<UInt8> {
                    try await link.writeWithoutResponse([number], to: commands)
                }
            }
            for number in 0..<200 as Range<UInt8> {
                let written = try await lamp.next { event -> [UInt8]? in
                    if case .valueWritten(let octets, _, _) = event { octets } else { nil }
                }
                #expect(written == [number])
            }
            try await sending.value
            let value = try await link.characteristic(Lamp.value)
            await #expect(throws: BluetoothError.self) { try await link.writeWithoutResponse([1], to: value) }
            let long = [UInt8](repeating: 0, count: link.mtu)
            await #expect(throws: BluetoothError.self) {
                try await link.writeWithoutResponse(long, to: commands)
            }
            await phone.radio.close()
        }
    }

    @Test func aLinkWhoseValuesNobodyTakesIsClosed() async throws {
        try await TestAir.run { air in
            var lamp = try await Lamp.on(air)
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            let values = try await link.notifications(of: Lamp.value)
            let client = try await lamp.subscriber()
            let handle = try await lamp.handle(Lamp.value)
            var sent = 0
            while sent < 6000, try await lamp.server.notify([1], of: handle, to: client) { sent += 1 }
            #expect(try await link.waitUntilDisconnected() == .consumerTooSlow)
            var received = 0
            await #expect(throws: BluetoothError.disconnected(.consumerTooSlow)) {
                for try await _ in values { received += 1 }
            }
            #expect(received == 4097)
            // It can be connected again.
            #expect(try await phone.connect(offering: Lamp.service).read(Lamp.value) == [1])
            await phone.radio.close()
        }
    }

    @Test func tooManyRequestsAreRefused() async throws {
        try await TestAir.run { air in
            let lamp = try await Lamp.on(air)
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            let asked = try await link.characteristic(Lamp.asked)
            let failures = await withTaskGroup(of: BluetoothError?.self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        do throws(BluetoothError) { _ = try await link.read(asked) } catch { return error }
                        return nil
                    }
                }
                var failures: [BluetoothError] = []
                for await failure in group {
                    if let failure { failures.append(failure) }
                    if failures.count == 44 { await link.disconnect() }
                }
                return failures
            }
            #expect(failures.filter { $0 == .tooManyRequests }.count == 44)
            #expect(failures.filter { $0 == .disconnected(.closedByUs) }.count == 256)
            await phone.radio.close()
            await lamp.server.stop()
        }
    }

    @Test func theStrengthAndTheSwitchOfAValueCanBeAsked() async throws {
        try await TestAir.run { air in
            var lamp = try await Lamp.on(air)
            let phone = try await Phone.on(air)
            let link = try await phone.connect(offering: Lamp.service)
            #expect(try await link.readRSSI() < 0)
            let value = try await link.characteristic(Lamp.value)
            let handle = try #require(value.clientConfigurationHandle)
            try await link.write([1, 0], to: handle)
            _ = try await lamp.subscriber()
            #expect(try await link.read(handle) == [1, 0])
            try await link.write([0, 0], to: handle)
            try await lamp.next { if case .unsubscribed = $0 { () } else { nil } }
            await #expect(throws: BluetoothError.unsupported(.phy)) { try await link.readPHY() }
            await #expect(throws: BluetoothError.unsupported(.connectingToFirst)) {
                try await phone.radio.connect(toFirstOf: [link.peer, Peer(identifier: Lamp.later)])
            }
            await phone.radio.close()
        }
    }
}

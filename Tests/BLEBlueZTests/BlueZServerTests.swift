// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEAdvertising
import BLEGATT
import BLETransport
import BLEWire
import BluetoothLE
import DBus
import Glibc
import Synchronization
import Testing

@testable import BLEBlueZ

@Suite(
    "A device behind BlueZ", .enabled(if: PrivateBus.isThere, "there is no /usr/bin/dbus-daemon"),
    .timeLimit(.minutes(5)))
struct BlueZServerTests {
    private static let service = BluetoothUUID(0xA000)
    private static let (stored, asked, notified, indicated) = ("a001", "a002", "a003", "a004")

    private static var definition: GATT.ServiceDefinition {
        GATT.ServiceDefinition(
            service,
            characteristics: [
                GATT.CharacteristicDefinition(
                    BluetoothUUID(0xA001), [.read, .write], access: GATT.Access(write: .encrypted),
                    value: .stored([1, 2, 3]), descriptors: [.userDescription("Three")]),
                GATT.CharacteristicDefinition(
                    BluetoothUUID(0xA002), [.read, .write, .writeWithoutResponse], value: .delegated),
                GATT.CharacteristicDefinition(BluetoothUUID(0xA003), [.read, .notify], value: .stored([])),
                GATT.CharacteristicDefinition(BluetoothUUID(0xA004), [.indicate], value: .stored([])),
            ])
    }

    /// A device that is served, the bluetoothd that serves it, and what its clients do.
    private struct Bench {
        let blueZ: FakeBlueZ
        let radio: BlueZRadio
        let server: Server
        var events: ServerEventStream.AsyncIterator

        mutating func next() async throws -> ServerEvent { try #require(try await events.next()) }

        mutating func client() async throws -> Server.Client {
            // What another adapter is connected to is no client.
            blueZ.connect(true, to: "/org/bluez/hci1")
            blueZ.connect(true)
            while true { if case .connected(let client) = try await next() { return client } }
        }
    }

    private static func withServer(_ body: (inout Bench) async throws -> Void) async throws {
        let bus = try PrivateBus()
        let loop = try TransportLoop()
        defer { bus.end() }
        let blueZ = try FakeBlueZ(bus.address, on: loop)
        try await blueZ.begin()
        let radio = BlueZRadio(bus: bus.address, loop: loop)
        try await radio.start()
        let server = try await radio.radio.serve(ServerDescription(name: "Lamp", services: [definition]))
        var bench = Bench(
            blueZ: blueZ, radio: radio, server: server, events: server.events().makeAsyncIterator())
        try await body(&bench)
        await radio.close()
        blueZ.bus.close()
    }

    @Test func itsServicesAndItsAdvertisementAreWhatBlueZReads() async throws {
        try await Self.withServer { bench in
            let known = bench.blueZ.known.withLock { $0 }
            let objects = try #require(known.application).objects
            let services = objects.all(BlueZ.gattService)
            #expect(services.map { $0.properties["UUID"]?.string } == ["a000"])
            #expect(services[0].properties["Primary"]?.bool == true)
            let values = objects.all(BlueZ.characteristic)
            #expect(values.map { $0.properties["UUID"]?.string } == ["a001", "a002", "a003", "a004"])
            #expect(values.allSatisfy { $0.properties["Service"]?.string == services[0].path })
            #expect(
                values.map { $0.properties["Flags"]?.strings } == [
                    ["read", "write", "encrypt-write"], ["read", "write-without-response", "write"],
                    ["read", "notify"], ["indicate"],
                ])
            #expect(values.map { $0.properties["NotifyAcquired"] != nil } == [false, false, true, false])
            let descriptors = objects.all(BlueZ.descriptor)
            #expect(descriptors.map { $0.properties["UUID"]?.string } == ["2901"])
            let advertisement = try #require(known.advertisements.values.first)
            #expect(advertisement["Type"]?.string == "peripheral")
            #expect(advertisement["LocalName"]?.string == "Lamp")
            #expect(advertisement["ServiceUUIDs"]?.strings == ["a000"])
            #expect(advertisement["Discoverable"]?.bool == true)
        }
    }

    @Test func anAdvertisementIsToldAsProperties() throws {
        var data = AdvertisingDataBuilder()
        try data.append(ManufacturerData(company: 0x004C, data: [1, 2]))
        try data.append(.serviceData(ServiceData(uuid: BluetoothUUID(0xFCB2), data: [3])))
        let told = BlueZAdvertisement(
            DeviceAdvertisement(data: data.octets, scanResponse: []), isConnectable: false)
        #expect(told.properties["Type"] == .string("broadcast"))
        #expect(
            told.properties["ManufacturerData"]
                == .dictionary([.uint16(0x004C): .variant(.octets([1, 2]))], key: "q", value: "v"))
        #expect(told.properties["ServiceData"]?.named?["fcb2"] == .octets([3]))
        #expect(told.properties.keys.sorted() == ["ManufacturerData", "ServiceData", "Type"])
        let rubbish = BlueZAdvertisement(
            DeviceAdvertisement(data: [9, 9], scanResponse: [0xFF]), isConnectable: true)
        #expect(rubbish.properties.keys.sorted() == ["Type"])
    }

    @Test func whatIsStoredIsReadAndWrittenInParts() async throws {
        try await Self.withServer { bench in
            let client = try await bench.client()
            #expect(try await bench.blueZ.ask("ReadValue", of: Self.stored) == [.octets([1, 2, 3])])
            let offset: [String: DBusValue] = ["offset": .uint16(2), "mtu": .uint16(185)]
            #expect(try await bench.blueZ.ask("ReadValue", of: Self.stored, nil, offset) == [.octets([3])])
            #expect(try await bench.blueZ.ask("ReadValue", of: "2901") == [.octets(Array("Three".utf8))])
            _ = try await bench.blueZ.ask("WriteValue", of: Self.stored, [7, 8])
            _ = try await bench.blueZ.ask("WriteValue", of: Self.stored, [9], ["offset": .uint16(1)])
            #expect(try await bench.blueZ.ask("ReadValue", of: Self.stored) == [.octets([7, 9])])
            guard case .mtuChanged(client, mtu: 185) = try await bench.next(),
                case .valueWritten([7, 8], to: _, by: client) = try await bench.next(),
                case .valueWritten([7, 9], to: _, by: client) = try await bench.next()
            else {
                Issue.record("other events came")
                return
            }
            for (method, value, options) in [
                ("ReadValue", nil, ["offset": DBusValue.uint16(9)]),
                ("WriteValue", [1], ["offset": .uint16(9)]),
                ("WriteValue", [UInt8](repeating: 0, count: 513), [:]),
            ] as [(String, [UInt8]?, [String: DBusValue])] {
                await #expect(throws: DBusError.self) {
                    try await bench.blueZ.ask(method, of: Self.stored, value, options)
                }
            }
        }
    }

    @Test func whatIsDelegatedIsAnsweredByTheDevice() async throws {
        try await Self.withServer { bench in
            let client = try await bench.client()
            let blueZ = bench.blueZ
            async let answer = blueZ.ask("ReadValue", of: Self.asked)
            guard case .readRequest(let read) = try await bench.next(), read.client == client else {
                Issue.record("it is no read")
                return
            }
            await bench.server.respond(to: read, with: [4, 5, 6])
            let value = try await answer
            #expect(value == [.octets([4, 5, 6])])
            // The rest is of the same value, and nobody is asked again.
            #expect(
                try await blueZ.ask("ReadValue", of: Self.asked, nil, ["offset": .uint16(1)])
                    == [.octets([5, 6])])
            let refused = Task { try await blueZ.ask("WriteValue", of: Self.asked, [1, 2]) }
            guard case .writeRequest(let write) = try await bench.next(), write.value == [1, 2],
                write.expectsResponse
            else {
                Issue.record("it is no write")
                return
            }
            await bench.server.refuse(write, with: ATT.ErrorCode(rawValue: 0x81))
            await #expect(throws: DBusError.refused(name: "org.bluez.Error.Failed", message: "0x81")) {
                _ = try await refused.value
            }
            _ = try await blueZ.ask("WriteValue", of: Self.asked, [3], ["type": .string("command")])
            guard case .writeRequest(let command) = try await bench.next(), !command.expectsResponse else {
                Issue.record("it is no command")
                return
            }
            // Who has gone waits for nothing.
            let lost = Task { try await blueZ.ask("ReadValue", of: Self.asked) }
            _ = try await bench.next()
            blueZ.connect(false)
            await #expect(throws: DBusError.self) { _ = try await lost.value }
            guard case .disconnected(client, reason: .closedByPeer) = try await bench.next() else {
                Issue.record("it is still there")
                return
            }
            #expect(bench.server.clients.isEmpty)
        }
    }

    @Test func notificationsGoThroughASocketUntilBlueZClosesIt() async throws {
        try await Self.withServer { bench in
            let client = try await bench.client()
            let handle = try #require(await bench.server.valueHandle(of: BluetoothUUID(0xA003)))
            #expect(try await !bench.server.notify([0], of: handle, to: client))
            var descriptor: DBusDescriptor?
            do {
                let answer = try await bench.blueZ.ask(
                    "AcquireNotify", of: Self.notified, nil, ["mtu": .uint16(23)])
                descriptor = answer[0].descriptor
                #expect(answer[1] == .uint16(23))
            }
            guard case .mtuChanged(client, mtu: 23) = try await bench.next(),
                case .subscribed(client, to: handle, .notify) = try await bench.next()
            else {
                Issue.record("nobody has subscribed")
                return
            }
            let number = try #require(descriptor).number
            let long = [UInt8](repeating: 7, count: 40)
            for value in [[1], [2, 3], long] {
                #expect(try await bench.server.notify(value, of: handle, to: client))
            }
            var octets = [UInt8](repeating: 0, count: 512)
            #expect(read(number, &octets, 512) == 1 && octets[0] == 1)
            #expect(read(number, &octets, 512) == 2 && octets[1] == 3)
            #expect(read(number, &octets, 512) == 20)
            // One that BlueZ does not take waits for room, and goes on when the socket is closed.
            let server = bench.server
            let flood = Task {
                while try await server.notify([9], of: handle, to: client) { await Task.yield() }
            }
            try await Task.sleep(for: .milliseconds(50))
            descriptor = nil
            try await flood.value
            guard case .unsubscribed(client, from: handle) = try await bench.next() else {
                Issue.record("it is still subscribed")
                return
            }
        }
    }

    @Test func indicationsAreChangesOfAPropertyAndConfirmed() async throws {
        try await Self.withServer { bench in
            let client = try await bench.client()
            let handle = try #require(await bench.server.valueHandle(of: BluetoothUUID(0xA004)))
            #expect(bench.server.clients == [client])
            let (signals, source) = AsyncStream.makeStream(of: [UInt8].self)
            bench.blueZ.bus.handleSignals("type='signal',arg0='\(BlueZ.characteristic)'") {
                if let value = try? $0.get().arguments[1].named?["Value"]?.octets { source.yield(value) }
            }
            _ = try await bench.blueZ.ask("StartNotify", of: Self.indicated)
            guard case .subscribed(client, to: handle, .indicate) = try await bench.next() else {
                Issue.record("nobody has subscribed")
                return
            }
            #expect(try await bench.server.indicate([5, 6], of: handle, to: client))
            var came = signals.makeAsyncIterator()
            #expect(await came.next() == [5, 6])
            _ = try await bench.blueZ.ask("Confirm", of: Self.indicated)
            guard case .indicationConfirmed(of: handle, by: client) = try await bench.next() else {
                Issue.record("it is not confirmed")
                return
            }
            _ = try await bench.blueZ.ask("StopNotify", of: Self.indicated)
            #expect(try await !bench.server.indicate([7], of: handle, to: client))
        }
    }

    @Test func anotherAdvertisementTakesThePlaceOfTheFirst() async throws {
        try await Self.withServer { bench in
            var data = AdvertisingDataBuilder()
            try data.appendName("Other")
            try await bench.server.advertise(DeviceAdvertisement(data: data.octets, scanResponse: []))
            let known = bench.blueZ.known.withLock { $0 }
            #expect(known.advertisements.values.map { $0["LocalName"]?.string } == ["Other"])
            #expect(known.ended == ["UnregisterAdvertisement"])
        }
    }

    @Test func aNewBluetoothdIsToldEverythingAgain() async throws {
        try await Self.withServer { bench in
            _ = try await bench.client()
            try await bench.blueZ.leave()
            guard case .disconnected(_, reason: .radioLost) = try await bench.next(),
                case .advertisingStopped = try await bench.next()
            else {
                Issue.record("nothing is said")
                return
            }
            try await bench.blueZ.begin()
            guard case .advertisingResumed = try await bench.next() else {
                Issue.record("it does not go on")
                return
            }
            let known = bench.blueZ.known.withLock { $0 }
            #expect(known.application != nil && known.advertisements.count == 1)
            _ = try await bench.client()
            #expect(try await bench.blueZ.ask("ReadValue", of: Self.stored) == [.octets([1, 2, 3])])
        }
    }

    @Test func theEndTakesEverythingBack() async throws {
        try await Self.withServer { bench in
            _ = try await bench.client()
            let blueZ = bench.blueZ
            let waiting = Task { try await blueZ.ask("ReadValue", of: Self.asked) }
            guard case .readRequest = try await bench.next() else {
                Issue.record("it is no read")
                return
            }
            await bench.server.stop()
            await #expect(throws: DBusError.self) { _ = try await waiting.value }
            let known = blueZ.known.withLock { $0 }
            #expect(known.ended == ["UnregisterAdvertisement", "UnregisterApplication"])
            guard case .disconnected? = try await bench.events.next() else {
                Issue.record("the client was not disconnected")
                return
            }
            #expect(try await bench.events.next() == nil)
            // It can be a device again.
            let radio = bench.radio.radio
            let again = try await radio.serve(ServerDescription(name: "Lamp", services: [Self.definition]))
            await #expect(throws: BluetoothError.self) {
                try await radio.serve(ServerDescription(name: "Lamp", services: []))
            }
            await again.stop()
        }
    }

    @Test func whoWritesFasterThanAnybodyTakesIsCutOff() async throws {
        try await Self.withServer { bench in
            _ = try await bench.client()
            var refusal: (any Error)?
            for _ in 0...Serving.eventLimit where refusal == nil {
                do {
                    _ = try await bench.blueZ.ask("WriteValue", of: Self.stored, [1])
                } catch {
                    refusal = error
                }
            }
            #expect(
                refusal as? DBusError == .refused(name: "org.bluez.Error.Failed", message: "0x11"))
            var isGone = false
            while !isGone { if case .disconnected = try await bench.next() { isGone = true } }
        }
    }

    @Test func whatBlueZRefusesIsSaid() async throws {
        let bus = try PrivateBus()
        let loop = try TransportLoop()
        defer { bus.end() }
        let blueZ = try FakeBlueZ(bus.address, on: loop, refusing: "org.bluez.Error.NotPermitted")
        try await blueZ.begin()
        let radio = BlueZRadio(bus: bus.address, loop: loop)
        try await radio.start()
        await #expect(throws: BluetoothError.self) {
            try await radio.radio.serve(ServerDescription(name: "Lamp", services: [Self.definition]))
        }
        await radio.close()
        blueZ.bus.close()
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLECoreBluetooth
import BLEGATT
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Testing
import VirtualPhone

@Suite("Serving through Core Bluetooth", .timeLimit(.minutes(5)))
struct ServingTests {
    @Test func whatTheSystemDoesNotAdvertiseIsRefusedWithASentence() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            var data = AdvertisingDataBuilder()
            try data.append(ManufacturerData(company: 0x004C, data: [1]))
            let beacon = DeviceAdvertisement(data: data.octets, scanResponse: [])
            let description = ServerDescription(name: "Phone", services: [], advertisement: beacon)
            let error = await #expect(throws: BluetoothError.self) {
                try await phone.radio.serve(description)
            }
            #expect(error?.description == "Core Bluetooth advertises a name and services, and nothing else.")
            let open = ServerDescription(name: "Phone", services: [], isConnectable: false)
            await #expect(throws: BluetoothError.self) { try await phone.radio.serve(open) }
            // Nothing of it is left.
            let server = try await phone.radio.serve(ServerDescription(name: "Phone", services: []))
            await #expect(throws: BluetoothError.self) { try await server.advertise(beacon) }
            await #expect(throws: BluetoothError.self) {
                try await phone.radio.serve(ServerDescription(name: "Phone", services: []))
            }
            await phone.radio.close()
        }
    }

    @Test func whatTheSystemDoesNotOfferIsRefusedWithASentence() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            let strict = GATT.ServiceDefinition(
                Lamp.service,
                characteristics: [
                    .init(Lamp.value, [.read], access: GATT.Access(read: .authenticated), value: .stored([1]))
                ])
            await #expect(throws: BluetoothError.self) {
                try await phone.radio.serve(ServerDescription(name: "Phone", services: [strict]))
            }
            await #expect(throws: BluetoothError.self) { try await phone.radio.listen(psm: 0x81) }
            await phone.radio.close()
        }
    }

    @Test func linksStayWhenAdvertisingStops() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            let lamp = try await Lamp(on: phone.radio)
            let central = try await air.radio("C0:AA:00:00:00:02")
            let link = try await central.connect(
                to: try await central.find(ScanOptions(services: [Lamp.service])).peer)
            #expect(try await link.read(Lamp.value) == [1])
            try await lamp.server.stopAdvertising()
            try await air.advance(by: .seconds(10))
            #expect(try await link.read(Lamp.value) == [1])
            let other = try await air.radio("C0:AA:00:00:00:03")
            await #expect(throws: BluetoothError.notFound) {
                try await other.find(ScanOptions(services: [Lamp.service]))
            }
            try await lamp.server.advertise(DeviceAdvertisement(data: [], scanResponse: []))
            await phone.radio.close()
        }
    }

    @Test func aLongValueOfTheAppsOwnIsAskedForOnce() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            var lamp = try await Lamp(on: phone.radio)
            let central = try await air.radio("C0:AA:00:00:00:02")
            let link = try await central.connect(
                to: try await central.find(ScanOptions(services: [Lamp.service])).peer,
                ConnectOptions(exchangesMTU: false))
            let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
            async let answer = link.read(Lamp.asked)
            let request = try await lamp.readRequest()
            await lamp.server.respond(to: request, with: long)
            #expect(try await answer == long)
            // Answered before, and not there any more.
            await lamp.server.respond(to: request, with: [1])
            let writing = Task(executorPreference: air.air.loop) {
                try await link.write(long, to: Lamp.asked)
            }
            let write = try await lamp.next { if case .writeRequest(let write) = $0 { write } else { nil } }
            #expect(write.value == long)
            await lamp.server.refuse(write, with: .valueNotAllowed)
            await #expect(throws: BluetoothError.refused(.valueNotAllowed)) { try await writing.value }
            await phone.radio.close()
        }
    }

    @Test func servicesComeAndGoWhileItServes() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            let lamp = try await Lamp(on: phone.radio)
            let central = try await air.radio("C0:AA:00:00:00:02")
            let link = try await central.connect(
                to: try await central.find(ScanOptions(services: [Lamp.service])).peer)
            #expect(try await link.read(Lamp.value) == [1])
            var changes = link.serviceChanges().makeAsyncIterator()
            let added = try await lamp.server.add(
                GATT.ServiceDefinition(
                    Lamp.later, characteristics: [.init(Lamp.later, [.read], value: .stored([9]))]))
            _ = await changes.next()
            #expect(try await link.read(Lamp.later) == [9])
            try await lamp.server.update([8], of: Lamp.later)
            #expect(try await link.read(Lamp.later) == [8])
            try await lamp.server.removeService(at: added.start)
            _ = await changes.next()
            await #expect(throws: BluetoothError.self) { try await link.read(Lamp.later) }
            await #expect(throws: BluetoothError.self) {
                try await lamp.server.removeService(at: added.start)
            }
            await phone.radio.close()
        }
    }

    @Test func manyValuesWaitForRoomAndAllArriveInOrder() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            var lamp = try await Lamp(on: phone.radio)
            let central = try await air.radio("C0:AA:00:00:00:02")
            let link = try await central.connect(
                to: try await central.find(ScanOptions(services: [Lamp.service])).peer)
            let values = try await link.notifications(of: Lamp.value)
            let client = try await lamp.subscriber()
            let handle = try await lamp.handle(Lamp.value)
            let server = lamp.server
            let sending = Task(executorPreference: phone.radio.executor) {
                for number in 0..<500 as Range<UInt16> {
                    let octets = [UInt8(number & 0xFF), UInt8(number >> 8)]
                    guard try await server.notify(octets, of: handle, to: client) else { return false }
                }
                return true
            }
            var next: UInt16 = 0
            for try await value in values.prefix(500) {
                #expect(value == [UInt8(next & 0xFF), UInt8(next >> 8)])
                next += 1
            }
            #expect(try await sending.value && next == 500)
            // Nobody has subscribed to this one.
            let other = try await lamp.handle(Lamp.asked)
            #expect(try await !server.notify([1], of: other, to: client))
            #expect(try await !server.indicate([1], of: handle, to: client))
            await phone.radio.close()
        }
    }

    @Test func centralsThatNobodySaysHaveGoneAreForgotten() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            var lamp = try await Lamp(on: phone.radio)
            var clients: [Server.Client] = []
            for number in 0..<66 as Range<UInt64> {
                let central = try await air.radio(BluetoothAddress(0xC0BB_0000_0000 + number, kind: .random))
                let link = try await central.connect(
                    to: try await central.find(ScanOptions(services: [Lamp.service])).peer)
                #expect(try await link.read(Lamp.value) == [1])
                // The first stays, since it wants values.
                if number == 0 {
                    try await link.subscribe(.notify, to: try await link.characteristic(Lamp.value))
                }
                clients.append(
                    try await lamp.next { if case .connected(let client) = $0 { client } else { nil } })
                guard number != 0 else { continue }
                await link.disconnect()
                await central.close()
            }
            #expect(lamp.server.clients.count == 64)
            #expect(lamp.server.clients.contains(clients[0]))
            #expect(lamp.server.clients.isDisjoint(with: clients[1...2]))
            await phone.radio.close()
        }
    }

    @Test func aPhoneInTheBackgroundIsHeardByItsOverflowArea() async throws {
        try await TestAir.run { air in
            let hidden = try await Phone.on(air)
            _ = try await Lamp(on: hidden.radio)
            hidden.app.isInForeground = false
            let phone = try await Phone.on(air, "C0:AA:00:00:00:02")
            let scan = try await phone.radio.scan(ScanOptions(services: [Lamp.service]))
            for try await heard in scan where !heard.overflowServices.isEmpty {
                #expect(heard.overflowServices == [Lamp.service])
                #expect(!heard.services.contains(Lamp.service))
                break
            }
            await phone.radio.close()
            await hidden.radio.close()
        }
    }
}

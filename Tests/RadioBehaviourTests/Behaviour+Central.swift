// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Testing

// The radio under test scans and connects; the other is the device.
extension Behaviour {
    static let central = [
        Behaviour("it hears what is advertised", hears),
        Behaviour("it hears only what is asked for", filters),
        Behaviour("it finds what a device offers", discovers), Behaviour("it reads, long values too", reads),
        Behaviour("it writes, long values too, with and without response", writes),
        Behaviour("it says how a device refuses", isRefused),
        Behaviour("it gets every value that is notified", isNotified),
        Behaviour("it gets and confirms every value that is indicated", isIndicatedTo),
        Behaviour("it wants values no more", unsubscribes), Behaviour("it closes a link", leaves),
        Behaviour("it learns that a device closes a link", isLeft),
        Behaviour("it gives up what is cancelled", cancels),
        Behaviour("it gives up a device that is not there", findsNobody),
        Behaviour("it connects again and again", connectsAgain),
    ]

    private static func hears(_ bench: Bench) async throws {
        _ = try await Device(on: bench.other)
        let tellsAll = await bench.radio.capabilities.contains(.advertisedOctets)
        var services: [BluetoothUUID] = []
        var name: String?
        for try await heard in try await bench.radio.scan(ScanOptions(services: [Device.uuid])) {
            services += heard.services
            name = name ?? heard.name
            if !heard.isScanResponse {
                #expect(heard.isConnectable == true || heard.isConnectable == nil && !tellsAll)
            }
            if !services.isEmpty, name != nil { break }
        }
        #expect(services.contains(Device.uuid) && name == "Behaviour")
    }

    private static func filters(_ bench: Bench) async throws {
        let unfit = [
            ScanOptions(services: [Device.stored]),
            ScanOptions(services: [Device.uuid], name: "somebody else"),
            ScanOptions(services: [Device.uuid], minimumRSSI: 20),
        ]
        let fit = try await bench.radio.scan(ScanOptions(name: "behav"))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for options in unfit {
                let scan = try await bench.radio.scan(options)
                group.addTask {
                    for try await _ in scan { return true }
                    return false
                }
            }
            // After all the scans have begun: some radios report an advertiser only once.
            _ = try await Device(on: bench.other)
            for try await heard in fit where heard.name == "Behaviour" { break }
            group.cancelAll()
            for try await isHeard in group { #expect(!isHeard) }
        }
    }

    private static func discovers(_ bench: Bench) async throws {
        _ = try await Device(on: bench.other)
        let link = try await bench.connect(by: bench.radio)
        let service = try #require(link.services.first { $0.uuid == Device.uuid })
        #expect(
            service.characteristics.map(\.uuid) == [
                Device.stored, Device.asked, Device.long, Device.notified, Device.indicated, Device.commands,
            ])
        let stored = try link.characteristic(Device.stored)
        #expect(stored.properties == [.read, .write])
        #expect(try link.characteristic(Device.notified).properties == [.read, .notify])
        let description = try #require(
            stored.descriptors.first { $0.uuid == GATT.AttributeType.userDescription })
        #expect(try await link.connection.read(description) == Array("kept".utf8))
        #expect(link.connection.mtu >= 23)
        guard await bench.radio.capabilities.contains(.readByType) else { return }
        #expect(try await link.connection.primaryServices(of: Device.uuid).map(\.uuid) == [Device.uuid])
    }

    private static func reads(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        let link = try await bench.connect(by: bench.radio)
        #expect(try await link.read(Device.stored) == [1, 2, 3])
        #expect(try await link.read(Device.long) == Device.longValue)
        async let answer = link.read(Device.asked)
        let request = try await device.readRequest()
        await device.server.respond(to: request, with: [9, 8])
        #expect(try await answer == [9, 8])
    }

    private static func writes(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        let link = try await bench.connect(by: bench.radio)
        try await link.write([7], to: Device.stored)
        #expect(try await device.written(to: Device.stored) == [7])
        #expect(try await link.read(Device.stored) == [7])
        let long = [UInt8](Device.longValue.reversed())
        try await link.write(long, to: Device.long)
        #expect(try await device.written(to: Device.long) == long)
        for number in 0..<20 as Range<UInt8> {
            try await link.connection.writeWithoutResponse(
                [number], to: try link.characteristic(Device.commands))
        }
        for number in 0..<20 as Range<UInt8> {
            #expect(try await device.written(to: Device.commands) == [number])
        }
        async let written: Void = link.write([5], to: Device.asked)
        let request = try await device.writeRequest()
        #expect(request.value == [5] && request.expectsResponse)
        await device.server.respond(to: request)
        try await written
        await expect(.tooLong(octets: 513, limit: 512)) {
            try await link.write([UInt8](repeating: 0, count: 513), to: Device.long)
        }
    }

    private static func isRefused(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        let link = try await bench.connect(by: bench.radio)
        await expect(.refused(.readNotPermitted)) { _ = try await link.read(Device.commands) }
        await expect(.refused(.writeNotPermitted)) { try await link.write([1], to: Device.notified) }
        let code = ATT.ErrorCode(rawValue: 0x80)
        async let refusal: Void = expect(.refused(code)) { _ = try await link.read(Device.asked) }
        let request = try await device.readRequest()
        await device.server.refuse(request, with: code)
        await refusal
        // The link goes on.
        #expect(try await link.read(Device.stored) == [1, 2, 3])
    }

    private static func isNotified(_ bench: Bench) async throws {
        let heard = try await bench.subscription(to: Device.notified, of: bench.other, by: bench.radio)
        let (device, handle) = (heard.device, heard.handle)
        for number in 0..<50 as Range<UInt8> {
            #expect(try await device.server.notify([number, 1], of: handle, to: heard.client))
        }
        var received: [UInt8] = []
        for try await value in heard.values {
            received += value.prefix(1)
            if received.count == 50 { break }
        }
        #expect(received == Array(0..<50))
        // What is stored goes to those who have subscribed.
        try await device.server.update([99], of: handle)
        for try await value in heard.values {
            #expect(value == [99])
            break
        }
        #expect(try await heard.link.read(Device.notified) == [99])
    }

    private static func isIndicatedTo(_ bench: Bench) async throws {
        let heard = try await bench.subscription(to: Device.indicated, of: bench.other, by: bench.radio)
        let (device, handle) = (heard.device, heard.handle)
        var received = heard.values.makeAsyncIterator()
        for number in 0..<10 as Range<UInt8> {
            #expect(try await device.server.indicate([number], of: handle, to: heard.client))
            #expect(try await received.next() == [number])
            guard await bench.otherCan(.confirmations) else { continue }
            try await device.confirmation(of: handle, by: heard.client)
        }
    }

    private static func unsubscribes(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        let link = try await bench.connect(by: bench.radio)
        let notified = try link.characteristic(Device.notified)
        let handle = try await device.handle(of: Device.notified)
        try await link.connection.subscribe(.notify, to: notified)
        let client = try await device.subscriber(to: Device.notified)
        try await link.connection.subscribe([], to: notified)
        _ = try await device.next { if case .unsubscribed(client, handle) = $0 { true } else { nil } }
        #expect(try await !device.server.notify([1], of: handle, to: client))
    }

    private static func leaves(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        let link = try await bench.connect(by: bench.radio)
        // Some radios know of a client only when it has asked for something.
        #expect(try await link.read(Device.stored) == [1, 2, 3])
        let client = try await device.client()
        await link.connection.disconnect()
        if await bench.otherCan(.clientPresence) {
            #expect(try await device.end(of: client) == .closedByPeer)
        }
        #expect(link.connection.disconnectReason == .closedByUs)
        await expect(.disconnected(.closedByUs)) { _ = try await link.read(Device.stored) }
    }

    private static func isLeft(_ bench: Bench) async throws {
        guard await bench.otherCan(.disconnectingClients) else { return }
        let device = try await Device(on: bench.other)
        let link = try await bench.connect(by: bench.radio)
        let client = try await device.client()
        let values = link.connection.allValues()
        async let waiting: Void = expect(.disconnected(.closedByPeer)) {
            _ = try await link.read(Device.asked)
        }
        _ = try await device.readRequest()
        try await device.server.disconnect(client)
        #expect(try await link.connection.waitUntilDisconnected() == .closedByPeer)
        await waiting
        await expect(.disconnected(.closedByPeer)) { for try await _ in values {} }
    }

    private static func cancels(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        let link = try await bench.connect(by: bench.radio)
        let read = Task(executorPreference: bench.radio.executor) { try await link.read(Device.asked) }
        let request = try await device.readRequest()
        read.cancel()
        await expect(.cancelled) { _ = try await read.value }
        await device.server.respond(to: request, with: [1])
        #expect(try await link.read(Device.stored) == [1, 2, 3])
        let attempt = Task(executorPreference: bench.radio.executor) {
            try await bench.radio.connect(to: nobody, ConnectOptions(timeout: .seconds(600)))
        }
        attempt.cancel()
        await expect(.cancelled) { _ = try await attempt.value }
    }

    private static func findsNobody(_ bench: Bench) async throws {
        await expect(.connectFailed(.connectTimeout)) {
            _ = try await bench.radio.connect(to: nobody, ConnectOptions(timeout: .milliseconds(500)))
        }
    }

    private static func connectsAgain(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        for _ in 0..<3 {
            let link = try await bench.connect(by: bench.radio)
            #expect(try await link.read(Device.stored) == [1, 2, 3])
            guard await bench.otherCan(.clientPresence) else {
                await link.connection.disconnect()
                continue
            }
            let client = try await device.client()
            await link.connection.disconnect()
            _ = try await device.end(of: client)
        }
    }

    private static let nobody = Peer(BluetoothAddress(0xC000_0000_0001, kind: .random))
}

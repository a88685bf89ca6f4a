// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Testing

// What begins and ends within one call, by the radio under test; the other is the device.
extension Behaviour {
    static let scoped = [
        Behaviour("it waits until it can be used", waits),
        Behaviour("it scans for a time", scansForATime),
        Behaviour("it finds a device and scans no more", finds),
        Behaviour("it finds a device with all that it says", findsAll),
        Behaviour("it reports each device once, with all that it says", discovers),
        Behaviour("it says that a device was not found in time", doesNotFind),
        Behaviour("it gives up looking when it is cancelled", givesUpLooking),
        Behaviour("it lets a link go when the body returns", letsGoAfterReturning),
        Behaviour("it lets a link go when the body throws", letsGoAfterThrowing),
        Behaviour("it throws one type of error when the body does", throwsOneType),
        Behaviour("it lets a link go when it is cancelled", letsGoWhenCancelled),
        Behaviour("it is closed with its links when it is cancelled", closesWhenCancelled),
        Behaviour("it uses values by their UUID", usesByUUID),
        Behaviour("it asks which of two values is meant", asksWhich),
        Behaviour("it takes the one of two values that can do what is asked", takesWhatFits),
        Behaviour("it listens for a time", listensForATime),
        Behaviour("it sleeps by the radio's clock", sleeps),
    ]

    private struct Enough: Error {}

    private static func finds(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        let found = try await bench.radio.find(ScanOptions(services: [Device.uuid]))
        #expect(found.services.contains(Device.uuid))
        // Found again by a scan of its own, then by its address.
        let again = try await bench.radio.find(ScanOptions(name: "behav"))
        #expect(again.peer == found.peer)
        let connection = try await bench.radio.connect(to: found.peer)
        #expect(try await connection.read(Device.stored) == [1, 2, 3])
        _ = try await device.client()
        await connection.disconnect()
    }

    private static func waits(_ bench: Bench) async throws { try await bench.radio.waitUntilReady() }

    private static func scansForATime(_ bench: Bench) async throws {
        _ = try await Device(on: bench.other)
        let before = bench.radio.now
        var names: Set<String> = []
        for try await heard in try await bench.radio.scan(for: .seconds(2)) {
            if let name = heard.name { names.insert(name) }
        }
        #expect(names.contains("Behaviour"))
        #expect(bench.radio.now - before >= .seconds(2))
    }

    private static func findsAll(_ bench: Bench) async throws {
        _ = try await Device(on: bench.other)
        let byService = try await bench.radio.find(ScanOptions(services: [Device.uuid]))
        #expect(byService.services.contains(Device.uuid))
        let byName = try await bench.radio.find(ScanOptions(name: "behav"))
        #expect(byName.name == "Behaviour")
        // Elsewhere the platform puts together what it hears, and when it likes.
        guard await bench.radio.capabilities.contains(.advertisedOctets) else { return }
        #expect(byService.name == "Behaviour" && byName.services.contains(Device.uuid))
        #expect(!byService.isScanResponse && byService.isConnectable == true)
    }

    private static func discovers(_ bench: Bench) async throws {
        _ = try await Device(on: bench.other)
        let before = bench.radio.now
        var heard: [Advertisement] = []
        for try await device in try await bench.radio.discover(for: .seconds(3)) { heard.append(device) }
        #expect(bench.radio.now - before >= .seconds(3))
        #expect(Set(heard.map(\.peer)).count == heard.count)
        let device = try #require(heard.first { $0.services.contains(Device.uuid) || $0.name == "Behaviour" })
        // Elsewhere the platform puts together what it hears, and when it likes.
        guard await bench.radio.capabilities.contains(.advertisedOctets) else { return }
        #expect(device.name == "Behaviour" && device.services.contains(Device.uuid))
        // What is asked for counts together, too, and a loop that is left ends the scan.
        let byName = ScanOptions(services: [Device.uuid], name: "behav")
        #expect(try await bench.radio.discover(byName).first { _ in true }?.peer == device.peer)
    }

    private static func doesNotFind(_ bench: Bench) async throws {
        let before = bench.radio.now
        await expect(.notFound) {
            _ = try await bench.radio.find(ScanOptions(services: [Device.stored]), within: .seconds(2))
        }
        #expect(bench.radio.now - before >= .seconds(2))
    }

    private static func givesUpLooking(_ bench: Bench) async throws {
        let task = Task(executorPreference: bench.radio.executor) {
            try await bench.radio.find(ScanOptions(services: [Device.stored]))
        }
        try await bench.radio.sleep(for: .milliseconds(300))
        task.cancel()
        await #expect(throws: BluetoothError.cancelled) { _ = try await task.value }
    }

    /// A device, and what its client's link ends with after the radio under test has run a body on it; `nil` where the other radio
    /// does not tell.
    private static func end(
        _ bench: Bench, _ work: (Peer) async throws -> Void
    ) async throws -> LinkError? {
        let device = try await Device(on: bench.other)
        try await work(try await bench.radio.find(ScanOptions(services: [Device.uuid])).peer)
        guard await bench.otherCan(.clientPresence) else { return nil }
        let client = try await device.client()
        return try await device.end(of: client)
    }

    private static func letsGoAfterReturning(_ bench: Bench) async throws {
        let reason = try await end(bench) { peer in
            let value = try await bench.radio.withConnection(to: peer) { try await $0.read(Device.stored) }
            #expect(value == [1, 2, 3])
        }
        #expect(reason == .closedByPeer || reason == nil)
    }

    private static func letsGoAfterThrowing(_ bench: Bench) async throws {
        var held: Connection?
        let reason = try await end(bench) { peer in
            await #expect(throws: Enough.self) {
                try await bench.radio.withConnection(to: peer) { connection in
                    held = connection
                    throw Enough()
                }
            }
        }
        #expect(reason == .closedByPeer || reason == nil)
        #expect(held?.isDisconnected == true)
    }

    private static func throwsOneType(_ bench: Bench) async throws {
        let reason = try await end(bench) { peer in
            do throws(BluetoothError) {
                try await bench.radio.withConnection(to: peer) { connection throws(BluetoothError) in
                    _ = try await connection.read("DEAD")
                }
            } catch {
                guard case .notOffered = error else { throw error }
            }
        }
        #expect(reason == .closedByPeer || reason == nil)
    }

    private static func asksWhich(_ bench: Bench) async throws {
        let twice = GATT.CharacteristicDefinition(Device.stored, .read, value: .stored([1]))
        _ = try await bench.other.serve(
            ServerDescription(
                name: Device.name,
                services: [GATT.ServiceDefinition(Device.uuid, characteristics: [twice, twice])]))
        let peer = try await bench.radio.find(ScanOptions(name: "behav")).peer
        try await bench.radio.withConnection(to: peer) { connection in
            let handles = try await connection.discoverServices().flatMap(\.characteristics)
                .filter { $0.uuid == Device.stored }.map(\.valueHandle)
            let error = await #expect(throws: BluetoothError.self) {
                _ = try await connection.read(Device.stored)
            }
            #expect(handles.count == 2)
            for handle in handles { #expect(error.map { "\($0)" }?.contains("\(handle)") == true) }
        }
    }

    private static func takesWhatFits(_ bench: Bench) async throws {
        let read = GATT.CharacteristicDefinition(Device.stored, .read, value: .stored([7]))
        let told = GATT.CharacteristicDefinition(Device.stored, [.notify, .write], value: .stored([8]))
        _ = try await bench.other.serve(
            ServerDescription(
                name: Device.name,
                services: [GATT.ServiceDefinition(Device.uuid, characteristics: [read, told])]))
        let peer = try await bench.radio.find(ScanOptions(name: "behav")).peer
        try await bench.radio.withConnection(to: peer) { connection in
            #expect(try await connection.read(Device.stored) == [7])
            try await connection.write([9], to: Device.stored)
            _ = try await connection.notifications(of: Device.stored)
        }
    }

    private static func letsGoWhenCancelled(_ bench: Bench) async throws {
        let reason = try await end(bench) { peer in
            let (opened, open) = AsyncStream.makeStream(of: Void.self)
            let task = Task(executorPreference: bench.radio.executor) {
                try await bench.radio.withConnection(to: peer) { connection in
                    open.yield()
                    try await connection.waitUntilDisconnected()
                }
            }
            for await _ in opened { break }
            task.cancel()
            await #expect(throws: BluetoothError.cancelled) { try await task.value }
        }
        #expect(reason == .closedByPeer || reason == nil)
    }

    private static func closesWhenCancelled(_ bench: Bench) async throws {
        let reason = try await end(bench) { peer in
            let (opened, open) = AsyncStream.makeStream(of: Connection.self)
            let task = Task(executorPreference: bench.radio.executor) {
                try await bench.radio.executeThenClose { radio in
                    let connection = try await radio.connect(to: peer)
                    open.yield(connection)
                    try await connection.waitUntilDisconnected()
                }
            }
            let connection = try #require(await opened.first { _ in true })
            task.cancel()
            await #expect(throws: BluetoothError.cancelled) { try await task.value }
            #expect(connection.isDisconnected)
        }
        #expect(reason == .closedByPeer || reason == nil)
    }

    private static func usesByUUID(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        let peer = try await bench.radio.find(ScanOptions(services: [Device.uuid])).peer
        let connection = try await bench.radio.connect(to: peer)
        #expect(try await connection.read(Device.stored) == [1, 2, 3])
        try await connection.write([4], to: Device.stored)
        #expect(try await connection.read(Device.stored) == [4])
        try await connection.writeWithoutResponse([5], to: Device.commands)
        #expect(try await device.written(to: Device.commands) == [5])
        async let asked = connection.read(Device.asked)
        let request = try await device.readRequest()
        #expect(request.uuid == Device.asked)
        await device.server.respond(to: request, with: [6])
        #expect(try await asked == [6])
        async let written: Void = connection.write([7], to: Device.asked)
        let wish = try await device.writeRequest()
        #expect(wish.uuid == Device.asked && wish.value == [7])
        await device.server.respond(to: wish)
        try await written
        await #expect(throws: BluetoothError.self) { _ = try await connection.read("DEAD") }
        await connection.disconnect()
    }

    private static func listensForATime(_ bench: Bench) async throws {
        let device = try await Device(on: bench.other)
        let peer = try await bench.radio.find(ScanOptions(services: [Device.uuid])).peer
        try await bench.radio.withConnection(to: peer) { connection in
            let before = bench.radio.now
            let values = try await connection.notifications(of: Device.notified, for: .seconds(3))
            try await device.server.update([1], of: Device.notified)
            var received: [[UInt8]] = []
            for try await value in values { received.append(value) }
            #expect(received == [[1]])
            #expect(bench.radio.now - before >= .seconds(3))
        }
    }

    private static func sleeps(_ bench: Bench) async throws {
        let before = bench.radio.now
        try await bench.radio.sleep(for: .milliseconds(250))
        #expect(bench.radio.now - before >= .milliseconds(250))
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLESimulation
import BLEWire
import Testing

/// What the air is like and how the link is timed.
struct Weather: Sendable, CustomTestStringConvertible {
    var loss = 0.0
    var latency: UInt16 = 0
    var interval: UInt32 = 15
    var bufferLength: UInt16 = 251
    var mtu = 517
    var generation = VirtualAir.Generation.extended

    var testDescription: String {
        "\(generation.rawValue), loss \(loss), latency \(latency), \(interval) ms, buffers of \(bufferLength), MTU \(mtu)"
    }

    static let all: [Weather] = [
        Weather(), Weather(loss: 0.2), Weather(latency: 4), Weather(loss: 0.1, latency: 9, interval: 30),
        Weather(bufferLength: 27), Weather(mtu: 23), Weather(loss: 0.3, bufferLength: 27, mtu: 100),
        Weather(interval: 4000), Weather(generation: .legacy), Weather(loss: 0.2, generation: .legacy),
    ]

    var parameters: ConnectParameters {
        ConnectParameters(
            intervalMin: ConnectionInterval(milliseconds: interval),
            intervalMax: ConnectionInterval(milliseconds: interval), latency: latency,
            supervisionTimeout: SupervisionTimeout(milliseconds: max(6_000, interval * 4)))
    }
}

private let short = [UInt8]("Lamp".utf8)
private let long = (0..<512).map { UInt8($0 & 0xFF) }

/// Handles 16 notify, 19 delegated, 21 stored and long.
private let services: [GATT.ServiceDefinition] = [
    .init(
        BluetoothUUID(0xFF00),
        characteristics: [
            .init(BluetoothUUID(0xFF01), [.notify, .indicate, .writeWithoutResponse], value: .delegated),
            .init(BluetoothUUID(0xFF02), [.read, .write], value: .delegated),
            .init(BluetoothUUID(0xFF03), .read, value: .stored(long)),
        ])
]

@Suite struct AirScenarioTests {
    private static func pair(_ weather: Weather) -> (AirBench, Station, Station) {
        let bench = AirBench(VirtualAir.Configuration(seed: 5))
        bench.generation = weather.generation
        let central = bench.add(
            0xC, HostConfiguration(maximumMTU: weather.mtu), bufferLength: weather.bufferLength)
        let peripheral = bench.add(
            0xD, HostConfiguration(services: services), bufferLength: weather.bufferLength)
        return (bench, central, peripheral)
    }

    @Test(arguments: Weather.all) func `a central finds, reads, writes and is told`(_ weather: Weather) throws
    {
        let (bench, central, peripheral) = Self.pair(weather)
        peripheral.answer = { handle, value in
            handle == 19 ? (value == [0xBA] ? .failure(.valueNotAllowed) : .success(short)) : .success([])
        }
        let (up, down) = try #require(bench.connect(central, peripheral, weather.parameters))
        bench.world.air.loss = weather.loss
        bench.perform(.discover, central, on: up)
        bench.run(seconds: 600) { central.open.isEmpty }
        #expect(central.services.map(\.uuid.short) == [0x1800, 0x1801, 0xFF00])
        #expect(central.stack.mtu(of: up) == weather.mtu && peripheral.stack.mtu(of: down) == weather.mtu)
        let found = try #require(central.services.characteristic(BluetoothUUID(0xFF01)))
        #expect(found.valueHandle == 16 && found.clientConfigurationHandle == 17)
        central.events = []
        bench.perform(.read(19), central, on: up)
        bench.perform(.write(19, [1]), central, on: up)
        bench.perform(.write(19, [0xBA]), central, on: up)
        bench.perform(.read(21), central, on: up)
        bench.perform(.writeWithoutResponse(16, [2]), central, on: up)
        bench.perform(.write(17, [1, 0]), central, on: up)
        bench.run(seconds: 600) { central.open.isEmpty }
        let id = weather.mtu == 0 ? 0 : 3
        #expect(
            central.events.sorted()
                == [
                    "completed \(up.rawValue) \(id) value \(short.hexadecimal)",
                    "completed \(up.rawValue) \(id + 1) done",
                    "completed \(up.rawValue) \(id + 2) refused 19",
                    "completed \(up.rawValue) \(id + 3) value \(long.hexadecimal)",
                    "completed \(up.rawValue) \(id + 4) done", "completed \(up.rawValue) \(id + 5) done",
                ].sorted())
        #expect(Set(peripheral.values) == [[1], [0xBA], [2]])
        let isAccepted = bench.update(peripheral) { stack, now in
            stack.send([7], of: 16, as: .notify, on: down, at: now)
        }
        #expect(isAccepted)
        bench.run(seconds: 60) { central.values == [[7]] }
        bench.world.air.loss = 0
        bench.settle()
        bench.update(central) { stack, now in stack.disconnect(up, at: now) }
        bench.settle()
        #expect(central.events.last == "disconnected \(up.rawValue) closedByUs")
        #expect(peripheral.events.last == "disconnected \(down.rawValue) closedByPeer")
    }

    @Test(arguments: Weather.all) func `values of 512 octets are written whole or not at all`(
        _ weather: Weather
    ) throws {
        let (bench, central, peripheral) = Self.pair(weather)
        peripheral.answer = { _, value in value?.last == 0xBA ? .failure(.outOfRange) : .success([]) }
        let (up, _) = try #require(bench.connect(central, peripheral, weather.parameters))
        bench.world.air.loss = weather.loss
        central.events = []
        bench.perform(.write(19, long), central, on: up)
        bench.perform(.write(19, long.dropLast() + [0xBA]), central, on: up)
        bench.perform(.writeReliably([.init(short, to: 19), .init([2, 0], to: 17)]), central, on: up)
        bench.run(seconds: 900) { central.open.isEmpty }
        let completed = central.events.filter { $0.hasPrefix("completed") }
        #expect(
            completed.map { $0.split(separator: " ").dropFirst(3).joined(separator: " ") }
                .suffix(3) == ["done", "refused 255", "done"])
        #expect(peripheral.values == [long, long.dropLast() + [0xBA], short])
        #expect(peripheral.events.contains { $0.hasPrefix("subscribed") })
        bench.world.air.loss = 0
    }

    @Test(arguments: [
        Weather(), Weather(loss: 0.25), Weather(loss: 0.05, bufferLength: 27), Weather(mtu: 23),
    ])
    func `5000 notifications come in order and none is lost`(_ weather: Weather) throws {
        let (bench, central, peripheral) = Self.pair(weather)
        let (up, down) = try #require(bench.connect(central, peripheral, weather.parameters))
        bench.perform(.write(17, [1, 0]), central, on: up)
        bench.run { central.open.isEmpty }
        bench.world.air.loss = weather.loss
        var next = 0
        bench.run(seconds: 3_000) {
            while next < 5_000, peripheral.stack.hasRoom(down) {
                let value = two(next) + [UInt8](repeating: 7, count: next % (weather.mtu - 4))
                let isAccepted = bench.update(peripheral) { stack, now in
                    stack.send(value, of: 16, as: .notify, on: down, at: now)
                }
                guard isAccepted else { break }
                next += 1
            }
            return central.values.count >= 5_000
        }
        #expect(next == 5_000)
        #expect(central.values.map { Int($0[0]) | Int($0[1]) << 8 } == Array(0..<5_000))
        #expect(
            central.values.enumerated().allSatisfy {
                $1.count == min(2 + $0 % (weather.mtu - 4), ATT.longestValue(atMTU: weather.mtu))
            })
        bench.world.air.loss = 0
        bench.settle()
    }

    @Test(arguments: [0.0, 0.2]) func `write commands and indications both ways lose nothing`(_ loss: Double)
        throws
    {
        let (bench, central, peripheral) = Self.pair(Weather())
        let (up, down) = try #require(bench.connect(central, peripheral))
        bench.perform(.write(17, [2, 0]), central, on: up)
        bench.run { central.open.isEmpty }
        bench.world.air.loss = loss
        var (written, indicated) = (0, 0)
        bench.run(seconds: 600) {
            while written < 1_000, central.stack.hasRoom(up) {
                bench.perform(.writeWithoutResponse(16, two(written)), central, on: up)
                written += 1
            }
            let confirmed = peripheral.events.count { $0.hasPrefix("confirmed") }
            if indicated < 200, indicated == confirmed {
                let isAccepted = bench.update(peripheral) { stack, now in
                    stack.send(two(indicated), of: 16, as: .indicate, on: down, at: now)
                }
                #expect(isAccepted)
                indicated += 1
            }
            return peripheral.values.count == 1_000 && confirmed == 200
        }
        #expect(peripheral.values == (0..<1_000).map(two))
        #expect(central.values == (0..<200).map(two))
        #expect(!central.events.contains { $0.hasSuffix("queueFull") })
        bench.world.air.loss = 0
        bench.settle()
    }

    @Test func `a device that vanishes is lost after the supervision timeout`() throws {
        let (bench, central, peripheral) = Self.pair(Weather())
        let (up, _) = try #require(bench.connect(central, peripheral))
        bench.run(seconds: 1)
        bench.perform(.read(21), central, on: up)
        bench.perform(.read(19), central, on: up)
        bench.world.air.removeController(peripheral.controller)
        bench.run(seconds: 4)
        #expect(central.links == [up])
        bench.run(seconds: 2)
        #expect(central.events.last == "disconnected \(up.rawValue) supervisionTimeout")
        #expect(central.open.isEmpty)
        #expect(central.events.count { $0.hasSuffix("disconnected") } == 2)
        #expect(central.stack.nextDeadline == nil)
    }

    @Test func `a link outlives silence that is short enough`() throws {
        let (bench, central, peripheral) = Self.pair(Weather())
        let (up, down) = try #require(bench.connect(central, peripheral))
        bench.run(seconds: 1)
        bench.world.air.setReachable(central.controller, peripheral.controller, false)
        bench.perform(.read(21), central, on: up)
        bench.run(seconds: 4)
        #expect(!central.open.isEmpty)
        bench.world.air.setReachable(central.controller, peripheral.controller, true)
        bench.run { central.open.isEmpty }
        #expect(central.events.last == "completed \(up.rawValue) 2 value \(long.hexadecimal)")
        bench.world.air.setReachable(central.controller, peripheral.controller, false)
        bench.run(seconds: 6)
        #expect(central.events.last == "disconnected \(up.rawValue) supervisionTimeout")
        #expect(peripheral.events.last == "disconnected \(down.rawValue) supervisionTimeout")
        bench.settle()
    }

    @Test func `nobody answers: the attempt ends after its time and leaves nothing`() {
        let bench = AirBench()
        let central = bench.add(0xC)
        let nobody = BluetoothAddress(0xBAD, kind: .public)
        for _ in 0..<3 {
            bench.update(central) { stack, now in
                stack.connect(to: nobody, ConnectParameters(timeoutMilliseconds: 2_000), at: now)
            }
        }
        bench.settle()
        #expect(central.events == [String](repeating: "connect failed \(nobody) connectTimeout", count: 3))
        #expect(bench.now.microseconds >= 6_000_000 && bench.now.microseconds < 7_000_000)
    }

    @Test func `a hundred links one after the other leave nothing behind`() throws {
        let (bench, central, peripheral) = Self.pair(Weather())
        for round in 0..<100 {
            let (up, down) = try #require(bench.connect(central, peripheral))
            #expect(up.rawValue == UInt32(round + 1))
            // Not always at rest.
            if round % 3 == 0 { bench.perform(.discover, central, on: up) }
            if round % 3 == 1 { bench.run(seconds: 1) }
            let closer = round.isMultiple(of: 2) ? central : peripheral
            bench.update(closer) { stack, now in
                stack.disconnect(round.isMultiple(of: 2) ? up : down, at: now)
            }
            bench.settle()
            #expect(central.links.isEmpty && peripheral.links.isEmpty)
        }
    }

    @Test func `two centrals use one peripheral, and one peripheral's end is not the other's`() throws {
        let bench = AirBench()
        let first = bench.add(0xA)
        let second = bench.add(0xB)
        let peripheral = bench.add(0xD, HostConfiguration(services: services))
        let (one, oneDown) = try #require(bench.connect(first, peripheral))
        let (two, twoDown) = try #require(bench.connect(second, peripheral))
        bench.perform(.write(17, [1, 0]), first, on: one)
        bench.perform(.write(17, [1, 0]), second, on: two)
        bench.run { first.open.isEmpty && second.open.isEmpty }
        func notify(_ number: UInt8) {
            for link in [oneDown, twoDown] {
                bench.update(peripheral) { stack, now in
                    _ = stack.send([number], of: 16, as: .notify, on: link, at: now)
                }
            }
        }
        notify(1)
        bench.run { first.values == [[1]] && second.values == [[1]] }
        bench.update(first) { stack, now in stack.disconnect(one, at: now) }
        bench.run { peripheral.links == [twoDown] }
        notify(2)
        bench.run { second.values == [[1], [2]] }
        #expect(first.values == [[1]])
        bench.settle()
    }
}

extension AirScenarioTests {
    @Test(arguments: [0, 1, 20]) func `what was written before we close still arrives`(_ count: Int) throws {
        let bench = AirBench()
        let central = bench.add(0xC, buffers: 2)
        let peripheral = bench.add(0xD, HostConfiguration(services: services))
        let (up, down) = try #require(bench.connect(central, peripheral))
        bench.run(seconds: 1)
        for number in 0..<count { bench.perform(.writeWithoutResponse(16, two(number)), central, on: up) }
        bench.update(central) { stack, now in stack.disconnect(up, at: now) }
        bench.run { central.links.isEmpty && peripheral.links.isEmpty }
        #expect(peripheral.values == (0..<count).map(two))
        #expect(central.events.last == "disconnected \(up.rawValue) closedByUs")
        #expect(peripheral.events.last == "disconnected \(down.rawValue) closedByPeer")
        bench.settle()
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHost
import BLESimulation
import BLEWire
import Testing

private func hex(_ text: String) -> String { octets(text).hexadecimal }

private let added = GATT.ServiceDefinition(
    BluetoothUUID(0xFF20),
    characteristics: [.init(BluetoothUUID(0xFF21), [.read, .notify], value: .stored([2]))])

@Suite struct ServiceChangesTests {
    private static func pair(_ loss: Double = 0) throws -> (AirBench, Station, Station, LinkID, LinkID) {
        let bench = AirBench(VirtualAir.Configuration(seed: 5))
        let central = bench.add(0xC)
        let peripheral = bench.add(
            0xD,
            HostConfiguration(services: [
                .init(
                    BluetoothUUID(0xFF00),  // 14
                    characteristics: [
                        .init(BluetoothUUID(0xFF01), [.read, .notify], value: .stored([1]))  // 16, 17
                    ])
            ]))
        let (up, down) = try #require(bench.connect(central, peripheral))
        bench.world.air.loss = loss
        return (bench, central, peripheral, up, down)
    }

    private static func find(_ bench: AirBench, _ central: Station, _ link: LinkID) -> GATT.FoundServices? {
        central.found = nil
        bench.perform(.findServices(known: nil), central, on: link)
        bench.run { central.found != nil }
        return central.found
    }

    @Test(arguments: [0, 0.2]) func `services come and go, and the central is told`(_ loss: Double) throws {
        let (bench, central, peripheral, up, _) = try Self.pair(loss)
        #expect(Self.find(bench, central, up)?.services.map(\.uuid.short) == [0x1800, 0x1801, 0xFF00])
        central.events = []
        let range = bench.update(peripheral) { stack, now in stack.add(added, at: now) }
        #expect(range == ATT.HandleRange(start: 18, end: 21))
        bench.run { !central.events.isEmpty }
        #expect(central.events == ["services changed \(up.rawValue) 18 21"])
        let found = try #require(Self.find(bench, central, up))
        #expect(found.services.map(\.uuid.short) == [0x1800, 0x1801, 0xFF00, 0xFF20])
        #expect(found.services.last?.handle == 18)
        central.events = []
        let isRemoved = bench.update(peripheral) { stack, now in stack.removeService(at: 14, at: now) }
        #expect(isRemoved)
        bench.run { !central.events.isEmpty }
        #expect(central.events == ["services changed \(up.rawValue) 14 17"])
        #expect(Self.find(bench, central, up)?.services.map(\.uuid.short) == [0x1800, 0x1801, 0xFF20])
        bench.world.air.loss = 0
        bench.update(central) { stack, now in stack.disconnect(up, at: now) }
        bench.settle()
    }

    @Test func `GAP and GATT stay`() throws {
        let (bench, _, peripheral, _, _) = try Self.pair()
        for handle: AttributeHandle in [1, 6, 3, 99] {
            let isRemoved = bench.update(peripheral) { stack, now in
                stack.removeService(at: handle, at: now)
            }
            #expect(!isRemoved)
        }
    }

    @Test func `a central that comes again needs no discovery as long as nothing has changed`() throws {
        let (bench, central, peripheral, up, _) = try Self.pair()
        let memory = try #require(Self.find(bench, central, up)?.memory)
        bench.update(central) { stack, now in stack.disconnect(up, at: now) }
        bench.settle()
        let (again, _) = try #require(bench.connect(central, peripheral))
        central.found = nil
        bench.perform(.findServices(known: memory), central, on: again)
        bench.run { central.found != nil }
        #expect(central.found?.wereKnown == true)
        bench.update(central) { stack, now in stack.disconnect(again, at: now) }
        bench.settle()
        _ = bench.update(peripheral) { stack, now in stack.add(added, at: now) }
        let (third, _) = try #require(bench.connect(central, peripheral))
        central.found = nil
        bench.perform(.findServices(known: memory), central, on: third)
        bench.run { central.found != nil }
        #expect(central.found?.wereKnown == false && central.found?.services.count == 4)
        bench.update(central) { stack, now in stack.disconnect(third, at: now) }
        bench.settle()
    }

    @Test func `a central that is not told by Service Changed is told by Database Out Of Sync`() throws {
        let (bench, central, peripheral, up, down) = try Self.pair()
        _ = Self.find(bench, central, up)
        // Service Changed off, notifications on.
        bench.perform(.write(9, [0, 0]), central, on: up)
        bench.perform(.write(17, [1, 0]), central, on: up)
        bench.run { central.open.isEmpty }
        (central.events, central.values) = ([], [])
        _ = bench.update(peripheral) { stack, now in stack.add(added, at: now) }
        let isAccepted = bench.update(peripheral) { stack, now in
            stack.send([7], of: 16, as: .notify, on: down, at: now)
        }
        #expect(!isAccepted)
        bench.perform(.read(16), central, on: up)
        bench.run { central.open.isEmpty }
        #expect(central.events.count == 2 && central.events[0].hasSuffix("refused 18"))
        #expect(central.events.last == "services changed \(up.rawValue) 1 65535")
        #expect(Self.find(bench, central, up)?.services.count == 4)
        let isTakenNow = bench.update(peripheral) { stack, now in
            stack.send([7], of: 16, as: .notify, on: down, at: now)
        }
        #expect(isTakenNow)
        bench.run { central.values == [[7]] }
        bench.update(central) { stack, now in stack.disconnect(up, at: now) }
        bench.settle()
    }

    @Test func `values sent while the central is being told wait for it, and none is lost`() throws {
        let (bench, central, peripheral, up, down) = try Self.pair(0.1)
        _ = Self.find(bench, central, up)
        bench.perform(.write(17, [1, 0]), central, on: up)
        bench.run { central.open.isEmpty }
        central.values = []
        var next = 0
        bench.run(seconds: 600) {
            while next < 300, peripheral.stack.hasRoom(down) {
                let isAccepted = bench.update(peripheral) { stack, now in
                    stack.send(two(next), of: 16, as: .notify, on: down, at: now)
                }
                #expect(isAccepted)
                next += 1
                if next.isMultiple(of: 100) {
                    _ = bench.update(peripheral) { stack, now in stack.add(added, at: now) }
                }
            }
            return central.values.filter { $0.count == 2 }.count == 300
        }
        #expect(
            central.values.filter { $0.count == 2 }.map { Int($0[0]) | Int($0[1]) << 8 } == Array(0..<300))
        bench.world.air.loss = 0
        bench.update(central) { stack, now in stack.disconnect(up, at: now) }
        bench.settle()
    }
}

@Suite struct MultipleNotificationTests {
    private static let link = LinkID(rawValue: 1)
    private static let services: [GATT.ServiceDefinition] = [
        .init(
            BluetoothUUID(0xFF00),
            characteristics: [
                .init(BluetoothUUID(0xFF01), [.notify, .indicate], value: .delegated),  // 16, 17
                .init(BluetoothUUID(0xFF02), .notify, value: .delegated),  // 19, 20
            ])
    ]

    /// A client with both values switched on, whose controller has room for one packet.
    private static func bench(_ features: String, mtu: Int = 30) -> HostBench {
        let bench = HostBench.ready(HostConfiguration(services: services), length: 251, count: 1)
        bench.open(1, role: 1, mtu: mtu)
        bench.att(1, "12 0B00 \(features)")
        bench.att(1, "12 1100 0300")
        bench.att(1, "12 1400 0100")
        bench.forget()
        bench.completesData = false
        return bench
    }

    @discardableResult
    private static func send(
        _ bench: HostBench, _ value: [UInt8], _ handle: AttributeHandle = 16, _ kind: GATT.ValueKind = .notify
    ) -> Bool {
        bench.update { stack, now in stack.send(value, of: handle, as: kind, on: link, at: now) }
    }

    private static func finish(_ bench: HostBench) -> [String] {
        for _ in 0..<40 {
            bench.completed(1, 1)
            bench.run()
        }
        return bench.frames(1)
    }

    @Test func `notifications that wait go together, in order, as many as fit`() {
        let bench = Self.bench("04")
        for number in 1...9 as ClosedRange<UInt8> {
            #expect(Self.send(bench, [number, 0xAA], number.isMultiple(of: 2) ? 19 : 16))
        }
        // The first has left already; 4 of 6 octets fit beside the opcode.
        #expect(
            Self.finish(bench) == [
                "4 1b100001aa", "4 23" + hex("1300 0200 02AA 1000 0200 03AA 1300 0200 04AA 1000 0200 05AA"),
                "4 23" + hex("1300 0200 06AA 1000 0200 07AA 1300 0200 08AA 1000 0200 09AA"),
            ])
    }

    @Test(arguments: ["00", "01", "03"]) func `who has not said that it can gets them one by one`(
        _ features: String
    ) {
        let bench = Self.bench(features)
        for number in 1...3 as ClosedRange<UInt8> { Self.send(bench, [number]) }
        #expect(Self.finish(bench) == ["4 1b100001", "4 1b100002", "4 1b100003"])
    }

    @Test func `nothing overtakes what stands between`() {
        let bench = Self.bench("04")
        Self.send(bench, [1])
        Self.send(bench, [2])
        Self.send(bench, [3], 16, .indicate)
        Self.send(bench, [4])
        Self.send(bench, [5])
        bench.att(1, "0A 0300")
        Self.send(bench, [6])
        #expect(
            Self.finish(bench) == [
                "4 1b100001", "4 1b100002", "4 1d100003", "4 23" + hex("1000 0100 04 1000 0100 05"),
                "4 0b4c616e7465726e", "4 1b100006",
            ])
    }

    /// Two values of a length at an MTU of 30, and whether they go together: 1 + 2 · (4 + n) octets.
    @Test(arguments: [(0, true), (1, true), (10, true), (11, false), (27, false)])
    func `only what fits whole goes together`(_ length: Int, _ together: Bool) {
        let bench = Self.bench("04")
        Self.send(bench, [1])
        Self.send(bench, [UInt8](repeating: 2, count: length))
        Self.send(bench, [UInt8](repeating: 3, count: length))
        #expect(Self.finish(bench).count == (together ? 2 : 3))
    }

    @Test func `our client takes them apart`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.att(1, "23 1000 0100 04 1300 0000")
        #expect(bench.events == ["value 1 16 04 notify", "value 1 19  notify"])
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

@Suite struct GATTPropertyTests {
    /// PDUs of every kind whose fields are random but often meant.
    private static func pdu(_ random: inout SplitMix64) -> [UInt8] {
        let opcodes: [UInt8] = [
            0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x10, 0x11, 0x12,
            0x13, 0x0E, 0x0F, 0x20, 0x21, 0x16, 0x17, 0x18, 0x19,
            0x1B, 0x1D, 0x1E, 0x23, 0x52,
        ]
        var octets = random.octets(random.number(0...24))
        if octets.isEmpty || random.number(0...9) == 0 { return octets }
        octets[0] = opcodes[random.number(0...(opcodes.count - 1))]
        // Small handles, and types that exist.
        for index in octets.indices.dropFirst() where random.number(0...2) > 0 {
            octets[index] = index.isMultiple(of: 2) ? 0 : UInt8(random.number(0...26))
        }
        if octets.count > 6, random.number(0...1) == 0 {
            octets.replaceSubrange(5...6, with: [UInt8(random.number(0...3)), 0x28])
        }
        return octets
    }

    @Test(arguments: 0..<16) func `every request has exactly one response, whatever comes`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var bench = ServerBench(everything, mtu: random.number(23...100))
        var owed = 0
        var isWaiting = false
        var isClosed = false
        for _ in 0..<4_000 where !isClosed {
            var seen: [ServerSeen]
            switch random.number(0...9) {
            case 0...6:
                let pdu = Self.pdu(&random)
                seen = bench.receive(pdu)
                if let first = pdu.first, ATT.Opcode(rawValue: first).role == .request { owed += 1 }
            case 7...8:
                let value = random.octets(random.number(0...60))
                seen = bench.answer(random.number(0...3) == 0 ? .failure(.unlikelyError) : .success(value))
                isWaiting = false
            default:
                let handle = AttributeHandle(rawValue: UInt16(random.number(0...26)))
                seen = bench.send([1], of: handle, as: random.number(0...1) == 0 ? .notify : .indicate) ?? []
            }
            let mtu = bench.server.mtu
            for output in seen {
                switch output {
                case .send(let pdu):
                    let octets = octets(pdu)
                    #expect(octets.count <= max(mtu, 23))
                    if ATT.Opcode(rawValue: octets[0]).role == .response { owed -= 1 }
                    #expect((try? ATT.PDU(decoding: octets.span.bytes)) != nil, "\(pdu)")
                case .read, .write(_, _, answered: true): isWaiting = true
                case .close: isClosed = true
                case .mtu(let mtu): #expect((23...517).contains(mtu))
                default: break
                }
            }
            #expect(owed >= 0)
            #expect(isClosed || isWaiting || owed == 0)
            #expect(owed <= 6)
        }
    }

    @Test(arguments: 0..<16) func `every operation completes exactly once, whatever comes`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 50)
        for _ in 0..<200 {
            var client = GATT.Client()
            var open: Set<UInt32> = []
            var now: UInt64 = 0
            for step in 0..<60 {
                switch random.number(0...9) {
                case 0...1:
                    let handle = AttributeHandle(rawValue: UInt16(random.number(0...30)))
                    let value = random.octets(random.number(0...30))
                    let operations: [GATT.Operation] = [
                        .readMultiple([handle, 3]), .readMultipleVariable([3, handle]),
                        .readAll(BluetoothUUID(0x2A19)), .discoverServices(BluetoothUUID(0x1800)),
                        .writeReliably([.init(value, to: handle), .init(value, to: 3)]),
                        .discover, .read(handle), .write(handle, value), .writeWithoutResponse(handle, value),
                        .exchangeMTU(random.number(0...600)),
                    ]
                    open.insert(client.perform(operations[random.number(0...9)], at: moment(now)).rawValue)
                case 2...7:
                    let pdu = Self.pdu(&random)
                    client.receive(pdu.span.bytes, at: moment(now))
                case 8 where step % 10 == 9:
                    now += 31
                    client.deadlineReached(at: moment(now))
                default: client.mtuAgreed(random.number(23...100))
                }
                if step == 59 { client.closed() }
                for output in client.drain() {
                    if case .completed(let id, _) = output {
                        #expect(open.remove(id) != nil)
                    }
                }
            }
            #expect(open.isEmpty)
            #expect(client.nextDeadline == nil)
        }
    }

    /// A database of random shape.
    private static func services(_ random: inout SplitMix64) -> [GATT.ServiceDefinition] {
        func uuid() -> BluetoothUUID {
            random.number(0...1) == 0
                ? BluetoothUUID(UInt16(random.number(0xFF00...0xFF0F)))
                : BluetoothUUID(high: random.next(), low: random.next())
        }
        return (0..<random.number(0...8)).map { _ in
            GATT.ServiceDefinition(
                uuid(), isPrimary: random.number(0...3) > 0,
                characteristics: (0..<random.number(0...6)).map { _ in
                    GATT.CharacteristicDefinition(
                        uuid(), .init(rawValue: UInt8(random.number(0...0x3F)) | 0x02),
                        value: .stored(
                            random.octets(random.number(0...9) == 0 ? 512 : random.number(0...60))),
                        descriptors: (0..<random.number(0...3)).map { _ in
                            .init(uuid(), value: random.octets(random.number(0...60)))
                        })
                })
        }
    }

    @Test(arguments: 0..<64) func `our client finds and reads all that our server has`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 900)
        let definitions = Self.services(&random)
        var bench = ServerBench(definitions)
        var client = GATT.Client()
        func run(_ operation: GATT.Operation) -> Result<GATT.Answer, GATTRequestError>? {
            var seen = client.start(operation)
            for _ in 0..<5_000 {
                for output in seen { if case .completed(_, let result) = output { return result } }
                guard case .send(let request)? = seen.first,
                    case .send(let answer)? = bench.receive(request).first
                else { return nil }
                seen = client.receive(answer)
            }
            return nil
        }
        if random.number(0...1) == 0 { _ = run(.exchangeMTU(random.number(23...517))) }
        guard case .success(.services(let found))? = run(.discover) else {
            Issue.record("not found")
            return
        }
        #expect(found.map(\.uuid) == definitions.map(\.uuid))
        #expect(found.map(\.isPrimary) == definitions.map(\.isPrimary))
        for (service, definition) in zip(found, definitions) {
            #expect(service.characteristics.map(\.uuid) == definition.characteristics.map(\.uuid))
            for (characteristic, definition) in zip(service.characteristics, definition.characteristics) {
                #expect(characteristic.properties == definition.properties)
                let own = characteristic.descriptors.filter {
                    $0.uuid != GATT.AttributeType.clientConfiguration
                }
                #expect(own.map(\.uuid) == definition.descriptors.map(\.uuid))
                let canSwitch = !definition.properties.isDisjoint(with: [.notify, .indicate])
                #expect((characteristic.clientConfigurationHandle != nil) == canSwitch)
                if case .stored(let value) = definition.value {
                    #expect(run(.read(characteristic.valueHandle)) == .success(.value(value)))
                }
                for (descriptor, definition) in zip(own, definition.descriptors) {
                    guard case .stored(let value) = definition.value else { continue }
                    #expect(run(.read(descriptor.handle)) == .success(.value(value)))
                }
            }
        }
    }
}

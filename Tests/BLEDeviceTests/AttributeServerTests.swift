// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

@testable import BLEDevice

@Suite("The server of a small host answers as the whole one") struct AttributeServerTests {
    /// Both servers with a device each, and what they have said.
    private struct Pair: ~Copyable {
        static let link = LinkID(rawValue: 1)
        static let limits = DeviceLimits(maximumMTU: 185, preparedOctets: 100_000)

        var whole = GATT.Server(
            receiveMTU: 185, limits: GATT.Limits(preparedParts: 100_000, preparedOctets: 100_000))
        var wholeDevice: Values
        var database: GATT.Database
        var small: AttributeServer
        var smallDevice: Values
        var table: AttributeTable
        private(set) var now = HostInstant.zero

        init(_ services: [GATT.ServiceDefinition]) {
            wholeDevice = Values(services)
            smallDevice = Values(services)
            database = GATT.Database(services)
            table = AttributeTable(services)
            small = AttributeServer(Self.link, Self.limits, configurations: table.configurations)
        }

        /// What the whole server sends for a PDU.
        private mutating func drain() -> [[UInt8]] {
            var sent: [[UInt8]] = []
            while let output = whole.nextOutput() {
                switch output {
                case .send(let octets): sent.append(octets)
                case .read(let handle):
                    whole.answer(
                        wholeDevice.answerRead(of: handle, on: Self.link, at: now), database: &database,
                        at: now)
                case .write(let handle, let value, let answered):
                    let result = wholeDevice.answerWrite(of: value, to: handle, on: Self.link, at: now)
                    if answered { whole.answer(result, database: &database, at: now) }
                case .subscribed(let handle, let subscription):
                    wholeDevice.receive(.subscribed(Self.link, handle, subscription), at: now)
                case .mtu(let mtu): wholeDevice.receive(.mtuChanged(Self.link, mtu), at: now)
                case .stored, .confirmed: break
                case .close: sent.append([])
                }
            }
            return sent
        }

        mutating func receive(_ pdu: [UInt8]) -> (whole: [[UInt8]], small: [[UInt8]]) {
            now = now.advanced(byMilliseconds: 1)
            whole.receive(pdu.octetSpan.bytes, database: &database, at: now)
            let answer = small.receive(pdu, &table, &smallDevice, at: now)
            return (drain(), answer.isEmpty ? [] : [answer])
        }

        mutating func send(
            _ value: [UInt8], _ handle: AttributeHandle, _ kind: GATT.ValueKind
        ) -> (whole: [[UInt8]], small: [[UInt8]]) {
            _ = whole.send(value, of: handle, as: kind, at: now)
            let sent = small.update(value, of: handle, as: kind, table, at: now)
            return (drain(), sent.isEmpty ? [] : [sent])
        }

        mutating func secure(_ security: GATT.LinkSecurity) {
            whole.securityChanged(security)
            small.security = security
        }
    }

    private static let opcodes: [UInt8] = [
        0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20, 0x52, 0x1E,
    ]

    /// A PDU as a client may send it, and as none may.
    private static func pdu(
        _ random: inout SplitMix64, _ table: AttributeTable, _ services: [GATT.ServiceDefinition]
    ) -> [UInt8] {
        let switches = configurations(table)
        var pdu = [
            random.next() % 8 == 0
                ? UInt8(truncatingIfNeeded: random.next()) : random.one(of: opcodes)
        ]
        func handle() -> [UInt8] {
            let value =
                random.next() % 10 == 0 ? random.below(0x10000) : random.below(table.rows.count + 3)
            return [UInt8(value & 0xFF), UInt8(value >> 8)]
        }
        func noise(_ limit: UInt64) -> [UInt8] {
            (0..<(random.next() % limit)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        let types: [BluetoothUUID] =
            [0x2800, 0x2801, 0x2802, 0x2803, 0x2900, 0x2901, 0x2902, 0x2B29, 0x2B2A].map { BluetoothUUID($0) }
            + services.flatMap { [$0.uuid] + $0.characteristics.map(\.uuid) }
        func type() -> [UInt8] {
            var writer = ByteWriter(capacity: 16)
            random.one(of: types).encodeAttributeType(into: &writer)
            return writer.octets
        }
        let all: [UInt8] = random.next() % 2 == 0 ? [1, 0, 0xFF, 0xFF] : handle() + handle()
        switch pdu[0] {
        case 0x02: pdu += [UInt8(random.next() % 256), UInt8(random.next() % 3)]
        case 0x04: pdu += all
        case 0x06:
            pdu += all + (random.next() % 2 == 0 ? [0x00, 0x28] : type())
            pdu += random.next() % 4 != 0 ? type() : noise(40)
        case 0x08, 0x10: pdu += all + type()
        case 0x0A: pdu += handle()
        case 0x0C: pdu += handle() + [UInt8(random.next() % 80), UInt8(random.next() % 3)]
        case 0x0E, 0x20: for _ in 0..<(1 + random.next() % 4) { pdu += handle() }
        case 0x12 where random.next() % 2 == 0 && !switches.isEmpty:
            let handle = random.one(of: switches)
            pdu += [UInt8(handle & 0xFF), UInt8(handle >> 8), UInt8(random.below(5)), 0]
        case 0x12, 0x52:
            pdu += handle() + (random.next() % 2 == 0 ? [UInt8(random.next() % 4), 0] : noise(185))
        case 0x16: pdu += handle() + [UInt8(random.next() % 30), UInt8(random.next() % 8 / 7)] + noise(40)
        case 0x18: pdu += [UInt8(random.next() % 3)]
        default: pdu += noise(12)
        }
        // And cut, or with more than there may be.
        switch random.next() % 12 {
        case 0: pdu.removeLast(min(pdu.count, 1 + Int(random.next() % 3)))
        case 1: pdu += noise(3)
        default: break
        }
        return pdu
    }

    private static func configurations(_ table: AttributeTable) -> [Int] {
        (1...table.rows.count).filter { table[$0]?.kind == .clientConfiguration }
    }

    @Test(arguments: 0..<60) func itAnswersAlike(seed: UInt64) { _ = Self.answers(seed) }

    @Test func everyAnswerIsTried() {
        let (answers, codes) = (0..<UInt64(20)).reduce(into: (Set<UInt8>(), Set<UInt8>())) { all, seed in
            let some = Self.answers(seed)
            all.0.formUnion(some.kinds)
            all.1.formUnion(some.codes)
        }
        #expect(
            answers == [
                0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x1B, 0x1D, 0x21,
            ])
        // All that a server says by itself, and what the device says.
        #expect(
            codes.isSuperset(of: [
                0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0A, 0x0D, 0x0E, 0x0F, 0x10, 0x13,
            ]))
    }

    /// Asks both the same, and compares; which answers and which errors there were.
    private static func answers(_ seed: UInt64) -> (kinds: Set<UInt8>, codes: Set<UInt8>) {
        var kinds: Set<UInt8> = []
        var codes: Set<UInt8> = []
        var random = SplitMix64(seed: seed &* 0x9E37 &+ 11)
        let services = Values.services(seed)
        var pair = Pair(services)
        let securities: [GATT.LinkSecurity] = [
            .plain(hasKey: false), .plain(hasKey: true), .encrypted, .authenticated, .secureConnections,
        ]
        for step in 0..<400 {
            if random.next() % 40 == 0 { pair.secure(random.one(of: securities)) }
            let switches = configurations(pair.table)
            if random.next() % 10 == 0 {
                let place =
                    random.next() % 8 == 0 ? random.below(99) : random.one(of: switches) - 1
                let handle = AttributeHandle(rawValue: UInt16(place))
                let value = (0..<(random.next() % 300)).map { UInt8(truncatingIfNeeded: $0) }
                let said = pair.send(value, handle, random.next() % 2 == 0 ? .notify : .indicate)
                #expect(said.whole == said.small, "step \(step): value of \(handle)")
                for value in said.small { kinds.insert(value[0]) }
                continue
            }
            let pdu = pdu(&random, pair.table, services)
            let said = pair.receive(pdu)
            #expect(said.whole == said.small, "step \(step): \(pdu)")
            let told = (pair.wholeDevice.told.sorted(), pair.smallDevice.told.sorted())
            #expect(told.0 == told.1, "step \(step): \(pdu)")
            if said.whole != said.small || told.0 != told.1 { break }
            for answer in said.small {
                kinds.insert(answer[0])
                if answer[0] == 0x01 { codes.insert(answer[4]) }
            }
            (pair.wholeDevice.told, pair.smallDevice.told) = ([], [])
        }
        return (kinds, codes)
    }
}

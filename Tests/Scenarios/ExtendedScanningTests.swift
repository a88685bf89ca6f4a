// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLEWire
import Testing

private let peer = HostBench.peer
private let other = BluetoothAddress(0xC1C2_C3C4_C5C6, kind: .random)
/// LE Extended Advertising alone, with LE 2M, with LE Coded, too.
let extendedFeatures = 0x1000
let allPHYs = 0x1900

extension HostBench {
    fileprivate var opcodes: [UInt16] { commands.map(\.opcode) }

    fileprivate func scan(_ parameters: ScanParameters = ScanParameters()) {
        update { stack, now in stack.startScanning(parameters, at: now) }
    }

    /// LE Extended Advertising Report with one report.
    func extendedReport(
        _ data: [UInt8], type: UInt16 = 0, from address: BluetoothAddress = peer, set: UInt8 = 1
    ) {
        var writer = ByteWriter()
        writer.write([0x0D, 1])
        writer.write(type)
        writer.write(address.kind.rawValue)
        address.encode(into: &writer)
        writer.write([1, 2, set, 0x7F, 0xC5, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        writer.write(UInt8(data.count))
        writer.write(data)
        receive([4, 0x3E, UInt8(writer.octets.count)] + writer.octets)
    }
}

/// Data status in the event type.
private let more: UInt16 = 1 << 5
private let lost: UInt16 = 2 << 5

@Suite struct ExtendedScanningTests {
    @Test func `a controller with extended advertising gets extended commands, and no others`() {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.scan()
        #expect(bench.opcodes == [0x2041, 0x2042])
        // random, all, LE 1M: active, 60 ms, 60 ms
        #expect(bench.commands[0].parameters == octets("01 00 01 01 6000 6000"))
        #expect(bench.commands[1].parameters == octets("01 00 0000 0000"))
        bench.forget()
        bench.update { stack, now in stack.stopScanning(at: now) }
        #expect(bench.opcodes == [0x2042])
        #expect(bench.commands[0].parameters == octets("00 00 0000 0000"))
    }

    @Test func `LE Coded shares the time, where there is LE Coded`() {
        let cases: [(Int, ScanParameters, String)] = [
            (extendedFeatures, ScanParameters(isActive: false), "01 00 01 00 6000 6000"),
            (allPHYs, ScanParameters(isActive: false), "01 00 05 00 6000 4800 00 6000 1800"),
            (allPHYs, ScanParameters(isActive: false, phys: .le1M), "01 00 01 00 6000 6000"),
            (allPHYs, ScanParameters(isActive: false, phys: .leCoded), "01 00 04 00 6000 6000"),
            (allPHYs, ScanParameters(isActive: false, phys: .le2M), "01 00 01 00 6000 6000"),
        ]
        for (features, parameters, expected) in cases {
            let bench = HostBench.ready(features: features)
            bench.scan(parameters)
            #expect(bench.commands[0].parameters == octets(expected))
        }
    }

    @Test func `a controller that lacks one extended command gets none of them`() {
        var known = [UInt8](repeating: 0xFF, count: 64)
        // Without LE Extended Create Connection.
        known[37] = 0x7F
        let bench = HostBench()
        bench.features = extendedFeatures
        bench.replies[0x1002] = .complete([0] + known)
        bench.start()
        bench.forget()
        bench.scan()
        bench.update { stack, now in
            stack.startAdvertising(AdvertisingParameters(data: [2, 1, 6]), at: now)
        }
        bench.update { stack, now in stack.connect(to: peer, at: now) }
        #expect(bench.commands.allSatisfy { $0.opcode < 0x2030 })
        #expect(bench.opcodes.contains(0x200B) && bench.opcodes.contains(0x200D))
    }

    @Test func `the resting of the scan is extended, too`() {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.scan()
        bench.forget()
        bench.update { stack, now in stack.connect(to: peer, at: now) }
        #expect(bench.opcodes == [0x2042, 0x2043])
        bench.forget()
        bench.linkOpened(0, status: 0x3E)
        #expect(bench.opcodes == [0x2041, 0x2042])
    }

    @Test(arguments: [0x2041, 0x2042] as [UInt16]) func `a refusal is told once, and nothing goes on`(
        _ opcode: UInt16
    ) {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.replies[opcode] = .complete([0x12])
        bench.scan()
        #expect(bench.events == ["scan failed 18"])
        bench.replies = [:]
        if opcode == 0x2041 { #expect(bench.commands.last?.parameters.first == 0) }
        bench.extendedReport([2, 1, 6])
        #expect(bench.events.count == 1)
        bench.scan()
        bench.extendedReport([2, 1, 6])
        #expect(bench.events.last == "advertisement \(peer) 020106")
    }

    @Test func `only the devices that were named are reported`() {
        for features in [0x0020, extendedFeatures] {
            let bench = HostBench.ready(features: features)
            bench.scan(ScanParameters(addresses: [peer, other]))
            let scan: [UInt16] = features == extendedFeatures ? [0x2041, 0x2042] : [0x200B, 0x200C]
            #expect(bench.opcodes == [0x2010, 0x2011, 0x2011] + scan)
            #expect(bench.commands[1].parameters == octets("01 F5F4F3F2F1F0"))
            #expect(bench.commands[2].parameters == octets("01 C6C5C4C3C2C1"))
            let policy =
                features == extendedFeatures
                ? bench.commands[3].parameters[1] : bench.commands[3].parameters[6]
            #expect(policy == 1)
        }
    }

    @Test func `more devices than the controller can hold are refused at once`() {
        let bench = HostBench.ready()
        #expect(bench.stack.controller.filterAcceptListSize == 4)
        bench.scan()
        bench.forget()
        bench.scan(ScanParameters(addresses: (0..<5).map { BluetoothAddress($0, kind: .public) }))
        #expect(bench.events == ["scan failed 7"])
        // The scan before is over, too: it was to be replaced.
        #expect(bench.commands.map(\.parameters) == [[0, 0]])
    }

    @Test(arguments: [0x2010, 0x2011] as [UInt16]) func `a list that is refused is not scanned with`(
        _ opcode: UInt16
    ) {
        let bench = HostBench.ready()
        bench.replies[opcode] = .complete([0x0C])
        bench.scan(ScanParameters(addresses: [peer]))
        #expect(bench.events == ["scan failed 12"])
        #expect(bench.commands.last?.opcode == 0x200C)
        #expect(bench.commands.last?.parameters == [0, 0])
    }
}

@Suite struct FragmentedAdvertisementTests {
    private static func scanning() -> HostBench {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.scan()
        bench.forget()
        return bench
    }

    @Test func `parts are put together, whatever comes between them`() {
        let bench = Self.scanning()
        bench.extendedReport([1], type: more)
        bench.extendedReport([9], type: more, from: other)
        bench.extendedReport([7], type: more, set: 2)
        bench.extendedReport([8], type: more | 1 << 3)
        #expect(bench.events == [])
        bench.extendedReport([0x10, 0x11])
        bench.extendedReport([2], type: more)
        bench.extendedReport([3])
        bench.extendedReport([4], from: other)
        bench.extendedReport([], set: 2)
        bench.extendedReport([5], type: 1 << 3)
        #expect(
            bench.events == [
                "advertisement \(peer) 011011", "advertisement \(peer) 0203", "advertisement \(other) 0904",
                "advertisement \(peer) 07", "advertisement \(peer) 0805",
            ])
        #expect(bench.stack.nextDeadline == nil)
        #expect(bench.stack.counters.brokenAdvertisements == 0)
    }

    @Test func `what the controller could not get whole is told as truncated`() {
        let bench = Self.scanning()
        bench.extendedReport([1], type: more)
        bench.extendedReport([2], type: lost)
        bench.extendedReport([3], type: lost)
        bench.extendedReport([4], type: lost | more)
        #expect(
            bench.events == [
                "advertisement \(peer) 0102 truncated", "advertisement \(peer) 03 truncated",
                "advertisement \(peer) 04 truncated",
            ])
        #expect(bench.stack.counters.brokenAdvertisements == 3)
    }

    @Test func `1650 octets are put together, and not one more`() {
        for count in [1650, 1651, 5000] {
            let bench = Self.scanning()
            let data = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            for start in stride(from: 0, to: count, by: 229) {
                let part = Array(data[start..<min(start + 229, count)])
                bench.extendedReport(part, type: start + 229 < count ? more : 0)
            }
            let words = "advertisement \(peer) \(data.prefix(1650).hexadecimal)"
            #expect(bench.events == [count > 1650 ? words + " truncated" : words])
        }
    }

    @Test func `a part that never comes is not waited for`() {
        let bench = Self.scanning()
        bench.extendedReport([1], type: more)
        bench.advance(milliseconds: 2_000)
        bench.extendedReport([2], type: more)
        bench.advance(milliseconds: 2_999)
        #expect(bench.events == [])
        bench.advance(milliseconds: 1)
        #expect(bench.events == ["advertisement \(peer) 0102 truncated"])
        #expect(bench.stack.nextDeadline == nil)
        // And a later one is not mixed with it.
        bench.extendedReport([3])
        #expect(bench.events.last == "advertisement \(peer) 03")
    }

    @Test func `a thousand advertisers at once take bounded room, and the newest come out whole`() {
        let bench = Self.scanning()
        let addresses = (0..<1000).map { BluetoothAddress(0xC000_0000_0000 + UInt64($0), kind: .random) }
        for address in addresses { bench.extendedReport([1], type: more, from: address) }
        // Sixteen wait; all others were told as they are.
        #expect(bench.events.count == 984)
        #expect(bench.events.allSatisfy { $0.hasSuffix(" truncated") })
        #expect(bench.stack.counters.brokenAdvertisements == 984)
        bench.forget()
        for address in addresses.suffix(16) { bench.extendedReport([2], from: address) }
        #expect(bench.events == addresses.suffix(16).map { "advertisement \($0) 0102" })
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `what is begun is forgotten when the scan rests or ends`() {
        for isStopped in [true, false] {
            let bench = Self.scanning()
            bench.extendedReport([1], type: more)
            bench.update { stack, now in
                if isStopped { stack.stopScanning(at: now) } else { stack.connect(to: peer, at: now) }
            }
            if isStopped {
                #expect(bench.stack.nextDeadline == nil)
                bench.scan()
            }
            bench.extendedReport([2])
            #expect(bench.events == ["advertisement \(peer) 02"])
        }
    }

    @Test func `an advertisement says how it came`() {
        let bench = Self.scanning()
        var heard: [ReceivedAdvertisement] = []
        bench.stack.receive(
            octets("04 3E 1C 0D 01 0100 01 F5F4F3F2F1F0 03 02 0A EC C5 0000 00000000000000 02 0102"),
            at: bench.now)
        bench.stack.receive(
            octets("04 3E 1C 0D 01 1000 FF 000000000000 01 00 FF 7F 7F 0000 00000000000000 02 0102"),
            at: bench.now)
        while let output = bench.stack.nextOutput() {
            if case .event(.advertisement(let advertisement)) = output { heard.append(advertisement) }
        }
        #expect(heard.map(\.isExtended) == [true, false])
        #expect(heard.map(\.setID) == [10, nil])
        #expect(heard.map(\.txPower) == [-20, nil])
        #expect(heard.map(\.rssi) == [-59, nil])
        #expect(heard.map(\.primaryPHY) == [.leCoded, .le1M])
        #expect(heard.map(\.secondaryPHY) == [.le2M, nil])
        #expect(heard.map(\.eventType) == [.connectableUndirected, .nonConnectableUndirected])
        #expect(heard.map(\.address.kind) == [.random, .anonymous])
    }
}

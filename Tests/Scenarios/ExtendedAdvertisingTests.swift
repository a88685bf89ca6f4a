// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEWire
import Testing

private let peer = HostBench.peer

extension HostBench {
    fileprivate var opcodes: [UInt16] { commands.map(\.opcode) }

    fileprivate func advertise(
        _ data: [UInt8], response: [UInt8] = [], isConnectable: Bool = true
    ) {
        update { stack, now in
            stack.startAdvertising(
                AdvertisingParameters(data: data, scanResponse: response, isConnectable: isConnectable),
                at: now)
        }
    }
}

@Suite struct ExtendedAdvertisingTests {
    @Test func `what fits goes in legacy PDUs, so that everybody sees it`() {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.advertise([2, 1, 6], response: [2, 9, 0x4C])
        #expect(bench.opcodes == [0x2036, 0x2035, 0x2037, 0x2038, 0x2039])
        // set, properties, min, max, channels, own, peer, policy, power, PHY, skip, PHY, SID, notify
        #expect(
            bench.commands[0].parameters
                == octets("00 1300 A00000 A00000 07 01 00 000000000000 00 7F 01 00 01 00 00"))
        #expect(bench.commands[1].parameters == octets("00 665544332211").dropLast() + [0xD1])
        #expect(bench.commands[2].parameters == octets("00 03 00 03 020106"))
        #expect(bench.commands[3].parameters == octets("00 03 00 03 02094C"))
        #expect(bench.commands[4].parameters == octets("01 01 00 0000 00"))
        #expect(bench.events == ["advertising"])
        bench.forget()
        bench.update { stack, now in stack.stopAdvertising(at: now) }
        #expect(bench.opcodes == [0x2039])
        #expect(bench.commands[0].parameters == octets("00 01 00 0000 00"))
    }

    @Test(
        arguments: [
            (3, 0, true, 0x13), (3, 3, true, 0x13), (3, 3, false, 0x12), (3, 0, false, 0x10),
            (32, 0, true, 0x01), (3, 32, true, 0x01), (32, 3, false, 0x00), (31, 31, true, 0x13),
        ] as [(Int, Int, Bool, UInt8)])
    func `its properties say what it allows and whether it is extended`(
        _ data: Int, _ response: Int, _ isConnectable: Bool, _ properties: UInt8
    ) {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.advertise(
            [UInt8](repeating: 1, count: data), response: [UInt8](repeating: 2, count: response),
            isConnectable: isConnectable)
        #expect(bench.commands[0].parameters[1] == properties)
        // The scan response goes in the advertisement where there are no scan responses.
        let isExtended = properties & 0x10 == 0
        #expect(bench.opcodes.contains(0x2038) == (!isExtended && response > 0))
        let sent = bench.commands.filter { $0.opcode == 0x2037 }.flatMap { $0.parameters.dropFirst(4) }
        #expect(sent.count == (isExtended ? data + response : data))
        #expect(bench.events == ["advertising"])
    }

    @Test(
        arguments: [
            (251, [3]), (252, [1, 2]), (502, [1, 2]), (503, [1, 0, 2]), (1650, [1, 0, 0, 0, 0, 0, 2]),
        ] as [(Int, [UInt8])])
    func `long data go in parts`(_ count: Int, _ operations: [UInt8]) {
        let bench = HostBench.ready(features: extendedFeatures)
        let data = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        bench.advertise(data)
        let parts = bench.commands.filter { $0.opcode == 0x2037 }.map(\.parameters)
        #expect(parts.map { $0[1] } == operations)
        #expect(parts.allSatisfy { Int($0[3]) == $0.count - 4 && $0.count <= 255 })
        #expect(parts.flatMap { $0.dropFirst(4) } == data)
        #expect(bench.events == ["advertising"])
    }

    @Test func `what does not fit is refused at once`() {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.advertise([UInt8](repeating: 0, count: 1651))
        bench.advertise([UInt8](repeating: 0, count: 1640), response: [UInt8](repeating: 0, count: 11))
        #expect(bench.events == ["advertising failed 18", "advertising failed 18"])
        #expect(bench.commands.isEmpty)
        bench.advertise([UInt8](repeating: 0, count: 1640), response: [UInt8](repeating: 0, count: 10))
        #expect(bench.events.last == "advertising")
    }

    @Test(arguments: [(0, 31), (20, 31), (100, 100), (1650, 1650), (0xFFFF, 1650)])
    func `the controller's own limit counts, if it makes sense`(_ length: Int, _ limit: Int) {
        let bench = HostBench()
        bench.features = extendedFeatures
        bench.replies[0x203A] = .complete([0] + two(length))
        bench.start()
        #expect(bench.stack.controller.maximumAdvertisingDataLength == limit)
        bench.forget()
        bench.advertise([UInt8](repeating: 0, count: limit + 1))
        #expect(bench.events == ["advertising failed 18"])
    }

    @Test(arguments: [0x2035, 0x2036, 0x2037, 0x2038, 0x2039] as [UInt16])
    func `a refusal is told once and nothing stays on`(_ opcode: UInt16) {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.replies[opcode] = .complete([0x12])
        bench.advertise([2, 1, 6], response: [2, 9, 0x4C])
        #expect(bench.events == ["advertising failed 18"])
        // It was not switched on, or that was refused.
        #expect(bench.commands.count { $0.opcode == 0x2039 } == (opcode == 0x2039 ? 1 : 0))
        bench.replies = [:]
        bench.advertise([2, 1, 6])
        #expect(bench.events.last == "advertising")
    }

    @Test(arguments: [0x00, 0x42, 0x0C] as [UInt8]) func `changed, the set is made anew`(_ removal: UInt8) {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.advertise([UInt8](repeating: 0, count: 100))
        bench.forget()
        // Whether the old one could be removed is the controller's business.
        bench.replies[0x203C] = .complete([removal])
        bench.advertise([2, 1, 6])
        #expect(bench.opcodes == [0x2039, 0x203C, 0x2036, 0x2035, 0x2037, 0x2039])
        #expect(bench.events == ["advertising"])
    }

    @Test func `goes on after a central has come, though the controller ends the set`() {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.advertise([2, 1, 6])
        bench.forget()
        bench.linkOpened(1, role: 1)
        bench.receive("04 3E 06 12 00 00 0100 00")
        #expect(bench.opcodes == [0x2039])
        #expect(bench.commands[0].parameters.first == 1)
        #expect(bench.events == ["connected 1 peripheral \(peer)"])
    }

    @Test func `what is started beside enough centrals is told, and waits`() {
        let bench = HostBench.ready(HostConfiguration(maximumCentrals: 1), features: extendedFeatures)
        bench.linkOpened(1, role: 1)
        bench.forget()
        for _ in 0..<2 {
            bench.advertise([UInt8](repeating: 0, count: 600))
            #expect(!bench.opcodes.contains(0x2039))
            #expect(bench.events == ["advertising"])
            bench.forget()
        }
        bench.linkClosed(1)
        #expect(bench.opcodes == [0x2039])
    }

    @Test func `a set that the controller ends by itself is told`() {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.advertise([2, 1, 6])
        bench.forget()
        bench.receive("04 3E 06 12 43 05 0000 00")
        #expect(bench.events == [])
        bench.receive("04 3E 06 12 43 00 0000 00")
        bench.receive("04 3E 06 12 43 00 0000 00")
        #expect(bench.events == ["advertising failed 67"])
        #expect(bench.opcodes == [])
    }

    @Test func `many changes at once do the host no harm`() {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.replies[0x2036] = .silence
        bench.update { stack, now in
            for number in 0..<50 {
                stack.startAdvertising(AdvertisingParameters(data: [2, 0xFF, UInt8(number)]), at: now)
            }
        }
        bench.replies = [:]
        bench.receive(bench.complete(0x2036, [0, 0]))
        #expect(bench.events == ["advertising"])
        #expect(bench.commands.last { $0.opcode == 0x2037 }?.parameters.last == 49)
    }
}

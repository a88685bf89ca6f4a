// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLEWire
import Testing

@Suite struct RealControllerTests {
    /// Where the mask of a controller has the bit of a command (Core v5.4, Vol 4, Part E, 6.27), typed here once more.
    static let bits: [UInt16: (octet: Int, bit: Int)] = [
        0x0C01: (5, 6), 0x0C03: (5, 7), 0x0C31: (10, 5), 0x0C33: (10, 6), 0x0C6D: (24, 6), 0x1001: (14, 3),
        0x1003: (14, 5), 0x1005: (14, 7), 0x1009: (15, 1), 0x2001: (25, 0), 0x2002: (25, 1), 0x2003: (25, 2),
        0x2005: (25, 4), 0x2006: (25, 5), 0x2008: (25, 7), 0x2009: (26, 0), 0x200A: (26, 1), 0x200B: (26, 2),
        0x200C: (26, 3), 0x200F: (26, 6), 0x2018: (27, 7), 0x2024: (34, 0), 0x2035: (36, 1), 0x2036: (36, 2),
        0x2037: (36, 3), 0x2038: (36, 4), 0x2039: (36, 5), 0x203A: (36, 6), 0x203C: (37, 0), 0x2041: (37, 5),
        0x2042: (37, 6),
    ]

    private func bench(_ controller: RealController) -> HostBench {
        let bench = HostBench(
            HostConfiguration(limits: HostLimits.hub))
        let mask = octets(controller.commands)
        // Controllers know Read Local Supported Commands though some do not list it.
        bench.knows = { opcode in
            guard opcode != 0x1002 else { return true }
            guard let (octet, bit) = Self.bits[opcode], octet < mask.count else { return false }
            return mask[octet] & 1 << UInt8(bit) != 0
        }
        bench.commandCredits = controller.credits
        let answers: [UInt16: String] = [
            0x1001: controller.version, 0x1003: controller.lmp, 0x1005: controller.aclBuffers,
            0x1009: controller.address, 0x2002: controller.leBuffers, 0x2003: controller.le,
        ]
        for (opcode, answer) in answers { bench.replies[opcode] = .complete([0] + octets(answer)) }
        bench.replies[0x1002] = .complete(
            [0] + mask + [UInt8](repeating: 0, count: 64 - mask.count))
        for (opcode, status) in controller.refusals { bench.replies[opcode] = .complete([status]) }
        return bench
    }

    @Test(arguments: RealController.all) func `starts, and knows what it has`(_ real: RealController) {
        let bench = bench(real)
        bench.start()
        let expected = real.expected
        guard !expected.isClassicOnly else {
            #expect(bench.events == ["failed noLE"])
            return
        }
        #expect(bench.events == ["ready"])
        let controller = bench.stack.controller
        #expect(controller.usesExtendedCommands == expected.isExtended)
        #expect(controller.aclDataLength == expected.length)
        #expect(controller.aclDataPackets == expected.packets)
        #expect(controller.sharesDataBuffers == expected.isShared)
        #expect(controller.isDualMode == expected.isDualMode)
        #expect((controller.publicAddress != nil) == expected.hasAddress)
        #expect(controller.ownAddress?.kind == .random)
        #expect(controller.maximumAdvertisingDataLength == (expected.isExtended ? 1650 : 31))
        #expect(controller.refusals.map(\.opcode.rawValue) == expected.refused)
        // Nothing is asked of it that it does not list, but for what tells whether it has LE at all.
        let unlisted = bench.commands.map(\.opcode).filter { !bench.knows($0) }
        #expect(unlisted == [])
        #expect(bench.commands.contains { $0.opcode == 0x0C6D } == expected.isDualMode)
        #expect(bench.commands.contains { $0.opcode == 0x2005 })
    }

    @Test(arguments: RealController.all.filter { !$0.expected.isClassicOnly })
    func `scans and advertises with commands of one kind that it has`(_ real: RealController) {
        let bench = bench(real)
        bench.start()
        bench.forget()
        bench.update { stack, now in
            stack.startScanning(ScanParameters(), at: now)
            stack.startAdvertising(AdvertisingParameters(data: []), at: now)
        }
        let opcodes = bench.commands.map(\.opcode)
        #expect(opcodes.filter { !bench.knows($0) } == [])
        let kind: Set<UInt16> =
            real.expected.isExtended
            ? [0x2041, 0x2042, 0x2035, 0x2036, 0x2037, 0x2038, 0x2039]
            : [0x200B, 0x200C, 0x2006, 0x2008, 0x2009, 0x200A]
        #expect(Set(opcodes).isSubset(of: kind))
        #expect(opcodes.contains(real.expected.isExtended ? 0x2042 : 0x200C))
        #expect(bench.events == ["advertising"])
    }

    @Test(arguments: [0x0C01, 0x2001] as [UInt16])
    func `a controller that refuses bits of events that it does not know is asked for fewer`(_ opcode: UInt16)
    {
        let bench = HostBench()
        bench.replies[0x2003] = .complete([0] + octets("2010000000000000"))
        bench.onceReplies[opcode] = [.complete([0x12])]
        bench.start()
        #expect(bench.events == ["ready"])
        let masks = bench.commands.filter { $0.opcode == opcode }.map(\.parameters)
        #expect(masks.count == 2)
        let expected = [0x0C01: octets("1080000000000020"), 0x2001: octets("0F00000000000000")]
        #expect(masks.last == expected[Int(opcode)])
        // Without the event no extended report would come.
        #expect(bench.stack.controller.usesExtendedCommands == (opcode == 0x0C01))
        // A second refusal ends it.
        let other = HostBench()
        other.replies[opcode] = .complete([0x12])
        other.start()
        #expect(
            other.events == [
                "failed \(HostError.refused(HCI.Opcode(rawValue: opcode), HCI.Status(rawValue: 0x12)))"
            ])
    }

    @Test func `a controller that only claims LE Coded scans on LE 1M`() {
        let bench = HostBench()
        bench.replies[0x2003] = .complete([0] + octets("0018000000000000"))
        bench.onceReplies[0x2041] = [.complete([0x12])]
        bench.start()
        #expect(bench.events == ["ready"])
        #expect(bench.stack.controller.usesExtendedCommands)
        #expect(!bench.stack.controller.features.contains(.phyCoded))
        // The PHYs of each try: both, then LE 1M.
        #expect(bench.commands.filter { $0.opcode == 0x2041 }.map { $0.parameters[2] } == [5, 1])
    }

    @Test(arguments: [
        "000000000000", "FFFFFFFFFFFF", "AAAAAAAAAAAA", "00A002702000", "008B9E190300", "AD5A00000000",
    ])
    func `an address that is no device's own is not taken for one`(_ address: String) {
        let bench = HostBench()
        bench.replies[0x1009] = .complete([0] + octets(address))
        bench.start()
        #expect(bench.stack.controller.publicAddress == nil)
        #expect(bench.stack.controller.ownAddress == BluetoothAddress(0xC304_0506_0708, kind: .random))
    }

    @Test func `a controller with neither address nor LE Rand gets an address all the same`() {
        let bench = HostBench()
        bench.now = HostInstant(microseconds: 123_456_789)
        bench.replies[0x1009] = .complete([0x01])
        bench.replies[0x2018] = .complete([0x01])
        bench.start()
        #expect(bench.events == ["ready"])
        #expect(bench.stack.controller.ownAddress?.kind == .random)
        #expect(bench.commands.last?.opcode == 0x2005)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLEWire
import Testing

@Suite struct StartupTests {
    /// What a controller must do, and what it may refuse.
    static let required: [UInt16] = [0x0C03, 0x2003, 0x2002, 0x0C01, 0x2001]
    static let optional: [UInt16] = [0x1001, 0x1002, 0x1003, 0x1009, 0x200F, 0x2024, 0x2005]

    @Test func `asks step by step and is ready`() {
        let bench = HostBench()
        bench.start()
        #expect(bench.events == ["ready"])
        #expect(
            bench.commands.map(\.opcode) == [
                0x0C03, 0x1001, 0x1002, 0x1003, 0x1009, 0x2003, 0x2002, 0x0C01, 0x2001, 0x200F, 0x2024,
                0x2005,
            ])
        let controller = bench.stack.controller
        #expect(controller.publicAddress == BluetoothAddress(0x1122_3344_5566, kind: .public))
        // Static, the same in every run.
        #expect(controller.ownAddress == BluetoothAddress(0xD122_3344_5566, kind: .random))
        #expect(controller.aclDataLength == 27 && controller.aclDataPackets == 4)
        #expect(controller.features == .dataPacketLengthExtension)
        #expect(controller.supportedCommands != nil)
        #expect(bench.stack.nextDeadline == nil)
        bench.start()
        #expect(bench.commands.count == 12)
    }

    @Test(arguments: required) func `a command that start-up needs and that is refused ends it`(
        _ opcode: UInt16
    ) {
        for reply in [HostBench.Reply.complete([0x0C]), .status(0x0C)] {
            let bench = HostBench()
            bench.replies[opcode] = reply
            bench.start()
            let failure = HostError.refused(HCI.Opcode(rawValue: opcode), HCI.Status(rawValue: 0x0C))
            #expect(bench.events == ["failed \(failure)"])
            #expect(bench.commands.last?.opcode == opcode)
            #expect(bench.stack.nextDeadline == nil)
            // Another try may go well.
            bench.replies = [:]
            bench.start()
            #expect(bench.events.last == "ready")
        }
    }

    @Test(arguments: [0x2003, 0x2002, 0x2001] as [UInt16]) func `a controller without LE is told as such`(
        _ opcode: UInt16
    ) {
        let bench = HostBench()
        bench.replies[opcode] = .complete([0x01])
        bench.start()
        #expect(bench.events == ["failed noLE"])
    }

    @Test(arguments: optional) func `a command that is refused and not needed is done without`(
        _ opcode: UInt16
    ) {
        for reply in [HostBench.Reply.complete([0x01]), .status(0x01), .complete([0]), .complete([])] {
            let bench = HostBench()
            bench.replies[opcode] = reply
            bench.start()
            #expect(bench.events == ["ready"])
        }
    }

    @Test(arguments: [0x2003, 0x2002] as [UInt16]) func `an answer that makes no sense ends start-up`(
        _ opcode: UInt16
    ) {
        for answer in [[], [0], [0, 1], [UInt8](repeating: 0, count: 40)] as [[UInt8]] {
            let bench = HostBench()
            bench.replies[opcode] = .complete(answer)
            bench.start()
            #expect(bench.events == ["failed \(HostError.badAnswer(HCI.Opcode(rawValue: opcode)))"])
        }
    }

    @Test(arguments: required + optional) func `a controller that falls silent is given up after 2 s`(
        _ opcode: UInt16
    ) {
        let bench = HostBench()
        bench.replies[opcode] = .silence
        bench.start()
        #expect(bench.events == [])
        bench.advance(milliseconds: 1_999)
        #expect(bench.events == [])
        bench.advance(milliseconds: 1)
        #expect(bench.events == ["failed controllerSilent"])
        #expect(bench.stack.nextDeadline == nil)
        bench.replies = [:]
        bench.start()
        #expect(bench.events.last == "ready")
    }

    @Test func `a controller that takes no more commands is given up after 2 s`() {
        let bench = HostBench()
        bench.commandCredits = 0
        bench.start()
        #expect(bench.commands.count == 1)
        #expect(bench.events == [])
        bench.advance(milliseconds: 1_999)
        #expect(bench.events == [])
        bench.advance(milliseconds: 1)
        #expect(bench.events == ["failed controllerSilent"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `a controller that takes commands again later is waited for`() {
        let bench = HostBench()
        bench.commandCredits = 0
        bench.start()
        // Command Complete for no command: room again, before every command.
        for count in 2...12 {
            bench.advance(milliseconds: 1_500)
            bench.receive("04 0E 03 01 0000")
            #expect(bench.commands.count == count)
        }
        #expect(bench.events == ["ready"])
    }

    @Test(arguments: 0..<12) func `events that nobody knows do no harm at any step`(_ step: Int) {
        let noise = [
            "04 FF 03 010203", "04 3E 01 7F", "04 3E 00", "04 0E 00", "04 0F 01 00", "04 13 01 05",
            "04 05 04 00 0100 13",
            "04 0E 04 01 0000 00", "04 0E 04 01 7720 00", "04 0F 04 00 01 7720", "04 13 05 01 0100 FFFF",
            "02 0120 0500 01000400 0B", "04 3E 0C 02 01 00 00 F5F4F3F2F1F0 00 C0", "03 0100 00",
            "05 0100 0000",
        ].map { octets($0) }
        let bench = HostBench()
        let order: [UInt16] = [
            0x0C03, 0x1001, 0x1002, 0x1003, 0x1009, 0x2003, 0x2002, 0x0C01, 0x2001, 0x200F, 0x2024,
            0x2005,
        ]
        bench.replies[order[step]] = .silence
        bench.start()
        for octets in noise { bench.receive(octets) }
        #expect(bench.events == [])
        bench.replies = [:]
        let answer: [UInt16: String] = [
            0x1001: "00 0D 3412 0C F105 7856", 0x1002: "00" + String(repeating: "FF", count: 64),
            0x1003: "00 0000000060000000", 0x1009: "00 665544332211", 0x2003: "00 2000000000000000",
            0x2002: "00 1B00 04",
        ]
        bench.receive(bench.complete(order[step], octets(answer[order[step]] ?? "00")))
        #expect(bench.events == ["ready"])
        #expect(bench.commands.count == 12)
    }

    /// Features of a controller, and the LE events that it must be asked for.
    @Test(arguments: [
        ("0000000000000000", "0F00000000000000"), ("0200000000000000", "2F00000000000000"),
        ("2000000000000000", "4F00000000000000"), ("4000000000000000", "0F02000000000000"),
        ("0001000000000000", "0F08000000000000"), ("0008000000000000", "0F08000000000000"),
        ("0010000000000000", "0F10020000000000"),
        ("FFFFFFFFFFFFFFFF", "6F1A020000000000"),
    ]) func `only events of features that are there are asked for`(_ features: String, _ mask: String) {
        let bench = HostBench()
        bench.replies[0x2003] = .complete([0] + octets(features))
        bench.start()
        #expect(bench.events == ["ready"])
        #expect(bench.commands.first { $0.opcode == 0x2001 }?.parameters == octets(mask))
    }

    @Test func `a controller that shares its buffers with BR-EDR is asked for those`() {
        let bench = HostBench()
        bench.buffers = (0, 0)
        bench.replies[0x1005] = .complete(octets("00 FD03 40 0800 0300"))
        bench.start()
        #expect(bench.events == ["ready"])
        let controller = bench.stack.controller
        #expect(controller.aclDataLength == 1021 && controller.aclDataPackets == 8)
    }

    @Test func `without a public address a static random one is made up`() {
        let bench = HostBench()
        bench.replies[0x1009] = .complete(octets("00 000000000000"))
        bench.start()
        #expect(bench.events == ["ready"])
        // The two highest bits of 48 are 1; the rest is what LE Rand gave.
        let last = bench.commands.last
        #expect(last?.opcode == 0x2005 && last?.parameters == octets("0807060504C3"))
        #expect(bench.stack.controller.ownAddress == BluetoothAddress(0xC304_0506_0708, kind: .random))
    }

    @Test(arguments: [nil, 0x01] as [UInt8?]) func `an address that was asked for is used`(_ refusal: UInt8?)
    {
        // Even when the controller does not tell its own.
        let own = BluetoothAddress(0xC0AA_BBCC_DDEE, kind: .random)
        let bench = HostBench(HostConfiguration(randomAddress: own))
        if let refusal { bench.replies[0x1009] = .complete([refusal]) }
        bench.start()
        #expect(bench.events == ["ready"])
        #expect(bench.commands.last?.opcode == 0x2005)
        #expect(bench.commands.last?.parameters == octets("EEDDCCBBAAC0"))
        #expect(bench.stack.controller.ownAddress == own)
    }

    @Test func `an address that the controller will not take is not used`() {
        let bench = HostBench(
            HostConfiguration(randomAddress: BluetoothAddress(0xC0AA_BBCC_DDEE, kind: .random)))
        bench.replies[0x2005] = .complete([0x12])
        bench.start()
        #expect(bench.events == ["ready"])
        #expect(bench.stack.controller.ownAddress == BluetoothAddress(0x1122_3344_5566, kind: .public))
    }

    @Test(arguments: [0xC000_0000_0000, 0xFFFF_FFFF_FFFF, 0x3FFF_FFFF_FFFF] as [UInt64])
    func `an address that no device may have is not used`(_ value: UInt64) {
        let bench = HostBench(HostConfiguration(randomAddress: BluetoothAddress(value, kind: .random)))
        bench.start()
        #expect(bench.stack.controller.ownAddress == BluetoothAddress(0xD122_3344_5566, kind: .random))
    }

    @Test(arguments: [
        ("FFFFFFFFFFFF", "0000000000000000"), ("FFFFFFFFFF3F", "0000000000000000"),
        ("0000000000C0", "0000000000000000"), ("000000000000", "FFFFFFFFFFFFFFFF"),
        ("000000000000", "0000000000000000"), ("000000000000", "FFFFFFFFFF3F0000"),
    ]) func `no address is made up that no device may have`(_ address: String, _ random: String) {
        let bench = HostBench()
        bench.replies[0x1009] = .complete(octets("00 \(address)"))
        bench.replies[0x2018] = .complete(octets("00 \(random)"))
        bench.start()
        #expect(bench.events == ["ready"])
        let own = bench.stack.controller.ownAddress
        #expect(own?.kind == .random)
        #expect([0xC000_0000_0001, 0xFFFF_FFFF_FFFE].contains(own?.value))
    }

    @Test func `a transport that is cut in the middle of a packet can start again`() {
        let bench = HostBench()
        bench.replies[0x1002] = .raw(octets("04 0E 44 01 0210 00 FFFF"))
        bench.start()
        #expect(bench.events == [])
        let now = bench.now
        bench.update { stack, _ in stack.transportClosed(at: now) }
        #expect(bench.events == ["failed transportClosed"])
        bench.receive("04 10 01 00")
        bench.replies = [:]
        bench.start()
        #expect(bench.events == ["failed transportClosed", "ready"])
    }

    @Test func `octets that are no HCI end it`() {
        let bench = HostBench.ready()
        bench.receive("09 01 02 03")
        #expect(bench.events == ["failed lostSync"])
        bench.receive("04 10 01 00")
        #expect(bench.events.count == 1)
        bench.start()
        #expect(bench.events.last == "ready")
    }

    @Test func `commands one by one, or as many as the controller takes`() {
        let bench = HostBench.ready()
        bench.replies[0x2006] = .silence
        bench.update { stack, now in stack.startAdvertising(AdvertisingParameters(data: []), at: now) }
        #expect(bench.commands.map(\.opcode) == [0x2006])
        bench.commandCredits = 3
        bench.receive(bench.complete(0x2006, [0]))
        #expect(bench.commands.map(\.opcode) == [0x2006, 0x2008, 0x2009, 0x200A])
        #expect(bench.events == ["advertising"])
    }

    @Test func `a hardware error ends it`() {
        let bench = HostBench.ready()
        bench.open(1)
        let id = bench.update { stack, now in stack.perform(.read(3), on: LinkID(rawValue: 1), at: now) }
        #expect(id != nil)
        bench.receive("04 10 01 42")
        #expect(
            bench.events == [
                "completed 1 2 disconnected", "disconnected 1 radioLost", "failed hardwareError(66)",
            ])
        #expect(bench.stack.nextDeadline == nil)
    }
}

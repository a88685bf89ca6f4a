// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHost
import BLEWire
import Testing

private let link = LinkID(rawValue: 1)

extension HostBench {
    @discardableResult
    fileprivate func perform(_ operation: GATT.Operation, on link: LinkID = link) -> UInt32? {
        update { stack, now in stack.perform(operation, on: link, at: now)?.rawValue }
    }

    fileprivate func disconnect(_ link: LinkID = link) {
        update { stack, now in stack.disconnect(link, at: now) }
    }
}

@Suite struct LinkEndTests {
    /// Reasons of a controller and what they are called.
    @Test(
        arguments: [
            (0x08, "supervisionTimeout"), (0x13, "closedByPeer"), (0x14, "closedByPeer"),
            (0x15, "closedByPeer"),
            (0x16, "closedByUs"), (0x3D, "controller 61"), (0x3E, "controller 62"),
            (0x00, "controller 0"),
        ] as [(UInt8, String)]) func `the reason is told`(_ reason: UInt8, _ words: String)
    {
        let bench = HostBench.ready()
        bench.open(1)
        bench.linkClosed(1, reason: reason)
        #expect(bench.events == ["disconnected 1 \(words)"])
        bench.linkClosed(1, reason: reason)
        #expect(bench.events.count == 1)
    }

    @Test func `a disconnection that failed is none`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.receive("04 05 04 0C 0100 13")
        #expect(bench.events == [])
        #expect(bench.perform(.read(3)) != nil)
    }

    /// What a central does from the link on: each step may be the last.
    static let steps = [
        "03 0502", "11 06 0100 0900 0018", "01 10 0A00 0A", "01 10 0100 0A", "01 08 0100 0A",
        "09 07 0200 12 0300 002A", "01 08 0300 0A", "05 01 0400 0229", "01 04 0500 0A", "0B 01", "13",
    ]

    @Test(arguments: 0...11) func `a link that is lost at any step completes everything once, before its end`(
        _ step: Int
    ) {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.connect(to: HostBench.peer, at: now) }
        bench.linkOpened(1)
        bench.perform(.discover)
        bench.perform(.read(3))
        bench.perform(.write(4, [1, 0]))
        bench.perform(.writeWithoutResponse(3, [7]))
        for answer in Self.steps.prefix(step) { bench.att(1, answer) }
        bench.linkClosed(1, reason: 0x08)
        #expect(bench.events.last == "disconnected 1 supervisionTimeout")
        // The exchange of the MTU is 1, then come the four.
        for id in 1...5 {
            #expect(bench.events.count { $0.hasPrefix("completed 1 \(id) ") } == 1, "\(id)")
        }
        let done = ["mtu", "services", "value", "done"].enumerated().filter {
            step >= [1, 9, 10, 11][$0.offset]
        }
        for (index, word) in done {
            #expect(bench.events.contains { $0.hasPrefix("completed 1 \(index + 1) \(word)") })
        }
        #expect(bench.events.count { $0.hasSuffix("disconnected") } == 4 - done.count)
        #expect(bench.stack.nextDeadline == nil)
        #expect(bench.perform(.read(3)) == nil)
        #expect(bench.stack.mtu(of: link) == nil)
    }

    @Test func `we close: operations end with the link, new ones are turned away, data is ignored`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.perform(.read(3))
        bench.forget()
        bench.disconnect()
        bench.disconnect()
        #expect(bench.commands.map(\.opcode) == [0x0406])
        #expect(bench.commands[0].parameters == [1, 0, 0x13])
        #expect(bench.perform(.read(3)) == nil)
        bench.att(1, "0B 05")
        bench.att(1, "1B 0300 05")
        #expect(bench.events == [])
        bench.linkClosed(1, reason: 0x16)
        #expect(bench.events == ["completed 1 2 disconnected", "disconnected 1 closedByUs"])
    }

    @Test func `we close: what waits goes first, but not for long`() {
        let bench = HostBench.ready(length: 27, count: 1)
        bench.open(1)
        bench.completesData = false
        for number in 0..<3 as Range<UInt8> { bench.perform(.writeWithoutResponse(3, [number])) }
        bench.disconnect()
        #expect(bench.perform(.writeWithoutResponse(3, [9])) == nil)
        for count in 1...3 {
            #expect(bench.commands.isEmpty && bench.data.count == count)
            bench.completed(1, 1)
            bench.run()
        }
        #expect(bench.commands.map(\.opcode) == [0x0406])
        bench.linkClosed(1, reason: 0x16)
        #expect(bench.events.last == "disconnected 1 closedByUs")
        #expect(bench.stack.nextDeadline == nil)
        // A peer that takes nothing.
        bench.open(1)
        bench.perform(.writeWithoutResponse(3, [1]), on: LinkID(rawValue: 2))
        bench.disconnect(LinkID(rawValue: 2))
        bench.advance(milliseconds: 299)
        #expect(bench.commands.isEmpty)
        bench.advance(milliseconds: 1)
        #expect(bench.commands.map(\.opcode) == [0x0406])
        bench.advance(milliseconds: 1_000)
        #expect(bench.commands.count == 1)
    }

    @Test(arguments: [0x02, 0x0C] as [UInt8]) func `a link that the controller does not know is over`(
        _ status: UInt8
    ) {
        let bench = HostBench.ready()
        bench.open(1)
        bench.perform(.read(3))
        bench.replies[0x0406] = .status(status)
        bench.disconnect()
        #expect(bench.events == ["completed 1 2 disconnected", "disconnected 1 closedByUs"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `both close at once, and the handle is another link's at once`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.replies[0x0406] = .silence
        bench.disconnect()
        bench.linkClosed(1, reason: 0x13)
        #expect(bench.events == ["disconnected 1 closedByUs"])
        bench.linkOpened(1, role: 1)
        // Our Disconnect comes too late for the first and is not meant for the second.
        bench.receive("04 0F 04 02 01 0604")
        #expect(bench.events.last == "connected 2 peripheral \(HostBench.peer)")
        bench.att(1, "0A 0300")
        #expect(bench.frames(1).contains("4 0b4c616e7465726e"))
    }

    @Test func `a handle that comes again without an end is another link`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.perform(.read(3))
        bench.forget()
        bench.linkOpened(1, role: 1)
        #expect(
            bench.events == [
                "completed 1 2 disconnected", "disconnected 1 supervisionTimeout",
                "connected 2 peripheral \(HostBench.peer)",
            ])
        // Nobody on this link has asked.
        bench.att(1, "0B 05")
        #expect(bench.events.dropFirst(3) == ["malformed 2 0b05"])
    }

    @Test func `pieces of a frame of the last link are not of the next`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.receive("02 0120 0500 0200 0400 0B")
        bench.linkClosed(1)
        bench.open(1)
        bench.perform(.read(3), on: LinkID(rawValue: 2))
        bench.receive("02 0110 0100 05")
        #expect(bench.events == [])
        #expect(bench.stack.counters.l2capFaults == 1)
    }

    @Test func `an answer to another request is told and ends nothing`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.perform(.read(3))
        bench.perform(.read(4))
        bench.forget()
        bench.att(1, "13")
        #expect(bench.events == ["malformed 1 13"])
        #expect(bench.commands.isEmpty)
        // What does end the link is that nothing else comes.
        bench.advance(milliseconds: 30_000)
        #expect(bench.events.dropFirst() == ["completed 1 2 timeout", "completed 1 3 disconnected"])
        #expect(bench.commands.map(\.opcode) == [0x0406])
    }

    @Test func `a peer that does not answer is cut off after 30 s`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.perform(.read(3))
        bench.advance(milliseconds: 29_999)
        #expect(bench.events == [])
        bench.advance(milliseconds: 1)
        #expect(bench.events == ["completed 1 2 timeout"])
        #expect(bench.commands.map(\.opcode) == [0x0406])
        bench.linkClosed(1, reason: 0x16)
        #expect(bench.events.last == "disconnected 1 protocolFailure")
    }

    @Test func `both sides ask for an MTU, and each other's answers agree`() {
        let bench = HostBench.ready(HostConfiguration(maximumMTU: 200))
        bench.update { stack, now in stack.connect(to: HostBench.peer, at: now) }
        bench.linkOpened(1)
        bench.forget()
        bench.att(1, "02 6400")
        #expect(bench.frames(1) == ["4 03c800"])
        #expect(bench.events == ["mtu 1 100"])
        bench.att(1, "03 6400")
        #expect(bench.events == ["mtu 1 100", "mtu 1 100", "completed 1 1 mtu 100"])
        #expect(bench.stack.mtu(of: link) == 100)
        bench.perform(.write(3, [UInt8](repeating: 7, count: 97)))
        #expect(bench.frames(1).first?.count == "4 ".count + 200)
    }

    @Test func `a PDU longer than what we can receive is dropped`() {
        let bench = HostBench.ready(HostConfiguration(maximumMTU: 30))
        bench.open(1, role: 1)
        bench.frame(1, 4, [0x52, 9, 0] + [UInt8](repeating: 7, count: 28))
        #expect(bench.stack.counters.l2capFaults == 1)
        #expect(bench.events == [] && bench.data.isEmpty)
    }
}

@Suite struct LinkServerTests {
    private static let configuration = HostConfiguration(
        name: "Lamp", appearance: 0x03C0,
        services: [
            .init(
                BluetoothUUID(0xFF00),
                characteristics: [
                    .init(BluetoothUUID(0xFF01), [.read, .write, .notify, .indicate], value: .delegated),
                    .init(BluetoothUUID(0xFF02), [.read, .write], value: .stored([1])),
                ])
        ])

    @Test func `every host has GAP with its name, and GATT`() {
        let bench = HostBench.ready(Self.configuration)
        bench.open(1, role: 1)
        bench.att(1, "10 0100 FFFF 0028")
        bench.att(1, "08 0100 FFFF 002A")
        bench.att(1, "08 0100 FFFF 012A")
        #expect(
            bench.frames(1) == [
                "4 110601000500001806000d0001180e00130000ff", "4 090603004c616d70", "4 09040500c003",
            ])
    }

    @Test func `reads and writes go up, answers go down`() {
        let bench = HostBench.ready(Self.configuration)
        bench.open(1, role: 1)
        bench.att(1, "0A 1000")
        #expect(bench.events == ["read 1 16"])
        #expect(bench.frames(1) == [])
        bench.update { stack, now in stack.answer(.success([5, 6]), on: link, at: now) }
        bench.att(1, "12 1000 07")
        bench.update { stack, now in stack.answer(.failure(.valueNotAllowed), on: link, at: now) }
        bench.att(1, "12 1300 0809")
        #expect(bench.frames(1) == ["4 0b0506", "4 0112100013", "4 13"])
        #expect(bench.events == ["read 1 16", "write 1 16 07 answered", "stored 1 19 0809"])
        // What is stored is the host's, not the link's.
        bench.open(2, role: 1)
        bench.att(2, "0A 1300")
        #expect(bench.frames(2) == ["4 0b0809"])
    }

    @Test func `indications go one by one, and 30 s without a confirmation end the link`() {
        let bench = HostBench.ready(Self.configuration)
        bench.open(1, role: 1)
        bench.att(1, "12 1100 0200")
        bench.forget()
        for number in 1...2 as ClosedRange<UInt8> {
            let isAccepted = bench.update { stack, now in
                stack.send([number], of: 16, as: .indicate, on: link, at: now)
            }
            #expect(isAccepted)
        }
        #expect(bench.frames(1) == ["4 1d100001"])
        bench.att(1, "1E")
        #expect(bench.frames(1) == ["4 1d100002"])
        #expect(bench.events == ["confirmed 1 16"])
        bench.advance(milliseconds: 30_000)
        #expect(bench.commands.map(\.opcode) == [0x0406])
        bench.linkClosed(1, reason: 0x16)
        #expect(bench.events == ["confirmed 1 16", "disconnected 1 protocolFailure"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `subscriptions end with their link`() {
        let bench = HostBench.ready(Self.configuration)
        bench.open(1, role: 1)
        bench.att(1, "12 1100 0100")
        #expect(bench.events == ["subscribed 1 16 1"])
        bench.linkClosed(1)
        bench.open(1, role: 1)
        let isAccepted = bench.update { stack, now in
            stack.send([1], of: 16, as: .notify, on: LinkID(rawValue: 2), at: now)
        }
        #expect(!isAccepted)
        bench.att(1, "0A 1100")
        #expect(bench.frames(1) == ["4 0b0000"])
    }
}

@Suite struct HostPropertyTests {
    /// Packets of every kind, often about links that are there.
    private static func packet(_ random: inout SplitMix64) -> [UInt8] {
        let link = two(random.number(1...3))
        let body = random.octets(random.number(0...30)).map { random.number(0...1) == 0 ? $0 : $0 % 12 }
        let codes: [UInt8] = [0x05, 0x0E, 0x0F, 0x13, 0x1A, 0x3E, 0xFF]
        switch random.number(0...9) {
        case 0...3: return [4, codes[random.number(0...6)], UInt8(body.count)] + body
        case 4: return [4, 0x05, 4, 0] + link + [0x13]
        case 5:
            let peer = random.octets(6)
            return [4, 0x3E, 19, 0x01, 0] + link + [UInt8(random.number(0...1)), 1] + peer + two(24) + two(0)
                + two(500) + [0]
        case 6: return [4, 0x13, 5, 1] + link + two(random.number(0...9))
        default:
            let flags = [0x00, 0x10, 0x20][random.number(0...2)] as UInt8
            let channel = two([4, 4, 4, 5, 6, 7][random.number(0...5)])
            let frame = two(random.number(0...9) == 0 ? random.number(0...600) : body.count) + channel + body
            return [2, link[0], link[1] | flags] + two(frame.count) + frame
        }
    }

    @Test(arguments: 0..<24) func `whatever a controller sends, operations complete once and links end once`(
        _ seed: Int
    ) {
        var random = SplitMix64(seed: UInt64(seed))
        let bench = HostBench.ready(HostConfiguration(services: []), length: 27, count: 3)
        bench.update { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.update { stack, now in stack.startAdvertising(AdvertisingParameters(data: []), at: now) }
        var asked: Set<String> = []
        for _ in 0..<3_000 {
            bench.completesData = random.number(0...3) > 0
            bench.replies[0x0406] = random.number(0...3) == 0 ? .status(0x02) : nil
            switch random.number(0...19) {
            case 0...15: bench.receive(Self.packet(&random))
            case 16:
                bench.update { stack, now in stack.connect(to: HostBench.peer, at: now) }
            case 17: bench.advance(milliseconds: UInt64(random.number(0...20_000)))
            default:
                let id = LinkID(rawValue: UInt32(random.number(0...600)))
                let operation: GATT.Operation = random.number(0...1) == 0 ? .discover : .read(3)
                if let name = bench.perform(operation, on: id) { asked.insert("\(id.rawValue) \(name)") }
                if random.number(0...9) == 0 { bench.disconnect(id) }
            }
            if bench.events.contains(where: { $0.hasPrefix("failed") }), !bench.stack.isReady {
                bench.start()
            }
        }
        bench.update { stack, now in stack.transportClosed(at: now) }
        var open: Set<Substring> = []
        var done: Set<String> = []
        for event in bench.events {
            let words = event.split(separator: " ")
            switch words[0] {
            case "connected": #expect(open.insert(words[1]).inserted)
            case "disconnected": #expect(open.remove(words[1]) != nil)
            case "completed":
                #expect(open.contains(words[1]), "\(event)")
                asked.remove("\(words[1]) \(words[2])")
                #expect(done.insert("\(words[1]) \(words[2])").inserted, "\(event)")
            case "value", "read", "write", "subscribed", "mtu": #expect(open.contains(words[1]), "\(event)")
            default: break
            }
        }
        #expect(done.count > 20)
        #expect(open.isEmpty)
        #expect(asked.isEmpty)
        #expect(bench.stack.nextDeadline == nil)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

extension Bench {
    /// Lets a host say what it has room for, and that nothing more may come.
    func limit(_ id: ID, to packets: UInt16, of length: UInt16 = 251) {
        accept(HCI.HostBufferSize(aclDataPacketLength: length, totalACLDataPackets: packets), id)
        accept(HCI.SetControllerToHostFlowControl(.acl), id)
    }

    /// Says that a host is done with packets; gives what it is answered, which should be nothing.
    func done(_ entries: [(handle: ConnectionHandle, packets: UInt16)], _ id: ID) -> HCI.Status? {
        status(
            HCI.HostNumberOfCompletedPackets(
                entries: entries.map { .init(handle: $0.handle, packets: $0.packets) }), id)
    }

    /// Two controllers with a link between them, of which the central's host has said what it has room for.
    fileprivate func limitedPair(to packets: UInt16, of length: UInt16 = 251) throws -> Connected {
        let (central, peripheral) = (add(1), add(2))
        limit(central, to: packets, of: length)
        return try connect(central, peripheral, number: 2, interval: 10)
    }
}

@Suite("A host that controls the flow")
struct HostFlowControlTests {
    @Test func getsNoMoreThanItHasRoomForAndLosesNothing() throws {
        let bench = Bench()
        let link = try bench.limitedPair(to: 3)
        for number in 0..<8 as Range<UInt8> {
            bench.sendData(link.peripheral, link.peripheralHandle, [number])
        }
        bench.run(milliseconds: 5000)
        #expect(bench.receiveData(link.central).map(\.data.payload) == [[0], [1], [2]])
        // The others are with the peer, whose host gets no credit back for them.
        #expect(bench.receiveCompleted(link.peripheral).reduce(0) { $0 + $1.entry.packets } == 3)
        #expect(bench.done([(link.centralHandle, 1)], link.central) == nil)
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.central).map(\.data.payload) == [[3]])
        #expect(bench.done([(link.centralHandle, 3)], link.central) == nil)
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.central).map(\.data.payload) == [[4], [5], [6]])
        #expect(bench.done([(link.centralHandle, 2), (link.centralHandle, 1)], link.central) == nil)
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.central).map(\.data.payload) == [[7]])
        #expect(bench.receiveCompleted(link.peripheral).reduce(0) { $0 + $1.entry.packets } == 5)
        #expect(bench.receiveDisconnection(link.central) == nil)
    }

    @Test func stillSendsAndClosesWhileItTakesNothing() throws {
        let bench = Bench()
        let link = try bench.limitedPair(to: 1)
        for number in 0..<4 as Range<UInt8> {
            bench.sendData(link.peripheral, link.peripheralHandle, [number])
        }
        bench.run(milliseconds: 100)
        for number in 0..<8 as Range<UInt8> { bench.sendData(link.central, link.centralHandle, [number]) }
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.peripheral).count == 8)
        bench.accept(
            HCI.Disconnect(handle: link.peripheralHandle, reason: .remoteUserTerminatedConnection),
            link.peripheral)
        bench.run(milliseconds: 100)
        #expect(bench.receiveDisconnection(link.central) != nil)
    }

    @Test func isSentToByAPeripheralThatTakesNothing() throws {
        let bench = Bench()
        let (central, peripheral) = (bench.add(1), bench.add(2))
        bench.limit(peripheral, to: 1)
        let link = try bench.connect(central, peripheral, number: 2, interval: 10)
        for number in 0..<4 as Range<UInt8> { bench.sendData(central, link.centralHandle, [number]) }
        bench.run(milliseconds: 100)
        for number in 0..<8 as Range<UInt8> { bench.sendData(peripheral, link.peripheralHandle, [number]) }
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(central).count == 8)
        #expect(bench.receiveData(peripheral).count == 1)
    }

    @Test func getsTheShareOfALinkBackWhenItEnds() throws {
        let bench = Bench()
        let (central, first, second) = (bench.add(1), bench.add(2), bench.add(3))
        bench.limit(central, to: 2)
        let one = try bench.connect(central, first, number: 2, interval: 10)
        let other = try bench.connect(central, second, number: 3, interval: 10)
        for number in 0..<3 as Range<UInt8> { bench.sendData(first, one.peripheralHandle, [number]) }
        bench.run(milliseconds: 100)
        for number in 5..<8 as Range<UInt8> { bench.sendData(second, other.peripheralHandle, [number]) }
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(central).map(\.data.payload) == [[0], [1]])
        bench.accept(
            HCI.Disconnect(handle: one.peripheralHandle, reason: .remoteUserTerminatedConnection), first)
        bench.run(milliseconds: 100)
        let end = try #require(bench.receiveDisconnection(central)).moment
        let data = bench.receiveData(central)
        #expect(data.map(\.data.payload) == [[5], [6]])
        #expect(data.allSatisfy { $0.moment >= end })
        // What was with the host of the link that has ended is nobody's any more.
        #expect(bench.done([(one.centralHandle, 2)], central) == .invalidHCICommandParameters)
        #expect(bench.done([(other.centralHandle, 2)], central) == nil)
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(central).map(\.data.payload) == [[7]])
    }

    @Test func getsPacketsNoLongerThanItsBuffers() throws {
        let bench = Bench()
        let link = try bench.limitedPair(to: 4, of: 10)
        let payload = [UInt8](0..<27)
        for _ in 0..<2 { bench.sendData(link.peripheral, link.peripheralHandle, payload) }
        bench.run(milliseconds: 100)
        // The second would need three buffers, and one is free.
        let first = bench.receiveData(link.central).map(\.data)
        #expect(first.map(\.payload.count) == [10, 10, 7])
        #expect(first.map(\.boundary) == [.firstFlushable, .continuing, .continuing])
        #expect(bench.done([(link.centralHandle, 3)], link.central) == nil)
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.central).flatMap(\.data.payload) == payload)
    }

    @Test func getsAPacketThatNeedsMoreBuffersThanItHasAsTheyComeFree() throws {
        let bench = Bench()
        let link = try bench.limitedPair(to: 2, of: 10)
        let payload = [UInt8](0..<27)
        for _ in 0..<2 { bench.sendData(link.peripheral, link.peripheralHandle, payload) }
        var octets: [UInt8] = []
        for _ in 0..<8 {
            bench.run(milliseconds: 50)
            let data = bench.receiveData(link.central)
            #expect(data.count <= 2)
            octets += data.flatMap(\.data.payload)
            if data.count > 0 {
                #expect(bench.done([(link.centralHandle, UInt16(data.count))], link.central) == nil)
            }
        }
        #expect(octets == payload + payload)
    }

    @Test func isToldOnlyWhatIsWrong() throws {
        let bench = Bench()
        let link = try bench.limitedPair(to: 3)
        for number in 0..<4 as Range<UInt8> {
            bench.sendData(link.peripheral, link.peripheralHandle, [number])
        }
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.central).count == 3)
        let unknown = ConnectionHandle(rawValue: 0x0EFF)
        #expect(bench.done([(link.centralHandle, 4)], link.central) == .invalidHCICommandParameters)
        #expect(bench.done([(unknown, 0)], link.central) == .invalidHCICommandParameters)
        #expect(bench.done([], link.central) == .invalidHCICommandParameters)
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.central).isEmpty)
        // An entry that is right counts beside one that is wrong.
        #expect(
            bench.done([(unknown, 1), (link.centralHandle, 1)], link.central) == .invalidHCICommandParameters)
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.central).count == 1)
    }

    @Test func saysSoBeforeThereAreLinks() throws {
        let bench = Bench()
        let (central, peripheral) = (bench.add(1), bench.add(2))
        let flow = HCI.SetControllerToHostFlowControl(.acl)
        let buffers = HCI.HostBufferSize(aclDataPacketLength: 251, totalACLDataPackets: 2)
        #expect(bench.status(flow, central) == .commandDisallowed)
        let nothing = [(UInt16(0), UInt16(1)), (251, 0)]
        for (length, total) in nothing {
            let command = HCI.HostBufferSize(aclDataPacketLength: length, totalACLDataPackets: total)
            #expect(bench.status(command, central) == .invalidHCICommandParameters)
        }
        bench.accept(buffers, central)
        bench.accept(flow, central)
        #expect(bench.done([(ConnectionHandle(rawValue: 0), 1)], central) == nil)
        let link = try bench.connect(central, peripheral, number: 2, interval: 10)
        #expect(bench.status(flow, central) == .commandDisallowed)
        #expect(bench.status(HCI.SetControllerToHostFlowControl(.off), central) == .commandDisallowed)
        #expect(bench.status(buffers, central) == .commandDisallowed)
        // Of a host that does not control the flow, the command means nothing.
        #expect(bench.done([(link.peripheralHandle, 9)], peripheral) == nil)
        #expect(bench.done([], peripheral) == nil)
    }

    @Test func isForgottenWithAReset() throws {
        let bench = Bench()
        let (central, peripheral) = (bench.add(1), bench.add(2))
        bench.limit(central, to: 1)
        bench.start(central)
        let link = try bench.connect(central, peripheral, number: 2, interval: 10)
        for number in 0..<5 as Range<UInt8> { bench.sendData(peripheral, link.peripheralHandle, [number]) }
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(central).count == 5)
    }
}

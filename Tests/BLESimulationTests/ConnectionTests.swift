// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite struct ConnectionTests {
    @Test func bothSidesLearnOfTheLinkAndTheirRoles() throws {
        let bench = Bench()
        let (central, peripheral) = (bench.add(1), bench.add(2))
        bench.advertise(peripheral)
        bench.accept(Bench.connection(to: address(2), interval: 50, latency: 3), central)
        bench.run(milliseconds: 300)
        let up = try #require(bench.receiveConnection(central))
        #expect(up.role == .central && up.peerAddress == address(2))
        #expect(up.interval == ConnectionInterval(milliseconds: 50) && up.latency == 3)
        #expect(up.supervisionTimeout == SupervisionTimeout(milliseconds: 1000))
        let down = try #require(bench.receiveConnection(peripheral))
        #expect(down.role == .peripheral && down.peerAddress == address(1))
        #expect(down.interval == up.interval && down.latency == 3)
        #expect(bench.isSilent)
    }

    @Test func advertisingEndsWithTheLinkButScanningGoesOn() throws {
        let bench = Bench()
        let other = bench.add(3)
        let link = try bench.pair()
        bench.advertise(other)
        bench.scan(link.central)
        bench.run(milliseconds: 1000)
        #expect(Set(bench.receiveReports(link.central).map(\.report.address)) == [address(3)])
        bench.accept(HCI.LESetAdvertisingEnable(enable: true), link.peripheral)
        bench.run(milliseconds: 500)
        #expect(bench.receiveReports(link.central).map(\.report.address).contains(address(2)))
    }

    @Test func cancellingEndsTheAttemptWithStatusTwo() throws {
        let bench = Bench()
        let id = bench.add(1)
        #expect(bench.status(HCI.LECreateConnectionCancel(), id) == .commandDisallowed)
        bench.accept(Bench.connection(to: address(9)), id)
        #expect(bench.status(Bench.connection(to: address(8)), id) == .commandDisallowed)
        bench.run(milliseconds: 5000)
        #expect(bench.isSilent)
        bench.accept(HCI.LECreateConnectionCancel(), id)
        #expect(bench.receiveConnection(id)?.status == .unknownConnectionIdentifier)
        #expect(bench.status(HCI.LECreateConnectionCancel(), id) == .commandDisallowed)
        bench.accept(Bench.connection(to: address(8)), id)
    }

    @Test func theFilterAcceptListConnectsToWhoeverIsHeardOnIt() {
        let bench = Bench()
        let (central, stranger, friend) = (bench.add(1), bench.add(2), bench.add(3))
        bench.accept(HCI.LEAddDeviceToFilterAcceptList(address: address(3)), central)
        bench.accept(Bench.connection(to: address(2), filter: .acceptList), central)
        bench.advertise(stranger)
        bench.run(milliseconds: 500)
        #expect(bench.receiveConnection(central) == nil)
        bench.advertise(friend)
        bench.run(milliseconds: 500)
        #expect(bench.receiveConnection(central)?.peerAddress == address(3))
    }

    @Test func aSecondLinkToTheSamePeerIsRefused() throws {
        let bench = Bench()
        let link = try bench.pair()
        #expect(bench.status(Bench.connection(to: address(2)), link.central) == .connectionAlreadyExists)
    }

    @Test(arguments: [HCI.Role.central, .peripheral])
    func disconnectingTellsEachSideItsReason(role: HCI.Role) throws {
        let bench = Bench()
        let link = try bench.pair()
        let isCentral = role == .central
        let (here, there) = isCentral ? (link.central, link.peripheral) : (link.peripheral, link.central)
        let handle = isCentral ? link.centralHandle : link.peripheralHandle
        bench.accept(HCI.Disconnect(handle: handle, reason: .remoteDeviceTerminatedPowerOff), here)
        #expect(bench.receiveDisconnection(here) == nil)
        bench.run(milliseconds: 31)
        #expect(bench.receiveDisconnection(here)?.event.reason == .connectionTerminatedByLocalHost)
        #expect(bench.receiveDisconnection(there)?.event.reason == .remoteDeviceTerminatedPowerOff)
        #expect(bench.isSilent)
        #expect(bench.air.nextDeadline == nil)
        #expect(
            bench.status(HCI.Disconnect(handle: handle, reason: .remoteUserTerminatedConnection), here)
                == .unknownConnectionIdentifier)
    }

    @Test func disconnectingTwiceIsDisallowed() throws {
        let bench = Bench()
        let link = try bench.pair()
        let command = HCI.Disconnect(handle: link.centralHandle, reason: .remoteUserTerminatedConnection)
        bench.accept(command, link.central)
        #expect(bench.status(command, link.central) == .commandDisallowed)
        let wrong = HCI.Disconnect(handle: link.peripheralHandle, reason: .connectionTimeout)
        #expect(bench.status(wrong, link.peripheral) == .invalidHCICommandParameters)
    }

    @Test func bothSidesTimeOutWhenTheyNoLongerHearEachOther() throws {
        let bench = Bench()
        let link = try bench.pair(interval: 30, timeout: 1000)
        bench.run(milliseconds: 60_000)
        #expect(bench.isSilent)
        let cut = bench.now
        bench.air.setReachable(link.central, link.peripheral, false)
        bench.run(milliseconds: 5000)
        for id in [link.central, link.peripheral] {
            let (moment, event) = try #require(bench.receiveDisconnection(id))
            #expect(event.reason == .connectionTimeout)
            #expect((970_000...1_000_000).contains(moment.microseconds(since: cut)))
        }
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func aShortInterruptionIsSurvived() throws {
        let bench = Bench()
        let link = try bench.pair(timeout: 1000)
        for _ in 0..<5 {
            bench.air.setReachable(link.central, link.peripheral, false)
            bench.sendData(link.central, link.centralHandle, [1, 2, 3])
            bench.run(milliseconds: 900)
            #expect(bench.isSilent)
            bench.air.setReachable(link.central, link.peripheral, true)
            bench.run(milliseconds: 100)
            #expect(bench.receiveData(link.peripheral).map(\.data.payload) == [[1, 2, 3]])
            #expect(bench.receiveCompleted(link.central).count == 1)
        }
        bench.run(milliseconds: 5000)
        #expect(bench.isSilent)
        #expect(bench.air.nextDeadline == nil)
    }

    @Test(arguments: ["power", "host", "reset"])
    func thePeerOfAVanishedHostTimesOut(how: String) throws {
        let bench = Bench()
        let link = try bench.pair(timeout: 2000)
        switch how {
        case "power": bench.air.removeController(link.central)
        case "host": bench.air.hostDetached(link.central)
        default: bench.accept(HCI.Reset(), link.central)
        }
        bench.run(milliseconds: 1900)
        #expect(bench.isSilent)
        bench.run(milliseconds: 200)
        #expect(bench.receiveDisconnection(link.peripheral)?.event.reason == .connectionTimeout)
        #expect(bench.isSilent)
    }

    @Test func disconnectingFromNobodyEndsByTheTimeout() throws {
        let bench = Bench()
        let link = try bench.pair(timeout: 1000)
        bench.air.removeController(link.peripheral)
        bench.accept(
            HCI.Disconnect(handle: link.centralHandle, reason: .remoteUserTerminatedConnection), link.central)
        bench.run(milliseconds: 1100)
        #expect(bench.receiveDisconnection(link.central)?.event.reason == .connectionTerminatedByLocalHost)
    }

    @Test func aLinkThatIsNeverHeardFailsAfterSixIntervals() throws {
        let bench = Bench()
        let (central, peripheral) = (bench.add(1), bench.add(2))
        bench.advertise(peripheral)
        bench.accept(Bench.connection(to: address(2), interval: 100, timeout: 10_000), central)
        while bench.isSilent { bench.air.nextDeadline.map { bench.air.advance(to: $0) }; bench.drain() }
        let start = bench.now
        bench.air.setReachable(central, peripheral, false)
        bench.run(milliseconds: 2000)
        for id in [central, peripheral] {
            let (moment, event) = try #require(bench.receiveDisconnection(id))
            #expect(event.reason == .connectionFailedToBeEstablished)
            #expect(moment == start.advanced(byMilliseconds: 600))
        }
    }

    @Test func oneControllerIsCentralAndPeripheralAtOnce() throws {
        let bench = Bench()
        let (a, b, c, d) = (bench.add(1), bench.add(2), bench.add(3), bench.add(4))
        let down = try bench.connect(a, b, number: 2)
        let second = try bench.connect(a, c, number: 3)
        let up = try bench.connect(d, a, number: 1)
        #expect(Set([down.centralHandle, second.centralHandle, up.peripheralHandle]).count == 3)
        bench.sendData(a, down.centralHandle, [1])
        bench.sendData(a, second.centralHandle, [2])
        bench.sendData(a, up.peripheralHandle, [3])
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(b).map(\.data.payload) == [[1]])
        #expect(bench.receiveData(c).map(\.data.payload) == [[2]])
        #expect(bench.receiveData(d).map(\.data.payload) == [[3]])
        bench.accept(HCI.Disconnect(handle: down.centralHandle, reason: .remoteUserTerminatedConnection), a)
        bench.run(milliseconds: 100)
        #expect(bench.receiveDisconnection(b) != nil)
        #expect(bench.receiveDisconnection(c) == nil && bench.receiveDisconnection(d) == nil)
    }

    @Test func aFreedHandleIsGivenToTheNextLink() throws {
        let bench = Bench()
        let (a, b, c) = (bench.add(1), bench.add(2), bench.add(3))
        let first = try bench.connect(a, b, number: 2)
        bench.accept(HCI.Disconnect(handle: first.centralHandle, reason: .remoteUserTerminatedConnection), a)
        bench.run(milliseconds: 100)
        let second = try bench.connect(a, c, number: 3)
        #expect(second.centralHandle == first.centralHandle)
    }

    @Test func aFullControllerMakesNoMoreLinks() throws {
        let bench = Bench()
        let (a, b) = (bench.add(1) { $0.maximumLinks = 1 }, bench.add(2))
        _ = try bench.connect(a, b, number: 2)
        #expect(bench.status(Bench.connection(to: address(3)), a) == .connectionLimitExceeded)
        #expect(bench.status(HCI.LESetAdvertisingEnable(enable: true), a) == .connectionLimitExceeded)
    }

    @Test func anIdleLinkCostsNothing() throws {
        let bench = Bench()
        let link = try bench.pair()
        #expect(bench.air.nextDeadline == nil)
        bench.run(milliseconds: 3_600_000)
        bench.sendData(link.peripheral, link.peripheralHandle, [7])
        let deadline = try #require(bench.air.nextDeadline)
        #expect(deadline.microseconds(since: bench.now) <= 30_000)
        bench.run(milliseconds: 30)
        #expect(bench.receiveData(link.central).map(\.data.payload) == [[7]])
        #expect(bench.air.nextDeadline == nil)
    }
}

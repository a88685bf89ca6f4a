// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite("Links of extended controllers")
struct ExtendedLinkTests {
    @Test(arguments: [HCI.PHY.le1M, .le2M, .leCoded])
    func aLinkBeginsOnTheSecondPHYWithItsParameters(phy: HCI.PHY) throws {
        let bench = Bench(.init(), .extended)
        let link = try bench.connectExtended(
            bench.add(1), bench.add(2), number: 2, secondary: phy,
            intervals: [.le1M: 30, .le2M: 50, .leCoded: 70])
        for (id, handle) in [(link.central, link.centralHandle), (link.peripheral, link.peripheralHandle)] {
            let phys = try bench.ask(HCI.LEReadPHY(handle: handle), id)
            #expect(phys.txPHY == phy && phys.rxPHY == phy)
        }
        bench.sendData(link.central, link.centralHandle, [1])
        bench.sendData(link.central, link.centralHandle, [2])
        bench.run(milliseconds: 200)
        #expect(bench.receiveData(link.peripheral).map(\.data.payload) == [[1], [2]])
    }

    @Test func aLegacyAdvertiserIsConnectedFromAnExtendedHost() throws {
        let bench = Bench(.init(), .extended)
        let central = bench.add(1)
        bench.generation = .legacy
        let peripheral = bench.add(2)
        bench.advertise(peripheral)
        bench.accept(Bench.extendedConnection(to: address(2)), central)
        bench.run(milliseconds: 200)
        let up = try #require(bench.receiveConnection(central))
        #expect(bench.receiveConnection(peripheral)?.status == .success)
        let algorithm = bench.receive(central) { event -> UInt8? in
            guard case .channelSelectionAlgorithm(let event) = event else { return nil }
            return event.algorithm
        }
        #expect(algorithm?.value == 0)
        // It knows nothing of PHYs, and its features say so.
        bench.accept(HCI.LESetPHY(handle: up.handle, tx: .le2M, rx: .le2M), central)
        bench.accept(HCI.LEReadRemoteFeatures(handle: up.handle), central)
        bench.run(milliseconds: 200)
        #expect(
            bench.receivePHYs(central)
                == .init(status: .unsupportedRemoteFeature, handle: up.handle, txPHY: .le1M, rxPHY: .le1M))
        let features = bench.receive(central) { event -> HCI.LEFeatures? in
            guard case .readRemoteFeaturesComplete(let event) = event else { return nil }
            return event.features
        }
        #expect(features?.value.contains(.phy2M) == false)
        #expect(bench.isSilent)
    }

    @Test func aLegacyHostDoesNotConnectToExtendedAdvertising() {
        let bench = Bench(.init(), .extended)
        let (central, peripheral) = (bench.add(1), bench.add(2))
        bench.accept(Bench.set(1), peripheral)
        bench.accept(Bench.enable(1), peripheral)
        bench.accept(Bench.connection(to: address(2)), central)
        bench.run(milliseconds: 2000)
        #expect(bench.isSilent)
        bench.accept(HCI.LECreateConnectionCancel(), central)
        #expect(bench.receiveConnection(central)?.status == .unknownConnectionIdentifier)
    }

    @Test func theMaskChoosesTheFormOfTheEvent() throws {
        let bench = Bench(.init(), .extended)
        let (central, peripheral) = (bench.add(1), bench.add(2))
        bench.accept(HCI.LESetEventMask(mask: .initial), central)
        bench.accept(Bench.set(1), peripheral)
        bench.accept(Bench.enable(1), peripheral)
        bench.accept(Bench.extendedConnection(to: address(2)), central)
        bench.run(milliseconds: 200)
        #expect(bench.received[central]?.compactMap(\.event?.subevent) == [.connectionComplete])
        #expect(
            bench.received[peripheral]?.compactMap(\.event?.subevent) == [
                .enhancedConnectionComplete, .channelSelectionAlgorithm, .advertisingSetTerminated,
            ])
    }

    @Test func anExtendedCentralWaitsUntilItIsHeard() throws {
        let bench = Bench(.init(seed: 2, loss: 0.6), .extended)
        let (central, peripheral) = (bench.add(1), bench.add(2))
        var failures = 0
        for _ in 0..<20 {
            bench.accept(Bench.set(1, milliseconds: 20), peripheral)
            bench.accept(Bench.enable(1), peripheral)
            bench.accept(Bench.extendedConnection(to: address(2)), central)
            bench.run(milliseconds: 1500)
            if let up = bench.receiveConnection(central) {
                #expect(up.status == .success)
            } else {
                // The peripheral answered, but the answer was lost.
                #expect(
                    bench.receiveDisconnection(peripheral)?.event.reason == .connectionFailedToBeEstablished)
                failures += 1
            }
            bench.start(central)
            bench.start(peripheral)
            bench.forget(central)
            bench.forget(peripheral)
        }
        #expect((1..<20).contains(failures))
    }

    @Test(
        arguments: [
            // What each side allows to be sent and received, and what comes of it for the one that asks.
            (HCI.PHYs.le2M, HCI.PHYs.le2M, HCI.PHY.le2M, HCI.PHY.le2M), (.leCoded, .le2M, .leCoded, .le2M),
            ([.le1M, .le2M, .leCoded], .le1M, .le2M, .le1M), (.leCoded, .leCoded, .leCoded, .leCoded),
            (.le1M, .le1M, .le1M, .le1M),
        ] as [(HCI.PHYs, HCI.PHYs, HCI.PHY, HCI.PHY)], [HCI.Role.central, .peripheral])
    func physAreAgreedUpon(
        wanted: (tx: HCI.PHYs, rx: HCI.PHYs, txPHY: HCI.PHY, rxPHY: HCI.PHY), role: HCI.Role
    ) throws {
        let bench = Bench(.init(), .extended)
        let link = try bench.connectExtended(bench.add(1), bench.add(2), number: 2)
        bench.forget(link.central)
        bench.forget(link.peripheral)
        let isCentral = role == .central
        let (here, there) = isCentral ? (link.central, link.peripheral) : (link.peripheral, link.central)
        let handle = isCentral ? link.centralHandle : link.peripheralHandle
        bench.accept(HCI.LESetPHY(handle: handle, tx: wanted.tx, rx: wanted.rx), here)
        #expect(bench.status(HCI.LESetPHY(handle: handle, tx: nil, rx: nil), here) == .commandDisallowed)
        bench.run(milliseconds: 500)
        #expect(
            bench.receivePHYs(here)
                == .init(status: .success, handle: handle, txPHY: wanted.txPHY, rxPHY: wanted.rxPHY))
        let received = bench.receivePHYs(there)
        if wanted.txPHY == .le1M, wanted.rxPHY == .le1M {
            #expect(received == nil)
        } else {
            #expect(received?.txPHY == wanted.rxPHY && received?.rxPHY == wanted.txPHY)
        }
        #expect(bench.isSilent && bench.air.nextDeadline == nil)
    }

    @Test func thePeersPreferencesCount() throws {
        let bench = Bench(.init(), .extended)
        let (central, peripheral) = (bench.add(1), bench.add(2))
        bench.accept(HCI.LESetDefaultPHY(tx: .le1M, rx: [.le1M, .leCoded]), peripheral)
        let link = try bench.connectExtended(central, peripheral, number: 2)
        bench.accept(HCI.LESetPHY(handle: link.centralHandle, tx: .le2M, rx: nil), central)
        bench.run(milliseconds: 500)
        #expect(bench.receivePHYs(central)?.txPHY == .le1M, "it receives no 2M")
        bench.accept(HCI.LESetPHY(handle: link.centralHandle, tx: [.le2M, .leCoded], rx: nil), central)
        bench.run(milliseconds: 500)
        let phys = try #require(bench.receivePHYs(central))
        #expect(phys.txPHY == .leCoded && phys.rxPHY == .le1M)
    }

    @Test func twiceTheSpeedTakesLessTime() throws {
        func milliseconds(_ phy: HCI.PHYs) throws -> UInt64 {
            let bench = Bench(.init(), .extended)
            let link = try bench.connectExtended(
                bench.add(1), bench.add(2), number: 2, intervals: [.le1M: 400])
            bench.accept(
                HCI.LESetDataLength(handle: link.centralHandle, txOctets: 251, txTime: 17040), link.central)
            bench.accept(HCI.LESetPHY(handle: link.centralHandle, tx: phy, rx: phy), link.central)
            bench.run(milliseconds: 20_000)
            for number in 0..<8 as Range<UInt8> {
                bench.sendData(link.central, link.centralHandle, [UInt8](repeating: number, count: 251))
            }
            bench.run(milliseconds: 3000)
            let moments = bench.receiveData(link.peripheral).map(\.moment)
            #expect(moments.count == 8)
            return moments[7].microseconds(since: moments[0]) / 7
        }
        // 251 octets and the empty answer, with 150 µs after each.
        #expect(try milliseconds(.le1M) == 261 * 8 + 10 * 8 + 300)
        #expect(try milliseconds(.le2M) == 262 * 4 + 11 * 4 + 300)
        #expect(try milliseconds(.leCoded) == 256 * 64 + 5 * 64 + 2 * 550)
    }

    @Test func filterListsDecideHereToo() throws {
        let bench = Bench(.init(), .extended)
        let (advertiser, friend, stranger) = (bench.add(1), bench.add(2), bench.add(3))
        bench.accept(HCI.LEAddDeviceToFilterAcceptList(address: address(2)), advertiser)
        bench.accept(Bench.set(1, filter: .filterBoth), advertiser)
        bench.accept(Bench.enable(1), advertiser)
        #expect(bench.status(HCI.LEClearFilterAcceptList(), advertiser) == .commandDisallowed)
        // A stranger is not answered and so goes on asking.
        bench.accept(Bench.extendedConnection(to: address(1)), stranger)
        bench.run(milliseconds: 1000)
        #expect(bench.isSilent)
        var command = Bench.extendedConnection(to: address(9))
        command.filterPolicy = .acceptList
        bench.accept(command, friend)
        bench.run(milliseconds: 1000)
        #expect(bench.isSilent)
        bench.accept(HCI.LECreateConnectionCancel(), friend)
        #expect(bench.receiveConnection(friend)?.status == .unknownConnectionIdentifier)
        bench.accept(HCI.LEAddDeviceToFilterAcceptList(address: address(1)), friend)
        bench.accept(command, friend)
        #expect(bench.status(HCI.LEClearFilterAcceptList(), friend) == .commandDisallowed)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveConnection(friend)?.peerAddress == address(1))
        #expect(bench.receiveConnection(advertiser)?.peerAddress == address(2))
    }

    @Test func tenLinksLiveAndOneDies() throws {
        let bench = Bench(.init(), .extended)
        let central = bench.add(1)
        let links = try (2...11 as ClosedRange<UInt64>).map { number in
            try bench.connectExtended(central, bench.add(number), number: number)
        }
        #expect(Set(links.map(\.centralHandle)).count == 10)
        bench.air.removeController(links[4].peripheral)
        for round in 0..<20 as Range<UInt8> {
            for (index, link) in links.enumerated() where index != 4 {
                bench.sendData(link.peripheral, link.peripheralHandle, [round, UInt8(index)])
            }
            bench.run(milliseconds: 100)
        }
        let (_, event) = try #require(bench.receiveDisconnection(central))
        #expect(event.handle == links[4].centralHandle && event.reason == .connectionTimeout)
        #expect(bench.receiveDisconnection(central) == nil)
        let data = bench.receiveData(central).map(\.data)
        for (index, link) in links.enumerated() where index != 4 {
            #expect(
                data.filter { $0.handle == link.centralHandle }.map(\.payload)
                    == (0..<20).map { [$0, UInt8(index)] })
        }
    }

    @Test func resetForgetsSetsScansAndChannels() throws {
        let bench = Bench(.init(), .extended)
        let (id, peer) = (bench.add(1), bench.add(2))
        bench.accept(Bench.set(1), id)
        bench.accept(Bench.enable(1, duration: 10), id)
        bench.scanExtended(id, duration: 10)
        bench.accept(HCI.LESetDefaultPHY(tx: .leCoded, rx: .leCoded), id)
        bench.accept(HCI.LESetHostChannelClassification(channels: .init(rawValue: 0xFF)), id)
        bench.accept(Bench.extendedConnection(to: address(9)), id)
        bench.start(id)
        bench.run(milliseconds: 1000)
        #expect(bench.isSilent && bench.air.nextDeadline == nil)
        #expect(bench.status(Bench.enable(1), id) == .unknownAdvertisingIdentifier)
        let link = try bench.connectExtended(id, peer, number: 2)
        #expect(try bench.ask(HCI.LEReadChannelMap(handle: link.centralHandle), id).channels == .all)
        bench.accept(HCI.LESetHostChannelClassification(channels: .init(rawValue: 0xF0)), id)
        #expect(
            try bench.ask(HCI.LEReadChannelMap(handle: link.peripheralHandle), peer).channels
                == .init(rawValue: 0xF0))
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite struct ProcedureTests {
    static func update(_ handle: ConnectionHandle, interval: UInt32 = 60, latency: UInt16 = 0)
        -> HCI.LEConnectionUpdate
    {
        HCI.LEConnectionUpdate(
            handle: handle, intervalMin: .init(milliseconds: 20), intervalMax: .init(milliseconds: interval),
            maxLatency: latency, supervisionTimeout: .init(milliseconds: 3000), minCELength: 0, maxCELength: 0
        )
    }

    private func receiveUpdate(_ bench: Bench, _ id: ID) -> HCI.LEConnectionUpdateComplete? {
        bench.receive(id) { event -> HCI.LEConnectionUpdateComplete? in
            guard case .connectionUpdateComplete(let event) = event else { return nil }
            return event
        }?.value
    }

    private func receiveRequest(_ bench: Bench, _ id: ID) -> HCI.LERemoteConnectionParameterRequest? {
        bench.receive(id) { event -> HCI.LERemoteConnectionParameterRequest? in
            guard case .remoteConnectionParameterRequest(let event) = event else { return nil }
            return event
        }?.value
    }

    @Test func theCentralChangesTheIntervalForBoth() throws {
        let bench = Bench()
        let link = try bench.pair(interval: 30)
        bench.accept(Self.update(link.centralHandle), link.central)
        #expect(bench.status(Self.update(link.centralHandle), link.central) != nil)
        bench.run(milliseconds: 400)
        for id in [link.central, link.peripheral] {
            let event = try #require(receiveUpdate(bench, id))
            #expect(event.status == .success && event.interval == ConnectionInterval(milliseconds: 60))
            #expect(event.supervisionTimeout == SupervisionTimeout(milliseconds: 3000))
        }
        for _ in 0..<5 {
            bench.sendData(link.peripheral, link.peripheralHandle, [1])
            bench.run(milliseconds: 60)
        }
        let moments = bench.receiveData(link.central).map(\.moment)
        #expect(zip(moments.dropFirst(), moments).allSatisfy { $0.microseconds(since: $1) == 60_000 })
        #expect(moments.count == 5)
    }

    @Test func aPeripheralAsksAndTheCentralsHostDecides() throws {
        let bench = Bench()
        let link = try bench.pair(interval: 30)
        bench.accept(Self.update(link.peripheralHandle), link.peripheral)
        bench.run(milliseconds: 100)
        let request = try #require(receiveRequest(bench, link.central))
        #expect(request.intervalMax == ConnectionInterval(milliseconds: 60))
        #expect(receiveUpdate(bench, link.peripheral) == nil)
        bench.accept(
            HCI.LERemoteConnectionParameterRequestReply(
                handle: link.centralHandle, intervalMin: request.intervalMin,
                intervalMax: request.intervalMax,
                maxLatency: request.maxLatency, supervisionTimeout: request.supervisionTimeout,
                minCELength: 0,
                maxCELength: 0), link.central)
        bench.run(milliseconds: 400)
        #expect(receiveUpdate(bench, link.central)?.interval == ConnectionInterval(milliseconds: 60))
        #expect(receiveUpdate(bench, link.peripheral)?.status == .success)

        bench.accept(Self.update(link.peripheralHandle, interval: 100), link.peripheral)
        bench.run(milliseconds: 200)
        #expect(receiveRequest(bench, link.central) != nil)
        bench.accept(
            HCI.LERemoteConnectionParameterRequestNegativeReply(
                handle: link.centralHandle, reason: .unacceptableConnectionParameters), link.central)
        bench.run(milliseconds: 200)
        let refused = try #require(receiveUpdate(bench, link.peripheral))
        #expect(refused.status == .unacceptableConnectionParameters)
        #expect(refused.interval == ConnectionInterval(milliseconds: 60))
    }

    @Test func aCentralThatDoesNotWantToBeAskedRefuses() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.accept(HCI.LESetEventMask(mask: .initial), link.central)
        bench.accept(Self.update(link.peripheralHandle), link.peripheral)
        bench.run(milliseconds: 200)
        #expect(receiveUpdate(bench, link.peripheral)?.status == .unsupportedRemoteFeature)
        #expect(receiveRequest(bench, link.central) == nil)
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func anAnswerToNoRequestIsDisallowed() throws {
        let bench = Bench()
        let link = try bench.pair()
        let command = HCI.LERemoteConnectionParameterRequestNegativeReply(
            handle: link.centralHandle, reason: .unacceptableConnectionParameters)
        #expect(bench.status(command, link.central) == .commandDisallowed)
    }

    @Test func eachSideLearnsThePeersFeaturesAndVersion() throws {
        let bench = Bench()
        let link = try bench.pair()
        let local = try bench.ask(HCI.LEReadLocalSupportedFeatures(), link.central).features
        for (id, handle) in [(link.central, link.centralHandle), (link.peripheral, link.peripheralHandle)] {
            bench.accept(HCI.LEReadRemoteFeatures(handle: handle), id)
            bench.accept(HCI.ReadRemoteVersionInformation(handle: handle), id)
            bench.run(milliseconds: 150)
            let features = bench.receive(id) { event -> HCI.LEFeatures? in
                guard case .readRemoteFeaturesComplete(let event) = event else { return nil }
                return event.features
            }
            #expect(features?.value == local)
            let version = bench.receive(id) { event -> UInt8? in
                guard case .readRemoteVersionInformationComplete(let event) = event else { return nil }
                return event.version
            }
            #expect(version?.value == 8)
        }
    }

    @Test func aHostCannotFloodItsController() throws {
        let bench = Bench()
        let link = try bench.pair()
        let statuses = (0..<20).map { _ in
            bench.status(HCI.LEReadRemoteFeatures(handle: link.centralHandle), link.central)
        }
        #expect(statuses.filter { $0 == .success }.count == 8)
        #expect(statuses.last == .commandDisallowed)
    }

    @Test func strengthOfALinkCanBeRead() throws {
        let bench = Bench()
        let link = try bench.pair()
        #expect(try bench.ask(HCI.ReadRSSI(handle: link.centralHandle), link.central).rssi == -40)
        bench.air.move(link.peripheral, to: .init(x: 10))
        #expect(try bench.ask(HCI.ReadRSSI(handle: link.centralHandle), link.central).rssi == -60)
        bench.air.removeController(link.peripheral)
        #expect(try bench.ask(HCI.ReadRSSI(handle: link.centralHandle), link.central).rssi == nil)
    }
}

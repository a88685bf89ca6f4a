// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import HubModel
import Testing

@Suite("Devices around, and to which of them there are links")
struct DeviceLinksTests {
    /// Devices of which the first four are FlockFinders and the others are not known to be anything.
    private struct Bench {
        var links = LinkTable(limit: 2)
        let now = Moment.beginning.time

        init(_ count: Int = 6) throws {
            for number in 1...count {
                let kind = number <= 4 ? "flockfinder" : "other"
                let text =
                    "[{\"address\":\"\(Self.address(number))\",\"kind\":\"\(kind)\",\"auto_connect\":false}]"
                let id = links.devices.know(try #require(KnownDevice.list(text).first), at: now)
                #expect(id == number)
                links.devices.setKnown(id, false)
            }
        }

        static func address(_ number: Int) -> String { "C0:00:00:00:00:0\(number)/R" }

        func device(_ id: Int) throws -> HubDevice { try #require(links.devices.device(id)) }

        func knows(_ id: Int) throws -> Bool { links.devices.knows(try device(id).peer) }

        mutating func hear(_ id: Int, isReachable: Bool = true) throws -> Bool {
            links.connectByItself(try device(id), isReachable: isReachable) != nil
        }

        mutating func connect(_ id: Int, _ obstacle: String? = nil) throws(HubError) -> Bool {
            try links.connect(id, obstacle: obstacle) != nil
        }

        func job(on id: Int, _ kind: DeviceJob.Kind = .explorer) throws -> DeviceJob {
            DeviceJob(id: 1, kind, with: try device(id), begun: now, lease: 30)
        }
    }

    private static let isFull = HubError.notNow(
        "All 2 connections are in use. Disconnect another device first.")
    private static let isBusy = HubError.notNow(
        "Another page is busy with this device. Wait until it has done, or go on there.")
    private static let noFlockFinder = HubError.notNow(
        "This is not a FlockFinder. Only those are connected here; use the page of the device's own kind.")

    // MARK: By itself

    @Test func aNewFlockFinderIsConnectedOnce() throws {
        var bench = try Bench()
        #expect(try bench.hear(1, isReachable: false) == false)
        #expect(try bench.hear(1))
        #expect(try bench.device(1).link == .connecting && bench.links.count == 1)
        #expect(try bench.hear(1) == false)
        #expect(try bench.hear(5) == false)
    }

    @Test func whatSomebodyHasSaidCounts() throws {
        var bench = try Bench()
        try bench.links.change(1, DeviceChange(ownName: "Car", connectsByItself: false))
        #expect(try bench.hear(1) == false)
        try bench.links.change(1, DeviceChange(connectsByItself: true))
        #expect(try bench.hear(1))
        #expect(try bench.device(1).ownName == "Car")
    }

    @Test func noMoreAreConnectedThanThereIsRoomFor() throws {
        var bench = try Bench()
        #expect(try bench.hear(1))
        _ = try bench.links.beginJob(5, obstacle: nil)
        #expect(bench.links.count == 2)
        #expect(try bench.hear(2) == false)
        #expect(throws: Self.isFull) { try bench.connect(2) }
        #expect(throws: Self.isFull) { try bench.links.beginJob(6, obstacle: nil) }
        bench.links.endJob(try bench.job(on: 5))
        #expect(try bench.hear(2))
    }

    @Test func whoIsDisconnectedIsLeftAloneUntilSomebodyConnectsIt() throws {
        var bench = try Bench()
        #expect(try bench.hear(1))
        try bench.links.disconnect(1)
        #expect(bench.links.count == 0)
        #expect(try bench.hear(1) == false)
        #expect(try bench.connect(1))
        #expect(try bench.connect(1) == false)
        try bench.links.disconnect(1)
        try bench.links.change(1, DeviceChange(connectsByItself: true))
        #expect(try bench.hear(1))
        try bench.links.disconnect(1)
        _ = try bench.links.add(try #require(DeviceAddress(Bench.address(1))), ownName: nil, at: bench.now)
        #expect(try bench.hear(1))
    }

    // MARK: What people want and cannot have

    @Test func whatCannotBeConnectedSaysWhy() throws {
        var bench = try Bench()
        #expect(throws: HubError.noDevice) { try bench.connect(99) }
        #expect(throws: HubError.noDevice) { try bench.links.disconnect(99) }
        #expect(throws: HubError.noDevice) {
            try bench.links.change(99, DeviceChange())
        }
        #expect(throws: HubError.noDevice) { try bench.links.beginJob(99, obstacle: nil) }
        #expect(throws: Self.noFlockFinder) { try bench.connect(5) }
        #expect(throws: Self.noFlockFinder) {
            try bench.links.change(5, DeviceChange(connectsByItself: true))
        }
        #expect(throws: HubError.notNow("No radio.")) { try bench.connect(1, "No radio.") }
        #expect(throws: HubError.notNow("No radio.")) {
            try bench.links.beginJob(1, obstacle: "No radio.")
        }
        _ = try bench.links.beginJob(1, obstacle: nil)
        #expect(throws: Self.isBusy) { try bench.connect(1) }
        #expect(throws: Self.isBusy) { try bench.links.beginJob(1, obstacle: nil) }
        #expect(bench.links.count == 1)
        #expect(try bench.connect(2))
        // One that is connected needs no room and no radio.
        #expect(try bench.connect(2, "No radio.") == false)
        #expect(throws: HubError.notNow("This device is connected already. Disconnect it first.")) {
            try bench.links.beginJob(2, obstacle: nil)
        }
    }

    @Test func namesAndMemoryHaveBounds() throws {
        var bench = try Bench()
        let long = String(repeating: "x", count: 101)
        let tooLong = HubError.badValue("A name has at most 100 octets.")
        #expect(throws: tooLong) { try bench.links.change(1, DeviceChange(ownName: long)) }
        let address = try #require(DeviceAddress("D0:00:00:00:00:00/R"))
        #expect(throws: tooLong) { try bench.links.add(address, ownName: long, at: bench.now) }
        for number in 0..<KnownDevice.limit {
            let peer = Peer(BluetoothAddress(UInt64(0xD000_0000_0001 + number), kind: .random))
            _ = try bench.links.add(DeviceAddress(peer), ownName: nil, at: bench.now)
        }
        let isFull = HubError.badValue("No more than 200 devices are remembered.")
        #expect(throws: isFull) { try bench.links.add(address, ownName: nil, at: bench.now) }
        #expect(throws: isFull) { try bench.links.change(1, DeviceChange(ownName: "Car")) }
        #expect(bench.links.prove(2, isFlockFinder: true) == LinkTable.Proof())
        #expect(try bench.knows(2) == false)
        // One that is remembered may get another name.
        try bench.links.change(7, DeviceChange(ownName: "Car"))
        #expect(try bench.device(7).ownName == "Car")
    }

    @Test func whoHasNothingToBeRememberedForIsNot() throws {
        var bench = try Bench()
        try bench.links.change(5, DeviceChange(ownName: "Lamp"))
        #expect(try bench.knows(5))
        try bench.links.change(5, DeviceChange(ownName: ""))
        #expect(try bench.knows(5) == false && bench.device(5).ownName == nil)
        // An address at which nothing was ever heard, and a FlockFinder that has said its name.
        try bench.links.change(1, DeviceChange(connectsByItself: false))
        #expect(try bench.knows(1) == false)
        bench.links.devices.update(1) { $0.name = "FlockFinder-S3" }
        try bench.links.change(1, DeviceChange(connectsByItself: false))
        #expect(try bench.knows(1))
    }

    @Test func anAddressThatIsAddedIsTakenForAFlockFinder() throws {
        var bench = try Bench()
        let address = try #require(DeviceAddress("D0:00:00:00:00:00"))
        let id = try bench.links.add(address, ownName: "Car", at: bench.now)
        #expect(try bench.device(id).kind == .flockFinder && bench.device(id).connectsByItself)
        #expect(try bench.knows(id) && bench.device(id).ownName == "Car")
        bench.links.devices.prove(6, is: .bulb)
        let bulb = try bench.links.add(
            try #require(DeviceAddress(Bench.address(6))), ownName: "", at: bench.now)
        #expect(try bulb == 6 && bench.device(6).kind == .bulb && !bench.device(6).connectsByItself)
    }

    // MARK: What devices show to be

    @Test func aFlockFinderThatIsNewIsRemembered() throws {
        var bench = try Bench()
        #expect(try bench.hear(1))
        #expect(bench.links.prove(1, isFlockFinder: true) == LinkTable.Proof(isRememberedAnew: true))
        #expect(try bench.device(1).connectsByItself && bench.knows(1))
        #expect(bench.links.prove(1, isFlockFinder: true) == LinkTable.Proof())
        // What somebody has said stays.
        try bench.links.change(1, DeviceChange(ownName: "Car", connectsByItself: false))
        #expect(bench.links.prove(1, isFlockFinder: true) == LinkTable.Proof())
        #expect(try bench.device(1).connectsByItself == false)
    }

    @Test func whatIsNoFlockFinderIsLeft() throws {
        var bench = try Bench()
        #expect(try bench.hear(1))
        #expect(bench.links.prove(1, isFlockFinder: false) == LinkTable.Proof(isToEnd: true))
        #expect(try bench.links.count == 0 && bench.device(1).kind == .other)
        _ = try bench.links.add(try #require(DeviceAddress(Bench.address(2))), ownName: nil, at: bench.now)
        #expect(try bench.hear(2))
        let proof = bench.links.prove(2, isFlockFinder: false)
        #expect(proof == LinkTable.Proof(isRememberedAnew: true, isToEnd: true))
        #expect(bench.links.prove(99, isFlockFinder: false) == LinkTable.Proof(isToEnd: true))
        #expect(bench.links.prove(99, isFlockFinder: true) == LinkTable.Proof())
    }

    // MARK: Choosing in a browser

    @Test func aChosenFlockFinderIsConnectedAndStays() throws {
        var bench = try Bench()
        let peer = try bench.device(1).peer
        #expect(bench.links.permit(peer, isByPerson: false) == nil)
        #expect(try bench.knows(1))
        #expect(bench.links.permit(peer, isByPerson: true)?.id == 1)
        #expect(try bench.device(1).connectsByItself)
        #expect(bench.links.permit(peer, isByPerson: true) == nil)
        #expect(bench.links.permit(Peer(BluetoothAddress(9, kind: .public)), isByPerson: true) == nil)
        let other = try bench.device(5).peer
        #expect(bench.links.permit(other, isByPerson: true) == nil)
        try bench.links.change(5, DeviceChange(ownName: ""))
        #expect(try bench.knows(5))
    }

    @Test func whatTheBrowserTakesBackIsLeftAlone() throws {
        var bench = try Bench()
        let peer = try bench.device(1).peer
        #expect(bench.links.permit(peer, isByPerson: true) != nil)
        #expect(bench.links.withdraw(peer) == 1)
        #expect(try bench.links.count == 0 && !bench.device(1).connectsByItself)
        // An earlier visit's permission is not the will of a person.
        #expect(bench.links.permit(peer, isByPerson: false) == nil)
        #expect(bench.links.permit(peer, isByPerson: true) != nil)
        #expect(bench.links.withdraw(Peer(BluetoothAddress(9, kind: .public))) == nil)
    }

    // MARK: Jobs

    @Test(arguments: [
        (DeviceJob.Kind.wifi, HubDevice.Kind.wifiSet), (.bulb, .bulb), (.nightlight, .other),
        (.explorer, .other),
    ])
    func aJobShowsHowTheDeviceIs(_ kind: DeviceJob.Kind, _ proven: HubDevice.Kind) throws {
        var bench = try Bench()
        bench.links.devices.update(5) { ($0.reason, $0.nextTry) = ("Out of reach.", bench.now) }
        #expect(try bench.links.beginJob(5, obstacle: nil).id == 5)
        #expect(try bench.device(5).link == .connecting && bench.device(5).reason == nil)
        #expect(bench.links.isBusy(5) && !bench.links.isBusy(1))
        bench.links.devices.update(5) { $0.name = "Lamp" }
        var job = try bench.job(on: 5, kind)
        bench.links.devices.update(5) { $0.name = nil }
        bench.links.openJob(job, at: bench.now)
        let open = try bench.device(5)
        #expect(open.link == .connected && open.connectedSince == bench.now && open.lastHeard == bench.now)
        #expect(open.kind == proven && open.name == "Lamp")
        job.phase = .ended
        bench.links.endJob(job)
        #expect(try bench.device(5).link == .none && bench.device(5).connectedSince == nil)
        #expect(!bench.links.isBusy(5) && bench.links.count == 0)
    }

    @Test func whoIsAboutToEndBeginsNothing() throws {
        var bench = try Bench()
        bench.links.close()
        #expect(try bench.hear(1) == false)
        #expect(try bench.connect(1) == false)
        #expect(throws: HubError.notNow("The hub is about to stop.")) {
            try bench.links.beginJob(1, obstacle: nil)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import CompanionText
import Improv
import ImprovSimulated
import LEDBulb
import SessionTesting
import Testing
import WiFiSetSimulated

@Suite("The protocols by which a device gets its Wi-Fi")
struct WiFiProtocolTests {
    @Test func anImprovDeviceShowsItselfAndSaysWhereToGoOn() throws {
        let bench = ImprovBench()
        let ready = bench.setup
        #expect(ready.protocolName == "Improv" && ready.canIdentify && ready.lists == 1)
        // One that says what it is is not connected to twice.
        #expect(bench.links == 1 && bench.job.job.name == "Lantern Improv")
        try bench.identify()
        bench.run(seconds: 2)
        #expect(bench.setup.identified != nil)
        try bench.list()
        bench.run(seconds: 4)
        #expect(bench.setup.lists == 2)
        try bench.send("Lantern Home", "lantern-home", .wpa2)
        #expect(bench.isUnderWay)
        bench.run(seconds: 5)
        let joined = bench.setup
        #expect(joined.attempt?.step == .joined && joined.status?.state.url == "http://192.168.1.109/")
        #expect(joined.attempt?.accepted != nil && joined.attempt?.joining != nil && !bench.isUnderWay)
    }

    @Test func anImprovDeviceSaysThatAPasswordIsWrong() throws {
        let bench = ImprovBench()
        try bench.send("Lantern Home", "wrong-password", .wpa2)
        bench.run(seconds: 5)
        #expect(bench.setup.attempt?.step == .failed && bench.phase == .open)
        #expect(bench.setup.attempt?.failure?.hasPrefix("The device says “connection failed”") == true)
        try bench.send("Lantern Home", "lantern-home", .wpa2)
        bench.run(seconds: 5)
        #expect(bench.setup.attempt?.step == .joined && bench.setup.attempt?.number == 2)
    }

    @Test func anImprovDeviceThatWantsItsButtonPressedIsWaitedFor() throws {
        let bench = ImprovBench(needsAuthorization: true)
        try bench.send("Lantern Home", "lantern-home", .wpa2)
        #expect(bench.setup.attempt?.step == .button && bench.isUnderWay)
        #expect(bench.setup.answers.map(\.text).contains("wants its button pressed"))
        bench.run(seconds: 61)
        #expect(
            bench.setup.attempt?.failure
                == "Nobody has pressed the device's button: press it, then try again.")
        try bench.send("Lantern Home", "lantern-home", .wpa2)
        bench.run(seconds: 1)
        bench.pair.updateDevice { device, now in device.press(at: now) }
        bench.run(seconds: 5)
        #expect(bench.setup.attempt?.step == .joined)
    }

    // MARK: The second protocol

    @Test func aDeviceThatDoesNotSayThatItIsImprovIsConnectedToOnceMore() throws {
        let bench = ImprovBench(services: [])
        #expect(bench.links == 2 && bench.phases == [.open])
        #expect(bench.setup.protocolName == "Improv" && bench.setup.lists == 1)
        try bench.send("Lantern Home", "lantern-home", .wpa2)
        bench.run(seconds: 5)
        #expect(bench.setup.attempt?.step == .joined && bench.links == 2)
    }

    @Test func aDeviceThatSaysThatItIsImprovAndIsNotIsConnectedToOnceMore() throws {
        let bench = WiFiSetBench(services: [ImprovUUID.service])
        #expect(bench.links == 2 && bench.phases == [.open])
        #expect(bench.setup.protocolName == "WiFiSet" && bench.setup.lists == 1)
        try bench.send("Lantern Home", "lantern-home", .wpa2)
        bench.run(seconds: 3)
        #expect(bench.setup.attempt?.step == .joined)
    }

    @Test(arguments: [[], [ImprovUUID.service]] as [[BluetoothUUID]])
    func whatIsNeitherIsConnectedToOnceAndNotWrittenTo(_ services: [BluetoothUUID]) {
        let bench = JobBench(WiFiJob.begun(services), LEDBulbDevice(.triones))
        bench.start()
        #expect(bench.phases == [.ended] && bench.reason == JobText.wrongDevice)
        #expect(bench.pair.deviceEvents.count { if case .connected = $0 { true } else { false } } == 1)
        #expect(bench.writes.isEmpty && bench.setup.protocolName == nil)
    }

    @Test func whatCannotBeUsedByEitherIsConnectedToTwiceAtMost() {
        let bench = JobBench(
            WiFiJob.begun(),
            ImprovDevice(
                station: SimulatedImprovStation(SimulatedWiFiStation()), info: SimulatedImprov.info))
        // It has what Improv wants, but cannot do with it what it should.
        bench.pair.services = { services in
            services.map { service in
                var service = service
                for index in service.characteristics.indices {
                    service.characteristics[index].properties = .read
                }
                return service
            }
        }
        bench.start()
        bench.run(seconds: 60)
        #expect(bench.links == 2 && bench.phases == [.ended] && bench.reason == JobText.wrongDevice)
        #expect(bench.writes.isEmpty)
    }

    @Test func aLinkThatIsLostBeforeItIsKnownIsNotOpenedOnceMore() {
        let bench = WiFiSetBench(isStarted: false)
        bench.pair.discoveryMilliseconds = 1000
        bench.start()
        bench.pair.loseLink()
        bench.run(seconds: 5)
        #expect(bench.links == 1 && bench.phases == [.ended])
        #expect(bench.reason == "The link to the device was lost. Bring it near and try again.")
    }

    @Test func aDeviceThatIsNotHeardTheSecondTimeIsSaidToBeSo() {
        let bench = JobBench(
            WiFiJob.begun(),
            ImprovDevice(
                station: SimulatedImprovStation(SimulatedWiFiStation()), info: SimulatedImprov.info))
        bench.pair.services = { [unowned pair = bench.pair] services in
            // It is gone after the first link.
            pair.isThere = false
            return services
        }
        bench.start()
        bench.pair.run(milliseconds: 9999)
        #expect(bench.phase == .connecting && bench.links == 1)
        bench.pair.run(milliseconds: 1)
        #expect(bench.phases == [.ended] && bench.reason == JobText.notHeard)
    }
}

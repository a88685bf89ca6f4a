// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import CompanionText
import SessionTesting
import Testing
import WiFiSet
import WiFiSetSimulated

@Suite("Wi-Fi set-up for a page")
struct WiFiJobTests {
    @Test func atTheBeginningItListsWhatTheDeviceHears() {
        let bench = WiFiSetBench(isStarted: false)
        bench.start()
        #expect(bench.phase == .open && bench.setup.isListing && bench.setup.lists == 0)
        bench.run(seconds: 2)
        let setup = bench.setup
        #expect(setup.protocolName == "WiFiSet" && setup.mtu == 247 && !setup.canIdentify)
        #expect(setup.lists == 1 && !setup.isListing && setup.attempt == nil && setup.listFailure == nil)
        #expect(setup.job == bench.job.job && bench.links == 1)
        let first = bench.networks.first
        #expect(first?.network.ssid == "Lantern Home" && first?.accessPoints == 2)
        #expect(first?.words == "WPA2, 2 access points" && bench.hiddenCount == 1)
    }

    @Test func whileItListsItIsNotAskedAgain() throws {
        let bench = WiFiSetBench()
        try bench.list()
        try bench.list()
        #expect(bench.setup.isListing)
        bench.run(seconds: 2)
        #expect(bench.setup.lists == 2 && bench.listings == 2 && !bench.setup.isListing)
    }

    @Test func aWrongPasswordThenTheRightOneOnTheSameLink() throws {
        let bench = WiFiSetBench()
        try bench.send("Lantern Home", "wrong-password", .wpa2)
        #expect(bench.isUnderWay)
        bench.run(seconds: 3)
        let failed = bench.setup
        #expect(failed.attempt?.step == .failed && !bench.isUnderWay)
        #expect(
            failed.attempt?.failure
                == "The device says “connection failed” after 2 seconds. With this signal it is most often the password."
        )
        let said = failed.answers.map(\.text)
        #expect(said.contains("accepted, kept as a candidate (0x00)"))
        #expect(said.contains { $0.hasPrefix("connecting") } && said.contains("connection failed (0x04)"))

        try bench.send("Lantern Home", "lantern-home", .wpa2)
        bench.run(seconds: 3)
        let joined = bench.setup
        let attempt = try #require(joined.attempt)
        #expect(attempt.step == .joined && attempt.number == 2 && attempt.failure == nil)
        #expect(attempt.security == .wpa2 && attempt.heardRSSI == -48)
        let moments = [attempt.begun, attempt.sent, attempt.accepted, attempt.joining, attempt.ended]
            .compactMap { $0 }
        #expect(moments.count == 5 && moments == moments.sorted())
        #expect(joined.status?.state.ip == "192.168.1.109" && joined.status?.state.rssi == -48)
        #expect(bench.links == 1)
        bench.end()
        #expect(bench.phases == [.open, .ended] && bench.reason == nil)
        #expect(bench.setup.attempt?.step == .joined && bench.setup.job.phase == .ended)
    }

    @Test func aDeviceThatHadANetworkGoesBackToIt() throws {
        let bench = WiFiSetBench()
        // One that hides its name, and is not in the list.
        try bench.send("Garage", "hidden-garage")
        bench.run(seconds: 3)
        #expect(bench.setup.attempt?.step == .joined && bench.setup.attempt?.heardRSSI == nil)
        try bench.send("Lantern Home", "wrong-password", .wpa2)
        bench.run(seconds: 40)
        #expect(bench.setup.attempt?.step == .failed)
        #expect(
            bench.setup.attempt?.fallback
                == "The device went back to “Garage”, the last network that worked.")
    }

    @Test(
        arguments: [
            ("Lantern Home", "short", "A Wi-Fi password has at least 8 characters; this one has 5."),
            ("Lantern Home", "", "This network needs a password."),
            (
                "Office", "irrelevant",
                "This network wants a user name as well, which cannot be sent: choose another network."
            ),
            ("", "12345678", "Say which network: its name is empty."),
            ("Old Printer", "1234", "A WEP key has 5 or 13 characters; this one has 4."),
            ("Corner Café", "12345678", "This network is open: join it without a password."),
        ] as [(WireText, WireText, String)])
    func whatCannotWorkIsRefusedBeforeItIsSent(_ ssid: WireText, _ password: WireText, _ words: String) {
        let bench = WiFiSetBench()
        #expect(throws: HubError.badValue(words)) { try bench.send(ssid, password) }
        #expect(bench.setup.attempt == nil && bench.writes.isEmpty && !bench.isUnderWay)
    }

    @Test func thereIsOneTryAtATime() throws {
        let bench = WiFiSetBench()
        try bench.send("Far Away", "whatever-it-is", .wpa2)
        #expect(
            throws: HubError.notNow(
                "The device is still trying the last network. Wait until it has done.")
        ) { try bench.send("Lantern Home", "lantern-home", .wpa2) }
        #expect(bench.setup.attempt?.ssid == "Far Away")
        // No page is there any more: what is under way is done first.
        bench.pair.run(seconds: 34)
        let failure = bench.setup.attempt?.failure
        #expect(failure?.contains("after 30 seconds") == true)
        #expect(failure?.contains("faintly (−91 dBm)") == true)
        #expect(bench.phase == .ended && bench.reason == JobText.pageGone)
    }

    @Test(arguments: ["lantern home", "Lantern Home ", "Lantern\u{A0}Home"] as [WireText])
    func aNameThatLooksLikeOneThatIsHeardIsNamed(_ ssid: WireText) throws {
        let bench = WiFiSetBench()
        try bench.send(ssid, "lantern-home", .wpa2)
        #expect(bench.setup.attempt?.alike == "Lantern Home" && bench.setup.attempt?.heardRSSI == nil)
        bench.run(seconds: 10)
        #expect(bench.setup.attempt?.step == .failed)
        #expect(
            bench.setup.attempt?.failure?.contains("It hears “Lantern Home”, which looks alike") == true)
    }

    @Test func aNameThatIsHeardIsLikeNoOther() throws {
        let bench = WiFiSetBench()
        try bench.send("Lantern Home", "lantern-home", .wpa2)
        #expect(bench.setup.attempt?.alike == nil && bench.setup.attempt?.heardRSSI == -48)
    }

    @Test func aDeviceThatCannotKeepThePasswordSaysSo() throws {
        let bench = WiFiSetBench([
            .init(
                WiFiNetwork(ssid: "Full", rssi: -50, security: .wpa2, channel: 1), password: nil,
                fault: .storage)
        ])
        try bench.send("Full", "12345678", .wpa2)
        bench.run(seconds: 3)
        #expect(bench.setup.attempt?.step == .failed)
        #expect(
            bench.setup.attempt?.failure?.hasPrefix("The device could not keep the credentials") == true)
        #expect(bench.setup.answers.map(\.text).contains("refused: cannot keep it (0x03)"))
    }

    @Test func aDeviceThatHasNoLightDoesNotShowItself() {
        let bench = WiFiSetBench()
        #expect(
            throws: HubError.notNow("This device has no light or sound by which it could show itself.")
        ) { try bench.identify() }
    }

    @Test func withoutALinkNothingIsAskedOfIt() {
        let gone = HubError.notNow("The device is not connected. Wait a moment, or start again.")
        let bench = WiFiSetBench(isStarted: false)
        #expect(throws: gone) { try bench.send("Lantern Home", "lantern-home") }
        bench.start()
        bench.end()
        #expect(throws: gone) { try bench.list() }
        #expect(throws: gone) { try bench.send("Lantern Home", "lantern-home") }
        #expect(bench.setup.attempt == nil && !bench.setup.isListing)
    }

    @Test func aDeviceThatGoesAwayInTheMiddleEndsIt() throws {
        let bench = WiFiSetBench()
        try bench.send("Far Away", "whatever-it-is", .wpa2)
        bench.run(seconds: 1)
        #expect(bench.setup.attempt?.step == .joining)
        bench.pair.loseLink()
        #expect(bench.phases == [.open, .ended])
        #expect(bench.reason == "The link to the device was lost. Bring it near and try again.")
        let attempt = try #require(bench.setup.attempt)
        #expect(attempt.step == .failed && attempt.isUncertain && attempt.ended != nil)
        #expect(attempt.failure?.hasPrefix("The link") == true && !bench.isUnderWay)
        #expect(throws: HubError.self) { try bench.list() }
    }

    @Test func whoeverEndsItInTheMiddleLeavesTheTryOpen() throws {
        let bench = WiFiSetBench()
        try bench.send("Far Away", "whatever-it-is", .wpa2)
        bench.run(seconds: 1)
        bench.end()
        #expect(bench.phase == .ended && bench.reason == nil)
        #expect(bench.setup.attempt?.step == .failed && bench.setup.attempt?.isUncertain == true)
    }

    @Test func nothingThatIsToldHoldsThePassword() throws {
        let bench = WiFiSetBench()
        for password in ["quartz-heron-59", "lantern-home"] as [WireText] {
            try bench.send("Lantern Home", password, .wpa2)
            bench.run(seconds: 3)
            #expect(bench.setup.attempt?.step.isOver == true)
        }
        bench.end()
        // Neither what pages get nor what is kept for those that come.
        var kept = bench.told
        dump(bench.setup, to: &kept)
        #expect(kept.contains(#""step":"joined""#) && kept.contains(#""step":"failed""#))
        for password in ["quartz-heron-59", "lantern-home", "717561727a", "6c616e7465726e2d686f6d65"] {
            #expect(!kept.contains(password))
        }
    }
}

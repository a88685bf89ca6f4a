// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Companion
import CompanionCore
import CompanionDevices
import CompanionHub
import CompanionText
import Improv
import ImprovSimulated
import Testing
import WiFiSet
import WiFiSetSimulated

@Suite("Wi-Fi set-up for a page, on the air", .manualTime, .timeLimit(.minutes(5)))
struct HostedWiFiTests {
    /// A set-up that has begun.
    private struct Bench {
        let base: JobBench<WiFiJob>

        var air: VirtualRadio { base.air }
        var controllers: [VirtualAir.ControllerID] { base.controllers }
        var job: JobHandle<WiFiJob> { base.job }
        var feed: EventFeed { base.feed }

        func until(_ isWanted: (WiFiSetup) -> Bool) async throws -> WiFiSetup {
            try await base.until({ try await $0.shown }, isWanted)
        }
    }

    private func bench(
        _ address: BluetoothAddress = SimulatedWiFiSet.address, services: [BluetoothUUID] = [],
        _ device: @escaping @Sendable () -> any SimulatedHost = { SimulatedWiFiSet.make() }
    ) async throws -> Bench {
        let base = try await JobBench(with: address, device) { table, device, moment in
            table.beginWiFi(device, services: services, at: moment)
        }
        return Bench(base: base)
    }

    private func secret(_ ssid: WireText, _ password: WireText) -> WiFiSecret {
        WiFiSecret(ssid: ssid, password: password.octets)
    }

    @Test func aWrongPasswordThenTheRightOneOnTheSameLink() async throws {
        let bench = try await bench()
        let ready = try await bench.until { $0.lists == 1 }
        #expect(ready.protocolName == "WiFiSet" && ready.mtu == 517 && !ready.canIdentify)
        #expect(ready.job.phase == .open && !ready.isListing && ready.attempt == nil)
        let state = try await bench.job.state
        let first = try #require(state.networks.first)
        #expect(first.network.ssid == "Lantern Home" && first.accessPoints == 2)
        #expect(first.words == "WPA2, 2 access points" && state.hiddenCount == 1)

        try await bench.job.send(secret("Lantern Home", "wrong-password"), .wpa2)
        let failed = try await bench.until { $0.attempt?.step == .failed }
        #expect(
            failed.attempt?.failure
                == "The device says “connection failed” after 2 seconds. With this signal it is most often the password."
        )
        let said = failed.answers.map(\.text)
        #expect(said.contains("accepted, kept as a candidate (0x00)"))
        #expect(said.contains { $0.hasPrefix("connecting") } && said.contains("connection failed (0x04)"))

        try await bench.job.send(secret("Lantern Home", "lantern-home"), .wpa2)
        let joined = try await bench.until { $0.attempt?.step == .joined }
        let attempt = try #require(joined.attempt)
        #expect(attempt.number == 2 && attempt.failure == nil && attempt.security == .wpa2)
        let moments = [attempt.begun, attempt.sent, attempt.accepted, attempt.joining, attempt.ended]
        #expect(
            moments.compactMap { $0 }.count == 5
                && moments.compactMap { $0 } == moments.compactMap { $0 }.sorted())
        #expect(joined.status?.state.ip == "192.168.1.109" && joined.status?.state.rssi == -48)
        try await bench.job.end()
        #expect(try await bench.job.shown.job.phase == .ended)
        #expect(try await bench.job.shown.attempt?.step == .joined)
    }

    @Test func aDeviceThatHadANetworkGoesBackToIt() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.lists == 1 }
        // One that hides its name, and is not in the list.
        try await bench.job.send(secret("Garage", "hidden-garage"), nil)
        _ = try await bench.until { $0.attempt?.step == .joined }
        try await bench.job.send(secret("Lantern Home", "wrong-password"), .wpa2)
        let back = try await bench.until { $0.attempt?.fallback?.contains("went back") == true }
        #expect(back.attempt?.fallback == "The device went back to “Garage”, the last network that worked.")
        #expect(back.attempt?.step == .failed)
        try await bench.job.end()
    }

    @Test func whatCannotWorkIsRefusedBeforeItIsSent() async throws {
        let bench = try await bench()
        await #expect(throws: HubError.self) {
            try await bench.job.send(secret("Lantern Home", "12345678"), nil)
        }
        _ = try await bench.until { $0.lists == 1 }
        for (ssid, password, words) in [
            ("Lantern Home", "short", "A Wi-Fi password has at least 8 characters; this one has 5."),
            ("Lantern Home", "", "This network needs a password."),
            (
                "Office", "irrelevant",
                "This network wants a user name as well, which cannot be sent: choose another network."
            ),
            ("", "12345678", "Say which network: its name is empty."),
            ("Old Printer", "1234", "A WEP key has 5 or 13 characters; this one has 4."),
            ("Corner Café", "12345678", "This network is open: join it without a password."),
        ] as [(WireText, WireText, String)] {
            await #expect(throws: HubError.badValue(words)) {
                try await bench.job.send(secret(ssid, password), nil)
            }
        }
        #expect(try await bench.job.shown.attempt == nil)
        await #expect(throws: HubError.self) { try await bench.job.identify() }
        // While one is under way, there is no other.
        try await bench.job.send(secret("Far Away", "whatever-it-is"), .wpa2)
        await #expect(
            throws: HubError.notNow(
                "The device is still trying the last network. Wait until it has done.")
        ) {
            try await bench.job.send(secret("Lantern Home", "lantern-home"), .wpa2)
        }
        let failed = try await bench.until { $0.attempt?.step == .failed }
        #expect(failed.attempt?.failure?.contains("after 30 seconds") == true)
        #expect(failed.attempt?.failure?.contains("faintly (−91 dBm)") == true)
        try await bench.job.end()
    }

    @Test func aDeviceThatGoesAwayInTheMiddleEndsIt() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.lists == 1 }
        // One that is tried for half a minute: what this test does next may take its time on a busy machine.
        try await bench.job.send(secret("Far Away", "whatever-it-is"), .wpa2)
        _ = try await bench.until { $0.attempt?.step == .joining }
        await bench.air.move(bench.controllers[0], to: VirtualAir.Position(x: 100_000))
        let ended = try await bench.until { $0.job.phase == .ended && $0.attempt?.step == .failed }
        #expect(ended.job.reason == "The link to the device was lost. Bring it near and try again.")
        #expect(ended.attempt?.failure?.hasPrefix("The link") == true)
        await #expect(throws: HubError.self) { try await bench.job.list() }
    }

    @Test func aDeviceThatCannotKeepThePasswordSaysSo() async throws {
        let bench = try await bench {
            SimulatedWiFiSet.make(networks: [
                .init(
                    WiFiNetwork(ssid: "Full", rssi: -50, security: .wpa2, channel: 1), password: nil,
                    fault: .storage)
            ])
        }
        _ = try await bench.until { $0.lists == 1 }
        try await bench.job.send(secret("Full", "12345678"), .wpa2)
        let failed = try await bench.until { $0.attempt?.step == .failed }
        #expect(failed.attempt?.failure?.hasPrefix("The device could not keep the credentials") == true)
        #expect(failed.answers.map(\.text).contains("refused: cannot keep it (0x03)"))
        try await bench.job.end()
    }

    @Test func anImprovDeviceShowsItselfAndSaysWhereToGoOn() async throws {
        let bench = try await bench(SimulatedImprov.address, services: [ImprovUUID.service]) {
            SimulatedImprov.make()
        }
        let ready = try await bench.until { $0.lists == 1 }
        #expect(ready.protocolName == "Improv" && ready.canIdentify)
        try await bench.job.identify()
        _ = try await bench.until { $0.identified != nil }
        try await bench.job.list()
        _ = try await bench.until { $0.lists == 2 }
        try await bench.job.send(secret("Lantern Home", "lantern-home"), .wpa2)
        let joined = try await bench.until { $0.attempt?.step == .joined }
        #expect(joined.status?.state.url == "http://192.168.1.109/")
        #expect(joined.attempt?.accepted != nil && joined.attempt?.joining != nil)
        try await bench.job.end()
    }

    @Test func anImprovDeviceThatWantsItsButtonPressedIsWaitedFor() async throws {
        let bench = try await bench(SimulatedImprov.address, services: [ImprovUUID.service]) {
            SimulatedImprov.make(needsAuthorization: true)
        }
        _ = try await bench.until { $0.job.phase == .open }
        try await bench.job.send(secret("Lantern Home", "lantern-home"), .wpa2)
        let waiting = try await bench.until { $0.attempt?.step == .button }
        #expect(waiting.answers.map(\.text).contains("wants its button pressed"))
        let failed = try await bench.until { $0.attempt?.step == .failed }
        #expect(
            failed.attempt?.failure == "Nobody has pressed the device's button: press it, then try again.")
        try await bench.job.end()
    }

    @Test func noEventHoldsThePassword() async throws {
        let bench = try await bench()
        let followed = FollowedEvents(bench.feed)
        _ = try await bench.until { $0.lists == 1 }
        for password in ["quartz-heron-59", "lantern-home"] as [WireText] {
            try await bench.job.send(secret("Lantern Home", password), .wpa2)
            _ = try await bench.until { $0.attempt?.step.isOver == true }
            // It is told ten times a second at most.
            try await ManualTime.pass(milliseconds: 100)
        }
        try await bench.job.end()
        bench.feed.finish()
        await followed.end()
        let told = followed.named("wifi_setup_changed").joined()
        #expect(told.contains(#""step":"joined""#) && told.contains(#""step":"failed""#))
        for password in ["quartz-heron-59", "lantern-home", "717561727a", "6c616e7465726e2d686f6d65"] {
            #expect(!told.contains(password))
        }
    }
}

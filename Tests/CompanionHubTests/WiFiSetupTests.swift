// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionText
import Testing

@testable import CompanionHub

/// What a page is told of a try whose end is not known.
@Suite struct WiFiSetupTests {
    private static let now = Timestamp(milliseconds: 1_000_000)

    private func setup(_ reports: [WiFiReport], password: WiFiPasswordKind = .plain) -> WiFiSetup {
        let peer = Peer(BluetoothAddress(0xC0FF_EE00_0001, kind: .random))
        let device = HubDevice(id: 1, peer: peer)
        var setup = WiFiSetup(DeviceJob(id: 1, .wifi, with: device, begun: Self.now, lease: 30))
        setup.attempt = WiFiAttempt(
            number: 1, ssid: "Home", security: .wpa2, heardRSSI: nil, alike: "home", password: password,
            limit: 30,
            begun: Self.now)
        for report in reports { setup.receive(report, at: Self.now) }
        return setup
    }

    @Test(arguments: [WiFiError.linkLost, .noResult])
    func whatWasSentMayHaveWorked(failure: WiFiError) {
        let attempt = setup([.sent(attempt: 1), .notJoined(failure)]).attempt
        #expect(attempt?.step == .failed && attempt?.isUncertain == true)
        #expect(attempt?.failure?.contains("in the network") == true)
    }

    @Test func whatWasNotSentHasNotWorked() {
        let attempt = setup([.notJoined(.linkLost)]).attempt
        #expect(attempt?.step == .failed && attempt?.isUncertain == false)
    }

    @Test func aNoIsANo() {
        let attempt = setup([.sent(attempt: 1), .notJoined(.couldNotJoin)]).attempt
        #expect(attempt?.isUncertain == false)
        #expect(attempt?.failure?.contains("“home”, which looks alike") == true)
    }

    @Test func aTypographicPasswordIsSaidWhenItIsRefused() {
        for failure in [WiFiError.couldNotJoin, .reported(ReportedWiFiError(.unableToConnect, code: 3))] {
            let reports: [WiFiReport] = [.sent(attempt: 1), .notJoined(failure)]
            let told = setup(reports, password: .typographic).attempt?.failure
            let plain = setup(reports).attempt?.failure
            #expect(told?.contains("looks alike") == true && told?.contains("typographic apostrophe") == true)
            #expect(plain?.contains("typographic") == false)
        }
        let lost = setup([.sent(attempt: 1), .notJoined(.linkLost)], password: .typographic)
        #expect(lost.attempt?.failure?.contains("typographic") == false)
    }

    @Test func theEndOfTheLinkIsNoAnswer() {
        var sent = setup([.sent(attempt: 1)])
        sent.end("The link has ended.", at: Self.now)
        #expect(sent.attempt?.isUncertain == true)
        #expect(sent.attempt?.failure?.hasPrefix("The link has ended. It may be in the network") == true)
        var waiting = setup([])
        waiting.end("The link has ended.", at: Self.now)
        #expect(waiting.attempt?.isUncertain == false && waiting.attempt?.failure == "The link has ended.")
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import CompanionHub
import Foundation
import ImprovSimulated
import LanternApp
import SwiftUI
import Testing
import VirtualPhone
import WiFiSet
import WiFiSetSimulated

/// A device goes into a network, as a person does it: the checklist for iOS of the WiFiSet document, line by line.
@Suite("The screens of the Wi-Fi set-up", .timeLimit(.minutes(5)), .serialized) @MainActor
struct WiFiScreenTests {
    private let reports = Reports<WiFiSetDeviceEvent>()

    private func launch() async throws -> (AppBench, Screen) {
        let reports = reports
        let bench = try await AppBench { [SimulatedWiFiSet.make(observer: reports.note)] }
        let screen = Screen { RootView(bench.app) }
        try await screen.open(device: "ESP32")
        // The app connects, subscribes and asks for the largest MTU by itself; the list ends within its time.
        #expect(await screen.wait(seconds: 60) { screen.canPress("Lantern Home") }, "\(screen.description)")
        return (bench, screen)
    }

    @Test func theNetworksThatTheDeviceHearsAreListedWithBarsInWords() async throws {
        let (bench, screen) = try await launch()
        #expect(reports.all.contains { if case .listSent(_, count: 9) = $0 { true } else { false } })
        // Network entries: name, strength, security; two access points share a row.
        #expect(screen.says("Lantern Home", "WPA2", "2 access points", "Very good signal", "−48 dBm"))
        #expect(screen.says("Corner Café", "Open, anyone nearby can listen", "Fair signal"))
        #expect(screen.says("Attic", "WPA3", "Weak signal"))
        #expect(screen.says("Old Printer", "WEP, easily broken", "Very weak signal"))
        // One that wants a user name is there, says why it cannot be, and cannot be pressed.
        #expect(screen.says("Office", "Needs a user name. This device has no field for it."))
        #expect(!screen.canPress("Office"))
        // The device that gets the password is named with its address.
        let address = try #require(bench.app.devices(of: .wifiSet).first?.peer.plain)
        #expect(screen.says("ESP32", address))
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("Look again")
        #expect(
            await screen.wait(seconds: 30) {
                reports.all.filter { if case .listSent = $0 { true } else { false } }.count >= 2
            })
        screen.close()
        try await bench.end()
    }

    @Test func aWrongPasswordIsToldWithItsLikelyCauseAndTriedAgain() async throws {
        let (bench, screen) = try await launch()
        try await screen.press(having: "Lantern Home")
        #expect(screen.says("The password goes over Bluetooth without encryption"))
        let field = "Password of Lantern Home"
        // Too short: refused with a reason before anything is sent.
        try await screen.enter("short", into: field)
        try await screen.press(having: "Send to ")
        #expect(await screen.wait { screen.says("at least 8 characters") }, "\(screen.description)")
        #expect(!reports.all.contains { if case .credentials = $0 { true } else { false } })
        try await screen.enter("not the password", into: field, submit: true)
        #expect(await screen.wait(seconds: 30) { screen.shows("Couldn’t join “Lantern Home”") })
        #expect(screen.says("connection failed", "With this signal it is most often the password."))
        #expect(
            screen.says("accepted, kept as a candidate (0x00)") && screen.says("connection failed (0x04)"))
        // The field has the focus and is empty: it shows what belongs into it.
        let node = screen.reachable.flatMap(\.reached).first { $0.spoken == field }
        #expect(node?.isSelected == true && node?.value == "8 to 63 characters", "\(screen.description)")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.enter("lantern-home", into: field)
        try await screen.press("Try again")
        #expect(await screen.wait(seconds: 30) { screen.says(" is on Wi-Fi") }, "\(screen.description)")
        #expect(screen.says("Joined “Lantern Home” in ", " seconds"))
        let status = try #require(
            reports.last { if case .status(let status) = $0 { status } else { nil } })
        #expect(status.state == .connected && status.ssid == "Lantern Home")
        // Its address, in network byte order, leads into a browser.
        let octets = [24, 16, 8, 0].map { "\(status.address >> $0 & 0xFF)" }.joined(separator: ".")
        #expect(screen.shows("Open \(octets)"))
        try screen.open("Open \(octets)")
        #expect(screen.openedURLs == [URL(string: "http://\(octets)/")])
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("Done")
        #expect(await screen.wait { screen.says("The device is in “Lantern Home”.") })
        screen.close()
        try await bench.end()
    }

    @Test func aHiddenNetworkIsTypedAndAnOpenOneWantsNoPassword() async throws {
        let (bench, screen) = try await launch()
        try await screen.press("Hidden network, type its name")
        try await screen.enter("Garage", into: "Name of the network")
        try await screen.press("Show password")
        try await screen.enter("hidden-garage", into: "Password")
        try await screen.press(having: "Send to ")
        // How far it is, in the device's words, with when.
        #expect(
            await screen.wait(seconds: 30) { screen.says("of at most 30 seconds") }, "\(screen.description)")
        #expect(screen.says("Sent") && screen.says("Accepted") && screen.says("connecting"))
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        #expect(await screen.wait(seconds: 30) { screen.says(" is on Wi-Fi") })
        try await screen.press("Done")
        try await screen.press(having: "Corner Café")
        #expect(screen.says("It is open: there is no password, and anyone nearby can listen."))
        #expect(!screen.says("Password of"))
        try await screen.press(having: "Send to ")
        #expect(await screen.wait(seconds: 30) { screen.says("Joined “Corner Café” in ", " seconds") })
        let joined = reports.all.compactMap { event -> WireText? in
            guard case .status(let status) = event, status.state == .connected else { return nil }
            return status.ssid
        }
        #expect(joined.contains("Garage") && joined.last == "Corner Café")
        screen.close()
        try await bench.end()
    }

    @Test func anErrorOfTheDeviceAndARefusalAreTold() async throws {
        let reports = reports
        let network = SimulatedWiFiStation.Network(
            WiFiNetwork(ssid: "Full", rssi: -50, security: .wpa2, channel: 1), password: nil, fault: .storage)
        let bench = try await AppBench {
            [
                SimulatedDevice(
                    kind: "wifiset",
                    WiFiSetDevice(station: SimulatedWiFiStation([network], scanFails: true)),
                    address: SimulatedWiFiSet.address, position: VirtualAir.Position(x: 2),
                    observer: reports.note)
            ]
        }
        let screen = Screen { RootView(bench.app) }
        try await screen.open(device: "ESP32")
        #expect(
            await screen.wait(seconds: 60) { screen.says("The device could not look for networks") },
            "\(screen.description)")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("Hidden network, type its name")
        try await screen.enter("Full", into: "Name of the network")
        try await screen.enter("any password", into: "Password", submit: true)
        #expect(
            await screen.wait(seconds: 30) { screen.shows("Couldn’t join “Full”") }, "\(screen.description)")
        #expect(screen.says("The device could not keep the credentials"))
        #expect(
            reports.all.contains {
                if case .credentials(_, ssid: "Full", .storageFailure) = $0 { true } else { false }
            })
        try await screen.press("Choose another network")
        #expect(await screen.wait { screen.canPress("Hidden network, type its name") })
        screen.close()
        try await bench.end()
    }

    @Test func aLinkThatIsLostIsToldAndOpenedAnew() async throws {
        let (bench, screen) = try await launch()
        try await bench.carry(SimulatedWiFiSet.address, away: true)
        #expect(await screen.wait(seconds: 60) { screen.shows("Not connected") }, "\(screen.description)")
        try await bench.carry(SimulatedWiFiSet.address, away: false)
        try await screen.press("Try again")
        #expect(await screen.wait(seconds: 60) { !screen.shows("Not connected") && screen.canPress("Attic") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }

    @Test func anImprovDeviceShowsItselfAndIsSetUp() async throws {
        let bench = try await AppBench { [SimulatedImprov.make()] }
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "Devices")
        try await bench.until { !bench.app.devices(of: .wifiSet).isEmpty }
        let name = try #require(bench.app.devices(of: .wifiSet).first?.name)
        try await screen.open(device: name)
        #expect(await screen.wait(seconds: 60) { screen.canPress("Lantern Home") }, "\(screen.description)")
        try await screen.press("Identify")
        #expect(await screen.wait(seconds: 30) { screen.says("It has shown itself at") })
        try await screen.press(having: "Lantern Home")
        try await screen.enter("lantern-home", into: "Password of Lantern Home", submit: true)
        #expect(await screen.wait(seconds: 30) { screen.says(" is on Wi-Fi") }, "\(screen.description)")
        screen.close()
        try await bench.end()
    }
}

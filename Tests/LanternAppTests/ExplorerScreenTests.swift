// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEWire
import CompanionHub
import LEDBulb
import LEDBulbSimulated
import LanternApp
import SimulatedDevices
import SwiftUI
import Testing
import VirtualPhone

/// A device that nobody knows is explored, as the guide has it: find it, look at what it has, read, listen, write.
@Suite("The screens of the Explorer", .timeLimit(.minutes(5)), .serialized) @MainActor
struct ExplorerScreenTests {
    private func explore(
        _ device: String, having service: String, on screen: Screen
    ) async throws {
        try screen.select(tab: "Devices")
        try await screen.press("Explorer: all devices in reach")
        #expect(await screen.wait(seconds: 30) { screen.canPress(device) }, "\(screen.description)")
        try await screen.press(having: device)
        #expect(
            await screen.wait(seconds: 60) {
                screen.canPress("Read all again") && screen.shows(service)
            }, "\(screen.description)")
    }

    @Test func aStrapIsReadListenedToAndWrittenTo() async throws {
        let bench = try await AppBench { [SimulatedStrap.make(every: 200)] }
        let screen = Screen { RootView(bench.app) }
        try await explore("HR strap 9A3C2B", having: "Heart Rate, 180D", on: screen)
        // Services are sections; characteristics say their name, value, UUID and what can be done with them.
        #expect(screen.shows("Heart Rate, 180D") && screen.shows("Battery, 180F"), "\(screen.description)")
        #expect(screen.value(of: "Body Sensor Location") == "Chest, 2A38, Read", "\(screen.description)")
        #expect(screen.value(of: "Heart Rate Measurement")?.hasSuffix("2A37, Notify") == true)
        #expect(
            screen.value(of: "Manufacturer Name String")?.contains("Nordlicht GmbH & Söhne, Werk 3") == true)
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        // What comes by itself.
        try await screen.press("Heart Rate Measurement")
        #expect(screen.shows("Nothing has come yet"))
        try await screen.press("Listen")
        #expect(
            await screen.wait(seconds: 30) {
                screen.spoken.filter { $0.hasPrefix("Notified") }.count >= 3 && screen.isOn("Listen") == true
            }, "\(screen.description)")
        // Decoded fields beside the octets.
        #expect(
            screen.shows("What it says") && screen.shows("Heart Rate") && screen.says(" /min")
                && screen.shows("RR-interval"), "\(screen.description)")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("Listen")
        #expect(await screen.wait(seconds: 30) { screen.isOn("Listen") == false })
        // The numbers over time are those of the log.
        let chart = try #require(
            screen.reachable.flatMap(\.all).first { $0.spoken == "Heart Rate over the last minute" })
        let marks = chart.all.filter { $0.kind == .mark && !$0.isSilent }.map(\.spoken)
        let logged = screen.spoken.filter { $0.hasPrefix("Notified") }
        #expect(marks.count >= 3 && marks.count <= logged.count, "\(marks)")
        #expect(screen.says(" to ", " /min, now "), "\(screen.description)")
        // And all of them can be shared.
        try await screen.choose("CSV, for a spreadsheet", in: "Share the log")
        let table = try #require(screen.shared.last?.items.first?.exports)
        #expect(table.map(\.name) == ["Heart Rate Measurement.csv"])
        let rows = String(decoding: try await table[0].data(), as: UTF8.self).split(separator: "\r\n")
        #expect(rows.first?.hasPrefix("number,time,handle") == true && rows.count == logged.count + 1)
        #expect(rows.last?.contains("notify") == true && rows.last?.contains("/min") == true)
        try await screen.choose("JSON lines, for lantern device", in: "Share the log")
        let lines = try #require(screen.shared.last?.items.first?.exports)
        #expect(lines.map(\.name) == ["Heart Rate Measurement.jsonl"])
        #expect(try await lines[0].data().split(separator: 10).count == logged.count)
        try await screen.press("Done")
        // A value is read anew.
        try await screen.press("Battery Level")
        try await screen.press("Read")
        #expect(await screen.wait(seconds: 30) { screen.says("Read, ", "%") }, "\(screen.description)")
        try await screen.press("Done")
        // A write is confirmed once, and what is written is what the device has.
        try await screen.press("Display brightness")
        try await screen.enter("0Z", into: "Value to write")
        try await screen.press("Write")
        #expect(screen.says("two digits for each octet"))
        try await screen.enter("01 FF A0 07", into: "Value to write")
        try await screen.press("Write")
        #expect(screen.says("Nothing has been written to this device yet."))
        try await screen.press("Leave it")
        #expect(!screen.says("octets written"))
        try await screen.press("Write")
        try await screen.press("Write to it")
        #expect(await screen.wait(seconds: 30) { screen.shows("4 octets written.") }, "\(screen.description)")
        #expect(await screen.wait(seconds: 30) { screen.says("Read, ", "01 FF A0 07") })
        try await screen.choose("Text", in: "Form")
        try await screen.enter("hell", into: "Value to write", submit: true)
        #expect(
            await screen.wait(seconds: 30) { screen.says("Read, ", "68 65 6C 6C") }, "\(screen.description)")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }

    @Test func aBulbIsFoundOutWithTheOctetsOfTheGuide() async throws {
        let reports = Reports<LEDBulbDevice.Event>()
        let bench = try await AppBench { [SimulatedBulb.make(.colorific, observer: reports.note)] }
        let screen = Screen { RootView(bench.app) }
        try await explore("Colorific", having: "Immediate Alert, 1802", on: screen)
        #expect(
            screen.value(of: "Alert Level")?.contains("2A06") == true
        )
        try await screen.press("Alert Level")
        try await screen.enter("58010301ff00ff0000", into: "Value to write")
        try await screen.press("Write")
        try await screen.press("Write to it")
        #expect(
            await screen.wait(seconds: 30) {
                reports.last { if case .shines(let state) = $0 { state.light } else { nil } }
                    == .color(RGBColor(red: 255, green: 0, blue: 0))
            }, "\(screen.description)")
        screen.close()
        try await bench.end()
    }

    @Test func aDeviceThatGoesIsToldAndBluetoothThatIsOffToo() async throws {
        let bench = try await AppBench { [SimulatedStrap.make()] }
        let screen = Screen { RootView(bench.app) }
        try await explore("HR strap 9A3C2B", having: "Heart Rate, 180D", on: screen)
        try await bench.carry(SimulatedStrap.address, away: true)
        #expect(await screen.wait(seconds: 60) { screen.shows("Not connected") }, "\(screen.description)")
        #expect(screen.shows("Heart Rate, 180D") && !screen.canPress("Read all again"))
        try await bench.carry(SimulatedStrap.address, away: false)
        try await screen.press("Try again")
        #expect(await screen.wait(seconds: 60) { screen.canPress("Read all again") }, "\(screen.description)")
        bench.phone.isBluetoothOn = false
        #expect(await screen.wait(seconds: 60) { screen.shows("OK") }, "\(screen.description)")
        try await screen.press("OK")
        #expect(
            await screen.wait(seconds: 60) {
                screen.shows("Not connected") && screen.shows(bench.app.obstacle?.title ?? "?")
            }, "\(screen.description)")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }
}

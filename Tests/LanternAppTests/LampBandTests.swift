// SPDX-License-Identifier: Apache-2.0

import BLEWire
import CompanionHub
import Foundation
import LanternApp
import Nightlight
import NightlightSimulated
import SwiftUI
import Testing
import VirtualPhone

/// Markers are moved on the band of the night, and colours are chosen on the wheel.
@Suite("The band and the wheel of a nightlight", .timeLimit(.minutes(5)), .serialized) @MainActor
struct LampBandTests {
    private let reports = Reports<NightlightDeviceEvent>()

    private var settings: NightlightSettings? {
        reports.last { if case .settings(let settings) = $0 { settings } else { nil } }
    }

    private var display: LampDisplay? {
        reports.last { if case .shows(let display) = $0 { display } else { nil } }
    }

    /// A lamp on whose clock it is Saturday evening; violet is to shine from 20:30 to 08:00.
    private func launch() async throws -> (AppBench, Screen) {
        let reports = reports
        let time = try #require(LocalTime("2026-11-21T20:00:00"))
        let clock = ClockReading(time: time, zone: LocalTimeInformation(zone: 0, dst: .standard))
        let bench = try await AppBench { [SimulatedNightlight.make(clock: clock, observer: reports.note)] }
        let screen = Screen { RootView(bench.app) }
        // Twenty points an hour.
        screen.set(size: CGSize(width: 480, height: 900))
        try await screen.open(device: "Nightlight")
        #expect(await screen.wait(seconds: 60) { screen.shows("Violet goes on") }, "\(screen.description)")
        return (bench, screen)
    }

    @Test func aMarkerIsMovedByVoiceOverAndKeptForTonight() async throws {
        let (bench, screen) = try await launch()
        #expect(
            screen.value(of: "Violet goes on") == "20:30" && screen.value(of: "Violet goes off") == "08:00")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        for _ in 0..<3 { try screen.adjust("Violet goes on", .increment) }
        try screen.adjust("Violet goes on", .decrement)
        #expect(screen.value(of: "Violet goes on") == "20:40" && screen.shows("20:40 to 08:00"))
        #expect(settings?.day == nil)
        try await screen.press("Put it back")
        #expect(screen.value(of: "Violet goes on") == "20:30" && !screen.canPress("Keep this change"))
        // Back where it was is no change either.
        try screen.adjust("Violet goes off", .decrement)
        try screen.adjust("Violet goes off", .increment)
        #expect(!screen.canPress("Keep this change"))
        try screen.adjust("Violet goes off", .decrement)
        try await screen.press("Keep this change")
        #expect(screen.value(of: "Off, next day")?.contains("55") == true, "\(screen.description)")
        // Who thinks better of it has it as it was.
        try await screen.press("Cancel")
        #expect(screen.value(of: "Violet goes off") == "08:00" && settings?.day == nil)
        try screen.adjust("Violet goes off", .decrement)
        try await screen.press("Keep this change")
        try await screen.press("Tonight only")
        #expect(
            await screen.wait(seconds: 30) {
                settings?.day?.periods.map { "\($0.on) \($0.off)" } == ["20:30 07:55"]
            })
        #expect(await screen.wait(seconds: 30) { screen.value(of: "Violet goes off") == "07:55" })
        screen.close()
        try await bench.end()
    }

    @Test func aMarkerThatIsDraggedAsksForWhichNights() async throws {
        let (bench, screen) = try await launch()
        // An hour and a half later, to the next five minutes.
        try screen.drag("Violet goes on", to: CGPoint(x: 30.3, y: 3))
        #expect(screen.says("Only tonight, or always?") || screen.shows("Only tonight, or always?"))
        try await screen.press("Every Saturday and Sunday")
        #expect(
            await screen.wait(seconds: 30) {
                settings?.week.groups[1].periods.map { "\($0.on) \($0.off)" } == ["22:00 08:00"]
            })
        #expect(await screen.wait(seconds: 30) { screen.value(of: "Violet goes on") == "22:00" })
        // All of it goes an hour back, and is as long as before.
        try screen.drag("Violet, all of it", to: CGPoint(x: -20, y: 0))
        try await screen.press("Cancel")
        try screen.adjust("Violet, all of it", .increment)
        #expect(screen.value(of: "Violet, all of it") == "22:05 to 08:05")
        try await screen.press("Put it back")
        try screen.drag("Violet, all of it", to: CGPoint(x: -20, y: 0))
        try await screen.press("Tonight only")
        #expect(
            await screen.wait(seconds: 30) {
                settings?.day?.periods.map { "\($0.on) \($0.off)" } == ["21:00 07:00"]
            })
        #expect(await screen.wait(seconds: 30) { screen.canPress("Back to the week") })
        try await screen.press("Back to the week")
        #expect(await screen.wait(seconds: 30) { screen.value(of: "Violet goes on") == "22:00" })
        // The end stays behind the beginning, and the beginning in its night.
        try screen.drag("Violet goes off", to: CGPoint(x: -400, y: 0))
        try await screen.press("Cancel")
        #expect(screen.value(of: "Violet goes off") == "08:00")
        try screen.drag("Violet goes on", to: CGPoint(x: -4000, y: 0))
        try await screen.press("Tonight only")
        #expect(
            await screen.wait(seconds: 30) {
                settings?.day?.periods.map { "\($0.on) \($0.off)" } == ["12:00 08:00"]
            })
        screen.close()
        try await bench.end()
    }

    @Test func theWheelChoosesAColourThatTheLampShowsOnOneOfItsLEDs() async throws {
        let (bench, screen) = try await launch()
        if screen.isOn("All LEDs together") == true {
            try await screen.press("All LEDs together")
            #expect(await screen.wait(seconds: 30) { screen.isOn("All LEDs together") == false })
        }
        try await screen.press(having: "Change 20:30")
        try await screen.press(having: "Violet, #201040")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try screen.adjust("Strength", to: 1)
        // To the left of the middle, at the edge: the hue opposite of red, without white.
        try screen.drag("Colour wheel", to: CGPoint(x: 0, y: 110))
        #expect(screen.says("#00FFFF"), "\(screen.description)")
        #expect(screen.value(of: "Colour wheel")?.contains("strength 100%") == true)
        try await screen.choose("LED 2", in: "On the lamp")
        try await screen.press("Try on the lamp")
        let cyan = RGBColor(red: 0, green: 255, blue: 255)
        #expect(
            await screen.wait(seconds: 30) {
                display?.source == .proof
                    && display?.colors.map { $0 == cyan } == [false, true, false, false]
            }, "\(String(describing: display))")
        #expect(await screen.wait(seconds: 30) { screen.canPress("End it now") })
        // In the middle it is white; the lamp follows.
        try screen.drag("Colour wheel", to: CGPoint(x: 110, y: 110))
        let white = RGBColor(red: 255, green: 255, blue: 255)
        #expect(await screen.wait(seconds: 30) { display?.colors[1] == white })
        // VoiceOver goes round and makes it weaker.
        try screen.drag("Colour wheel", to: CGPoint(x: 220, y: 110))
        #expect(screen.says("#FF0000"))
        for _ in 0..<12 { try screen.adjust("Colour wheel", .increment) }
        #expect(screen.says("#00FF00"))
        for _ in 0..<24 { try screen.adjust("Colour wheel", .decrement) }
        #expect(screen.says("#0000FF"))
        try screen.perform("Weaker", on: "Colour wheel")
        #expect(
            await screen.wait(seconds: 30) { display?.colors[1] == RGBColor(red: 0, green: 0, blue: 230) })
        try await screen.choose("All LEDs", in: "On the lamp")
        #expect(
            await screen.wait(seconds: 30) {
                display?.colors == Array(repeating: RGBColor(red: 0, green: 0, blue: 230), count: 4)
            })
        try await screen.press("Use this colour")
        #expect(await screen.wait(seconds: 30) { display?.source == .off })
        screen.close()
        try await bench.end()
    }
}

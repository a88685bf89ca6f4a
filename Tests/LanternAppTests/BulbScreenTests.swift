// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEWire
import CompanionHub
import LEDBulb
import LEDBulbSimulated
import LanternApp
import SwiftUI
import Testing
import VirtualPhone

/// A bulb shines as a person wants it, and the guide's steps are walked with another one.
@Suite("The screens of a bulb", .timeLimit(.minutes(5)), .serialized) @MainActor
struct BulbScreenTests {
    private let reports = Reports<LEDBulbDevice.Event>()

    private var state: BulbState? {
        reports.last { if case .shines(let state) = $0 { state } else { nil } }
    }
    private var written: [UInt8]? {
        reports.last { if case .written(_, _, let octets, _) = $0 { octets } else { nil } }
    }

    private func launch(_ dialect: BulbDialect) async throws -> (AppBench, Screen) {
        let reports = reports
        let bench = try await AppBench { [SimulatedBulb.make(dialect, observer: reports.note)] }
        let screen = Screen { RootView(bench.app) }
        try await screen.open(device: dialect.deviceName.string)
        #expect(
            await screen.wait(seconds: 60) { screen.canPress("\(dialect.deviceName.string) shines") },
            "\(screen.description)")
        return (bench, screen)
    }

    @Test func itsColourWhiteEffectsAndPowerAreSet() async throws {
        let (bench, screen) = try await launch(.triones)
        try screen.adjust("White", to: 0)
        try screen.adjust("Hue", to: 240)
        let blue = RGBColor(red: 0, green: 0, blue: 255)
        #expect(await screen.wait(seconds: 30) { state?.light == .color(blue) }, "\(screen.description)")
        #expect(await screen.wait(seconds: 30) { screen.shows("Just what you asked for") })
        #expect(screen.says("Asked", "#0000FF") && screen.says("Says", "#0000FF"))
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try screen.adjust("Strength", .decrement)
        #expect(
            await screen.wait(seconds: 30) {
                state?.light == .color(RGBColor(red: 0, green: 0, blue: 230))
            }, "\(String(describing: state))")
        try await screen.press("Triones-0B02 shines")
        #expect(await screen.wait(seconds: 30) { state?.isOn == false })
        #expect(await screen.wait(seconds: 30) { screen.isOn("Triones-0B02 shines") == false })
        try await screen.press("Triones-0B02 shines")
        #expect(await screen.wait(seconds: 30) { state?.isOn == true })
        try await screen.choose("White", in: "Light")
        #expect(screen.shows("Made by the white LEDs of the bulb."))
        try await screen.press("Shine white")
        #expect(await screen.wait(seconds: 30) { state?.light == .white(255) })
        #expect(await screen.wait(seconds: 30) { !screen.canPress("Shine white") })
        try screen.adjust("Brightness of the white light", to: 20)
        #expect(await screen.wait(seconds: 30) { state?.light == .white(51) })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.choose("Effects", in: "Light")
        try await screen.press("Red breathing")
        #expect(
            await screen.wait(seconds: 30) {
                if case .effect(let effect) = state?.light { effect.code == 0x26 } else { false }
            })
        #expect(await screen.wait(seconds: 30) { screen.says("Asked", "Red breathing") })
        try await screen.press("All hues")
        let hues = {
            Set(
                reports.all.compactMap { event -> RGBColor? in
                    guard case .shines(let state) = event, case .color(let color) = state.light else {
                        return nil
                    }
                    return color
                })
        }
        let before = hues().count
        #expect(await screen.wait(seconds: 30) { hues().count > before + 3 })
        #expect(screen.isOn("All hues") == true)
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("All hues")
        #expect(await screen.wait(seconds: 30) { screen.isOn("All hues") == false })
        screen.close()
        try await bench.end()
    }

    @Test func theColoursOfTheGuideAreTheOctetsOfTheGuide() async throws {
        let (bench, screen) = try await launch(.colorific)
        #expect(screen.says("Bulbs of this dialect never answer."))
        try screen.adjust("White", to: 0)
        for (hue, end) in [(0.0, "FF 00 00"), (120.0, "00 FF 00"), (240.0, "00 00 FF")] {
            try screen.adjust("Hue", to: hue)
            #expect(await screen.wait(seconds: 30) { screen.shows("Written 58 01 03 01 FF 00 \(end)") })
            #expect(
                await screen.wait(seconds: 30) {
                    written.map { Array($0.prefix(6)) } == [0x58, 0x01, 0x03, 0x01, 0xFF, 0x00]
                        && written.map {
                            $0.suffix(3).map { String(format: "%02X", $0) }.joined(separator: " ")
                        } == end
                })
        }
        // Off is black, on is full white.
        try await screen.press("Colorific shines")
        #expect(await screen.wait(seconds: 30) { written?.suffix(3) == [0, 0, 0] })
        #expect(await screen.wait(seconds: 30) { screen.isOn("Colorific shines") == false })
        try await screen.press("Colorific shines")
        #expect(await screen.wait(seconds: 30) { written?.suffix(3) == [255, 255, 255] })
        // A colour that is kept at hand is one press away.
        try screen.adjust("White", to: 0)
        try screen.adjust("Hue", to: 60)
        try await screen.press("Keep this colour as a favourite")
        try await bench.until {
            bench.app.settings.bulbs.favourites.contains(RGBColor(red: 255, green: 255, blue: 0))
        }
        try screen.adjust("Hue", to: 0)
        #expect(await screen.wait(seconds: 30) { written?.suffix(3) == [255, 0, 0] })
        try await screen.press(having: "Yellow, #FFFF00")
        #expect(await screen.wait(seconds: 30) { written?.suffix(3) == [255, 255, 0] })
        screen.close()
        try await bench.end()
    }

    @Test func aBulbThatShowsAnotherDialectIsGivenItsOwn() async throws {
        let reports = reports
        let dialect = BulbDialect.elkBLEDOMF0
        let bench = try await AppBench { [SimulatedBulb.make(dialect, observer: reports.note)] }
        let screen = Screen { RootView(bench.app) }
        try await screen.open(device: dialect.deviceName.string)
        #expect(
            await screen.wait(seconds: 60) { screen.shows("Spoken now") && screen.shows("ELK-BLEDOM") },
            "\(screen.description)")
        try await screen.choose(dialect.name.string, in: "Dialect")
        #expect(
            await screen.wait(seconds: 60) {
                screen.canPress("\(dialect.deviceName.string) shines")
                    && screen.shows("ELK-BLEDOM (F0)")
            }, "\(screen.description)")
        // Nothing was asked of it, and it says nothing: it is switched on first.
        try await screen.press("\(dialect.deviceName.string) shines")
        #expect(
            await screen.wait(seconds: 30) { screen.isOn("\(dialect.deviceName.string) shines") == true })
        try await screen.press("\(dialect.deviceName.string) shines")
        // It is switched in its own way.
        #expect(
            await screen.wait(seconds: 30) {
                reports.all.contains {
                    if case .written(_, _, let octets, .power(false)?) = $0 {
                        octets == dialect.encode(.power(false))
                    } else {
                        false
                    }
                }
            }, "\(reports.all.suffix(5))")
        try await screen.choose("Effects", in: "Light")
        try await screen.press("Brightness 50%")
        #expect(
            await screen.wait(seconds: 30) {
                reports.all.contains {
                    if case .written(_, _, _, .brightness(let level)?) = $0 { level == 128 } else { false }
                }
            }, "\(reports.all.suffix(5))")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }

    @Test func aDialectThatDoesNotFitIsToldAndTakenBack() async throws {
        let (bench, screen) = try await launch(.triones)
        #expect(screen.says("Spoken now", "Triones"))
        try await screen.choose("Magic Blue", in: "Dialect")
        #expect(await screen.wait(seconds: 60) { screen.shows("Not connected") }, "\(screen.description)")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.choose("Triones", in: "Dialect")
        #expect(
            await screen.wait(seconds: 60) { screen.canPress("Triones-0B02 shines") }, "\(screen.description)"
        )
        try screen.adjust("White", to: 0)
        try screen.adjust("Hue", to: 0)
        #expect(
            await screen.wait(seconds: 30) { state?.light == .color(RGBColor(red: 255, green: 0, blue: 0)) })
        screen.close()
        try await bench.end()
    }
}

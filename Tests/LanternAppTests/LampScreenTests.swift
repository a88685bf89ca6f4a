// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEWire
import CompanionHub
import Foundation
import LanternApp
import Nightlight
import NightlightSimulated
import SwiftUI
import Testing
import VirtualPhone

/// A nightlight is looked at and changed, as a parent does it with VoiceOver.
@Suite("The screens of a nightlight", .timeLimit(.minutes(5)), .serialized) @MainActor
struct LampScreenTests {
    private let reports = Reports<NightlightDeviceEvent>()

    /// What the lamp keeps now.
    private var settings: NightlightSettings? {
        reports.last { if case .settings(let settings) = $0 { settings } else { nil } }
    }

    private var display: LampDisplay? {
        reports.last { if case .shows(let display) = $0 { display } else { nil } }
    }

    /// A lamp on whose clock it is Saturday evening, so that its weekend's light is still to come.
    private func launch() async throws -> (AppBench, Screen) {
        let reports = reports
        let time = try #require(LocalTime("2026-11-21T20:00:00"))
        let clock = ClockReading(time: time, zone: LocalTimeInformation(zone: 0, dst: .standard))
        let bench = try await AppBench { [SimulatedNightlight.make(clock: clock, observer: reports.note)] }
        let screen = Screen { RootView(bench.app) }
        try await screen.open(device: "Nightlight")
        #expect(screen.shows("Connecting …"))
        #expect(await screen.wait(seconds: 60) { screen.shows("Mia’s lamp") }, "\(screen.description)")
        return (bench, screen)
    }

    private let tonight = "Change 20:30 to 08:00, Violet, 90 minutes at most"

    @Test func tonightIsChangedAloneTakenBackAndChangedForAlways() async throws {
        let (bench, screen) = try await launch()
        #expect(screen.says("Dark until 20:30", "Nothing is due. Then violet until 22:00."))
        #expect(screen.says("20:30 to 22:00, Violet", "Week") && screen.says("Battery") && screen.says("82%"))
        let week = try #require(bench.app.devices.isEmpty ? nil : SimulatedNightlight.settings.week)
        try await screen.press(tonight)
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try screen.choose(time: "21:00", in: "On")
        try await screen.press("Tonight only")
        #expect(await screen.wait(seconds: 30) { screen.shows("Only tonight. The week is back tomorrow.") })
        let day = try #require(settings?.day)
        #expect(day.daysLeft == 1 && day.periods.map { "\($0.on)" } == ["21:00"] && settings?.week == week)
        #expect(await screen.wait { screen.says("21:00 to 22:30, Violet", "Tonight only") })
        #expect(screen.shows("Tonight’s own schedule"))
        try await screen.press("Back to the week")
        #expect(await screen.wait(seconds: 30) { settings?.day == nil && screen.canPress(tonight) })
        try await screen.press(tonight)
        try screen.choose(time: "07:00", in: "Off, next day")
        try await screen.press("Every Saturday and Sunday")
        #expect(await screen.wait(seconds: 30) { screen.shows("Every Saturday and Sunday from now on.") })
        #expect(settings?.week.groups[1].periods.map { "\($0.off)" } == ["07:00"] && settings?.day == nil)
        #expect(settings?.week.groups[0] == week.groups[0])
        // One that meets another cannot be sent, and says why.
        try await screen.press("New light period")
        try screen.choose(time: "20:45", in: "On")
        #expect(
            !screen.canPress("Tonight only") && screen.says("Overlaps with 20:45"), "\(screen.description)")
        try await screen.press("Cancel")
        // And one is taken away for tonight.
        try await screen.press(having: "Change 20:30")
        try await screen.choose("Tonight only", in: "Remove this period")
        #expect(await screen.wait(seconds: 30) { settings?.day?.periods == [] })
        #expect(await screen.wait(seconds: 30) { screen.shows("Dark all night") }, "\(screen.description)")
        screen.close()
        try await bench.end()
    }

    @Test func aColourIsTriedOutOnTheLampAndUsed() async throws {
        let (bench, screen) = try await launch()
        try await screen.press(tonight)
        try await screen.press(having: "Violet, #201040")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try screen.adjust("Hue", to: 120)
        try screen.adjust("White", to: 0)
        try screen.adjust("Strength", to: 1)
        #expect(screen.value(of: "Hue") == "Green, 120 degrees" && screen.says("Green", "#00FF00"))
        #expect(screen.shows("Ends by itself after a minute"))
        try await screen.press("Try on the lamp")
        #expect(await screen.wait(seconds: 30) { screen.says("On the lamp now, ends by itself in ") })
        let green = RGBColor(red: 0, green: 255, blue: 0)
        #expect(display == LampDisplay(source: .proof, colors: [green, green, green, green]))
        // It follows the sliders while it is tried out.
        try screen.adjust("Strength", .decrement)
        #expect(
            await screen.wait(seconds: 30) {
                display?.source == .proof && display?.colors.first == RGBColor(red: 0, green: 230, blue: 0)
            }, "\(String(describing: display))")
        try await screen.press("End it now")
        #expect(
            await screen.wait(seconds: 30) { display?.source == .off && screen.canPress("Try on the lamp") })
        // Who leaves the page while it is tried out ends it, too.
        try await screen.press("Try on the lamp")
        #expect(await screen.wait(seconds: 30) { display?.source == .proof })
        #expect(await screen.wait(seconds: 30) { screen.canPress("End it now") })
        try await screen.press("Use this colour")
        #expect(await screen.wait(seconds: 30) { display?.source == .off })
        try await screen.press("Tonight only")
        #expect(
            await screen.wait(seconds: 30) {
                settings?.day?.periods.first?.color == RGBColor(red: 0, green: 230, blue: 0)
            })
        screen.close()
        try await bench.end()
    }

    @Test func theWeekIsChangedAndAConflictSolvedBeforeItIsSent() async throws {
        let (bench, screen) = try await launch()
        try await screen.press("Week “School”")
        #expect(screen.shows("Same as on the lamp") && !screen.canPress("Send to"))
        // A day gets a group of its own, and that is taken back.
        try await screen.choose("Friday", in: "Days: Monday to Friday")
        #expect(screen.canPress("Days: Monday to Thursday") && screen.canPress("Days: Friday"))
        try await screen.press("Undo")
        #expect(screen.shows("Same as on the lamp") && !screen.canPress("Days: Friday"))
        try await screen.press("New period on Saturday and Sunday")
        try await screen.press(having: "Saturday and Sunday, 19:30 to 20:30")
        try screen.choose(time: "08:30", in: "On")
        try screen.choose(time: "09:45", in: "Off")
        try await screen.press("Done")
        #expect(screen.shows("2 days are not on the lamp yet"), "\(screen.description)")
        try await screen.press(having: "Monday to Friday, 19:30 to 07:00")
        try screen.choose(time: "09:30", in: "Off, next day")
        try await screen.press("Done")
        #expect(screen.says("Overlaps with Saturday’s 08:30 to 09:45 for an hour."), "\(screen.description)")
        #expect(screen.shows("Solve the conflict on Friday first") && !screen.canPress("Send to"))
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("End at 08:30")
        #expect(!screen.says("Overlaps") && screen.canPress("Send to Mia’s lamp"))
        try await screen.press("Undo")
        #expect(screen.says("Overlaps"))
        try await screen.press("End at 08:30")
        try await screen.enter("Winter", into: "Name of the week")
        try await screen.press("Send to Mia’s lamp")
        #expect(await screen.wait(seconds: 30) { screen.shows("The lamp has the week now.") })
        #expect(screen.shows("Same as on the lamp"))
        let week = try #require(settings?.week)
        #expect(week.name == "Winter" && week.groups.count == 2)
        #expect(week.groups[0].periods.map { "\($0.on)–\($0.off)" } == ["19:30–08:30"])
        #expect(Set(week.groups[1].periods.map { "\($0.on)–\($0.off)" }) == ["20:30–08:00", "08:30–09:45"])
        // A week that is saved in the phone comes back after another one was sent.
        try await screen.press("Save this lamp’s week")
        #expect(await screen.wait(seconds: 30) { screen.canPress("Use “Winter”") })
        try screen.swipe("Saturday and Sunday, 08:30 to 09:45, Warm amber", "Remove")
        try await screen.press("Send to Mia’s lamp")
        #expect(await screen.wait(seconds: 30) { settings?.week.groups[1].periods.count == 1 })
        #expect(await screen.wait(seconds: 30) { screen.shows("Same as on the lamp") })
        try await screen.press("Use “Winter”")
        try await screen.press("Send to Mia’s lamp")
        #expect(await screen.wait(seconds: 30) { settings?.week == week })
        try screen.swipe("Use “Winter”", "Delete")
        #expect(await screen.wait(seconds: 30) { !screen.canPress("Use “Winter”") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }

    @Test func theButtonTheNameAndTheClockAreSet() async throws {
        let (bench, screen) = try await launch()
        // More than half an hour off: nothing is done before the person has said so.
        #expect(screen.says("The lamp’s clock is", "slow. Nothing was changed."))
        let before = Date()
        #expect(
            !reports.all.contains { if case .written(_, .currentTime, _) = $0 { true } else { false } })
        try await screen.press("Set the clock")
        #expect(screen.says("It shows 2026-11-21, 20:0", "Its schedules go by this clock."))
        try await screen.press("Leave it")
        try await screen.press("Set the clock")
        try await screen.press("Set it")
        #expect(await screen.wait(seconds: 30) { screen.shows("In step") || screen.says("In step") })
        let set = try #require(reports.last { if case .clock(let time) = $0 { time } else { nil } })
        let calendar = Calendar.current
        let year = calendar.component(.year, from: before)
        #expect(set.date.parts.year == year && !screen.says("Nothing was changed"))
        try await screen.press("Child button")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("As often as the child likes")
        #expect(await screen.wait(seconds: 30) { settings?.button.dailyPresses == 255 })
        #expect(await screen.wait(seconds: 30) { !screen.says("presses a day") })
        try await screen.press("Quiet hours")
        #expect(await screen.wait(seconds: 30) { screen.isOn("Quiet hours") == true })
        try screen.choose(time: "09:00", in: "Quiet from")
        #expect(
            await screen.wait(seconds: 30) {
                settings.map { "\($0.button.deactivation.from) \($0.button.deactivation.to)" }
                    == "09:00 18:00"
            })
        try await screen.press("Shaking changes the colour")
        #expect(await screen.wait(seconds: 30) { settings?.button.alters == false })
        try await screen.press("Button")
        #expect(await screen.wait(seconds: 30) { settings?.button.isEnabled == false })
        try screen.back()
        try await screen.press("The child’s name")
        try await screen.enter("Jonas", into: "Child’s name")
        try await screen.press("Give it this name")
        #expect(
            await screen.wait(seconds: 30) { screen.shows("Jonas’ lamp") && settings?.childName == "Jonas" })
        try await screen.press("LEDs on")
        #expect(await screen.wait(seconds: 30) { screen.says("Dark, the LEDs have no power") })
        #expect(settings?.isPowered == false)
        // The list knows whose it is when the lamp was let go.
        try screen.back()
        #expect(await screen.wait(seconds: 30) { screen.says("Jonas’ lamp") }, "\(screen.description)")
        screen.close()
        try await bench.end()
    }

    /// The document: below 5 minutes the clock is set without a word, up to 30 with one.
    ///
    /// Its clock knows of no change of the hour, which would be a difference of its own.
    @Test(
        .enabled(if: TimeZone.current.nextDaylightSavingTimeTransition == nil),
        arguments: [(240, false), (-720, true)])
    func aClockThatIsALittleOffIsSetAndToldFromFiveMinutesOn(_ seconds: Int64, isTold: Bool) async throws {
        let reports = reports
        let bench = try await AppBench {
            let now = UnixTime(seconds: Int64(Date().timeIntervalSince1970) + seconds)
            let offset = TimeZone.current.secondsFromGMT()
            let clock = ClockReading(
                time: WallClock(offset: Int32(offset)).time(at: now),
                zone: LocalTimeInformation(zone: Int8(offset / 900), dst: .standard))
            let lamp = NightlightDevice(
                settings: .factory, clock: clock, battery: LampBattery(percent: 9, isCharging: false))
            return [
                SimulatedDevice(
                    kind: "nightlight", lamp, address: SimulatedNightlight.address,
                    position: VirtualAir.Position(x: 2), observer: reports.note)
            ]
        }
        let screen = Screen { RootView(bench.app) }
        try await screen.open(device: "Nightlight")
        #expect(await screen.wait(seconds: 60) { screen.says("In step") }, "\(screen.description)")
        #expect(reports.all.contains { if case .clock = $0 { true } else { false } })
        #expect(screen.says("The lamp's clock was 12 min slow; it is right now.") == isTold)
        #expect(!screen.canPress("Set the clock"))
        // It is a new one, and its battery is nearly empty.
        #expect(screen.shows("The new lamp") && screen.says("Whose lamp is it?"))
        #expect(screen.says("Battery almost empty: 9%. Charge the lamp, so that it shines all night."))
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("Give it a name")
        try await screen.enter("Ida", into: "Child’s name", submit: true)
        #expect(await screen.wait(seconds: 30) { screen.shows("Ida’s lamp") && settings?.childName == "Ida" })
        screen.close()
        try await bench.end()
    }

    @Test func severalLampsAreToldApartAndALostOneIsComeBackTo() async throws {
        let other = BluetoothAddress(0xC0FF_EEF1_1A4C, kind: .random)
        let bench = try await AppBench {
            [
                SimulatedNightlight.make(),
                SimulatedDevice(
                    kind: "nightlight", NightlightDevice(settings: NightlightSettings(childName: "Jonas")),
                    address: other, position: VirtualAir.Position(x: 2)),
            ]
        }
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "Devices")
        #expect(screen.says("No bulb near") && screen.says("No device wants a network"))
        try await bench.until { bench.app.devices(of: .nightlight).count == 2 }
        let peers = bench.app.devices(of: .nightlight).map(\.peer.plain)
        #expect(await screen.wait { peers.allSatisfy { screen.canPress("Nightlight …\($0.suffix(5))") } })
        for peer in peers {
            try await screen.press(having: "…\(peer.suffix(5))")
            #expect(await screen.wait(seconds: 60) { screen.says("Clock") })
            try screen.back()
            #expect(await screen.wait(seconds: 30) { !screen.canPress("…\(peer.suffix(5))") })
        }
        #expect(screen.canPress("Mia’s lamp") && screen.canPress("Jonas’ lamp"), "\(screen.description)")
        try await screen.press(having: "Mia’s lamp")
        #expect(await screen.wait(seconds: 60) { screen.says("Clock") && screen.canPress("LEDs on") })
        // From one to the other and back, without the list.
        try await screen.choose("Jonas’ lamp", in: "Other lamps")
        #expect(await screen.wait(seconds: 60) { screen.shows("Jonas’ lamp") && screen.canPress("LEDs on") })
        #expect(screen.shows("Week") && !screen.shows("Week “School”"), "\(screen.description)")
        try await screen.choose("Mia’s lamp", in: "Other lamps")
        #expect(await screen.wait(seconds: 60) { screen.shows("Mia’s lamp") && screen.canPress("LEDs on") })
        try await bench.carry(SimulatedNightlight.address, away: true)
        #expect(await screen.wait(seconds: 60) { screen.shows("Not connected") }, "\(screen.description)")
        // What was known stays, and nothing can be asked of it.
        #expect(screen.says("Clock") && !screen.canPress("LEDs on"))
        #expect(screen.canPress("Week “School”"))
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await bench.carry(SimulatedNightlight.address, away: false)
        try await screen.press("Try again")
        #expect(await screen.wait(seconds: 60) { screen.canPress("LEDs on") }, "\(screen.description)")
        screen.close()
        try await bench.end()
    }
}

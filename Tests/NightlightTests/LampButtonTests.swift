// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Nightlight
import Testing

private func lamp(_ text: String = "2026-11-21 12:00", _ change: (inout ButtonSettings) -> Void = { _ in })
    throws -> Lamp
{
    var settings = NightlightSettings.factory
    settings.button = ButtonSettings(
        isEnabled: true, onSeconds: 60, dailyPresses: 2, deactivation: .none, alters: true,
        color: RGBColor(red: 255, green: 0, blue: 0))
    change(&settings.button)
    return Lamp(settings, clock: try reading(text))
}

@Suite("The child's button")
struct LampButtonTests {
    @Test("A press lights the lamp for its time, and the next one for its whole time again")
    func press() throws {
        let lamp = try lamp()
        lamp.connect()
        #expect(lamp.press() == .lit(pressesLeft: 1))
        #expect(lamp.shows == "button ff0000 1")
        lamp.run(seconds: 59)
        #expect(lamp.source.source == .button)
        #expect(lamp.press() == .lit(pressesLeft: 0))
        lamp.run(seconds: 59)
        #expect(lamp.source.source == .button)
        lamp.run(seconds: 1)
        #expect(lamp.shows == "off 000000")
        #expect(lamp.notified() == ["button ff0000", "off 000000"])
    }

    @Test("An empty budget fills at midnight and not before")
    func budget() throws {
        let lamp = try lamp("2026-11-21 23:50")
        #expect(lamp.press() == .lit(pressesLeft: 1))
        lamp.run(minutes: 2)
        #expect(lamp.press() == .lit(pressesLeft: 0))
        lamp.run(minutes: 2)
        #expect(lamp.press() == .usedUp)
        #expect(lamp.source.source == .off)
        lamp.run(seconds: 359)
        #expect(lamp.press() == .usedUp)
        lamp.run(seconds: 1)
        #expect(lamp.press() == .lit(pressesLeft: 1))
    }

    @Test("A refused press costs nothing")
    func refusedIsFree() throws {
        let window = ButtonSettings.Deactivation(from: try time("12:00"), to: try time("12:10"))
        let lamp = try lamp { $0.deactivation = window }
        #expect(lamp.press() == .deactivated)
        lamp.run(minutes: 10)
        #expect(lamp.press() == .lit(pressesLeft: 1))
    }

    @Test("As many presses as the child likes, or none")
    func extremes() throws {
        let free = try lamp { $0.dailyPresses = 255 }
        for _ in 0..<600 { #expect(free.press() == .lit(pressesLeft: nil)) }
        #expect(try lamp { $0.dailyPresses = 0 }.press() == .disabled)
        #expect(try lamp { $0.isEnabled = false }.press() == .disabled)
        #expect(try lamp { $0.onSeconds = 0 }.press() == .noTime)
        let long = try lamp { $0.onSeconds = .max }
        _ = long.press()
        long.run(seconds: 65_534)
        #expect(long.shows == "button ff0000 1")
        long.run(seconds: 1)
        #expect(long.source.source == .off)
    }

    @Test(
        "The window in which it does nothing may wrap past midnight; its end belongs to the day again",
        arguments: [
            ("21:00", "06:00", "20:59", false), ("21:00", "06:00", "21:00", true),
            ("21:00", "06:00", "00:00", true),
            ("21:00", "06:00", "05:59", true), ("21:00", "06:00", "06:00", false),
            ("08:00", "12:00", "11:59", true),
            ("08:00", "12:00", "12:00", false), ("08:00", "12:00", "07:59", false),
            ("10:00", "10:00", "10:00", false),
            ("00:00", "23:59", "23:59", false), ("00:00", "23:59", "12:00", true),
        ])
    func window(from: String, to: String, at: String, isDeactivated: Bool) throws {
        let window = ButtonSettings.Deactivation(from: try time(from), to: try time(to))
        let lamp = try lamp("2026-11-21 \(at)") { $0.deactivation = window }
        #expect((lamp.press() == .deactivated) == isDeactivated)
    }

    @Test("A light that is on runs out when the window begins")
    func windowBegins() throws {
        let window = ButtonSettings.Deactivation(from: try time("21:00"), to: try time("06:00"))
        let lamp = try lamp("2026-11-21 20:59:30") { $0.deactivation = window }
        _ = lamp.press()
        lamp.run(seconds: 59)
        #expect(lamp.source.source == .button)
    }

    @Test("Settings that are written while it is on hold at once")
    func written() throws {
        let lamp = try lamp()
        _ = lamp.press()
        lamp.run(seconds: 30)
        lamp.set(.buttonColor(try color("#0000ff")))
        #expect(lamp.shows == "button 0000ff 1")
        lamp.set(.buttonOnTime(300))
        #expect(lamp.shows == "button 0000ff 5")
        lamp.set(.buttonOnTime(30))
        #expect(lamp.source.source == .off)
        _ = lamp.press()
        lamp.set(.buttonEnabled(false))
        #expect(lamp.source.source == .off)
        lamp.set(.buttonEnabled(true))
        lamp.set(.buttonDailyPresses(255))
        _ = lamp.press()
        lamp.set(.buttonDailyPresses(0))
        #expect(lamp.source.source == .off)
    }

    @Test("A smaller budget counts what was pressed before")
    func smallerBudget() throws {
        let lamp = try lamp()
        _ = lamp.press()
        lamp.set(.buttonDailyPresses(1))
        #expect(lamp.press() == .usedUp)
        lamp.set(.buttonDailyPresses(3))
        #expect(lamp.press() == .lit(pressesLeft: 1))
    }

    @Test("Without a clock the button works, and its budget is one for all days")
    func noClock() {
        var settings = NightlightSettings.factory
        settings.button.dailyPresses = 1
        let lamp = Lamp(settings)
        #expect(lamp.press() == .lit(pressesLeft: 0))
        lamp.run(minutes: 3000)
        #expect(lamp.press() == .usedUp)
    }

    @Test("A shake turns the colour slowly for a while, and it stays so while the light is on")
    func shake() throws {
        let lamp = try lamp()
        lamp.connect()
        _ = lamp.press()
        lamp.shake()
        #expect(lamp.events.contains(.shaken(turnsColors: true)))
        #expect(lamp.shows == "button ff0000 1")
        lamp.run(seconds: 1)
        // Two steps of the wheel: a little towards yellow.
        #expect(lamp.source.color == RGBColor(red: 255, green: 0, blue: 0).turned(by: 32))
        lamp.run(seconds: 20)
        // 256 of 1530 steps: a sixth of the wheel and one step.
        #expect(lamp.shows == "button feff00 1")
        #expect(Set(lamp.notified()).count == 17)
        #expect(lamp.press() == .lit(pressesLeft: 0))
        #expect(lamp.source.color == RGBColor(red: 254, green: 255, blue: 0))
        lamp.run(minutes: 2)
        lamp.run(minutes: 24 * 60)
        _ = lamp.press()
        #expect(lamp.shows == "button ff0000 1")
    }

    @Test("Shaking does nothing when it is off, or when the light is not the button's")
    func noShake() throws {
        let still = try lamp { $0.alters = false }
        _ = still.press()
        still.shake()
        #expect(still.events.contains(.shaken(turnsColors: false)))
        still.run(seconds: 5)
        #expect(still.shows == "button ff0000 1")
        let dark = try lamp()
        dark.shake()
        #expect(dark.events.contains(.shaken(turnsColors: false)))
        // Switched off on the way, it stops where it is.
        let stopped = try lamp()
        _ = stopped.press()
        stopped.shake()
        stopped.run(seconds: 2)
        let there = stopped.source.color
        stopped.set(.buttonShake(false))
        stopped.run(seconds: 5)
        #expect(stopped.source.color == there)
        #expect(there.hex != "ff0000")
    }
}

@Suite("An app that tries colours out")
struct LampProofTests {
    private func lamp() throws -> Lamp {
        var settings = NightlightSettings(week: try schoolWeek())
        settings.isLinked = false
        let lamp = Lamp(settings, clock: try reading("2026-11-23 20:00"))
        lamp.connect()
        lamp.connect(Lamp.other)
        return lamp
    }

    @Test("A colour takes the LEDs; the others keep what they showed")
    func colors() throws {
        let lamp = try lamp()
        lamp.set(.led(3, try color("#0000ff")))
        #expect(lamp.read(.ledProof) == [1])
        #expect(lamp.colors == ["ff8800", "ff8800", "0000ff", "ff8800"])
        #expect(lamp.read(.led3) == [0, 0, 0xFF])
        lamp.set(.led(1, try color("#00ff00")))
        #expect(lamp.shows == "proof 00ff00 1")
        lamp.set(.link(true))
        #expect(lamp.colors == [String](repeating: "00ff00", count: 4))
        // What linked LEDs were told shows when they are linked no more.
        lamp.set(.led(4, try color("#ffffff")))
        #expect(lamp.read(.led4) == [0, 0xFF, 0])
        lamp.set(.link(false))
        #expect(lamp.colors == ["00ff00", "ff8800", "0000ff", "ffffff"])
    }

    @Test("60 s without a write end it, and each write of the app begins them anew")
    func timeOut() throws {
        let lamp = try lamp()
        lamp.set(.led(1, try color("#00ff00")))
        lamp.run(seconds: 59)
        lamp.set(.led(1, try color("#0000ff")))
        lamp.run(seconds: 59)
        lamp.set(.link(true))
        lamp.run(seconds: 59)
        // Neither a read nor a write of somebody else, nor one that is refused, is the app's.
        _ = lamp.read(.led1)
        lamp.set(.link(false), on: Lamp.other)
        lamp.write([2], to: .ledProof)
        #expect(lamp.source.source == .proof)
        lamp.run(seconds: 1)
        #expect(lamp.shows == "week ff8800 657")
        #expect(lamp.read(.ledProof) == [0])
    }

    @Test("0 ends it, and 1 takes the LEDs as they are")
    func written() throws {
        let lamp = try lamp()
        lamp.set(.proof(true))
        #expect(lamp.shows == "proof ff8800 1")
        lamp.set(.proof(false))
        #expect(lamp.source.source == .week)
        lamp.set(.proof(false))
        #expect(lamp.source.source == .week)
    }

    @Test("The link that wrote last holds the LEDs: its end is the end")
    func links() throws {
        let lamp = try lamp()
        lamp.set(.led(1, try color("#00ff00")))
        lamp.disconnect(Lamp.other)
        #expect(lamp.source.source == .proof)
        lamp.disconnect()
        #expect(lamp.source.source == .week)

        let two = try self.lamp()
        two.set(.led(1, try color("#00ff00")))
        two.set(.led(2, try color("#0000ff")), on: Lamp.other)
        #expect(two.colors.prefix(2) == ["00ff00", "0000ff"])
        two.disconnect()
        #expect(two.source.source == .proof)
        two.disconnect(Lamp.other)
        #expect(two.source.source == .week)
    }

    @Test("Anybody can end it")
    func endedByOther() throws {
        let lamp = try lamp()
        lamp.set(.led(1, try color("#00ff00")))
        lamp.set(.proof(false), on: Lamp.other)
        #expect(lamp.source.source == .week)
    }

    @Test("Both clients are told, and one that has not asked is not")
    func bothClients() throws {
        let lamp = try lamp()
        lamp.subscribe(Lamp.other, to: .activeSource, [])
        lamp.set(.led(1, try color("#00ff00")))
        lamp.run(minutes: 1)
        #expect(lamp.notified() == ["proof 00ff00", "week ff8800"])
        #expect(lamp.notified(Lamp.other).isEmpty)
    }

    @Test("A press under it lights what shows when it ends")
    func pressUnderProof() throws {
        let lamp = try lamp()
        lamp.set(.led(1, try color("#00ff00")))
        _ = lamp.press()
        #expect(lamp.source.source == .proof)
        lamp.set(.proof(false))
        #expect(lamp.shows == "button ffa040 10")
    }
}

@Suite("The lamp's battery")
struct LampBatteryTests {
    @Test("Level and charging are told when they change")
    func battery() {
        let lamp = Lamp()
        lamp.connect()
        #expect(lamp.read(.batteryLevel) == [100])
        #expect(lamp.read(.batteryStatus) == hex("02 4100 64"))
        lamp.device.set(LampBattery(percent: 40, isCharging: false), at: lamp.now)
        lamp.device.set(LampBattery(percent: 40, isCharging: true), at: lamp.now)
        lamp.device.set(LampBattery(percent: 40, isCharging: true), at: lamp.now)
        lamp.drain()
        #expect(
            lamp.sent.map(\.value) == [[40], hex("02 4100 28"), hex("02 2300 28")])
    }

    @Test("Who is known to have subscribed only after a change is told it, and once")
    func lateSubscription() {
        let lamp = Lamp()
        lamp.connect(subscribes: false)
        lamp.subscribe(to: .batteryLevel, isReported: false)
        lamp.device.set(LampBattery(percent: 40, isCharging: false), at: lamp.now)
        lamp.run(seconds: 1)
        lamp.subscribe(to: .batteryLevel)
        lamp.drain()
        #expect(lamp.sent.map(\.value) == [[40]])
        lamp.run(seconds: 1)
        lamp.subscribe(to: .batteryLevel)
        lamp.drain()
        #expect(lamp.sent.count == 1)
    }

    @Test(
        "What other lamps say of charging",
        arguments: [
            ("00 2300", true), ("00 4100", false), ("00 6100", false), ("00 0100", nil),
            ("07 2300 3412 28 00", true), ("02 4100 28", false),
        ] as [(String, Bool?)])
    func status(octets: String, isCharging: Bool?) throws {
        #expect(try BatteryLevelStatus(octets: hex(octets)).isCharging == isCharging)
    }

    @Test("What is too short is none", arguments: ["", "00", "00 23", "02 2300", "01 2300 34"])
    func short(octets: String) {
        #expect(throws: DecodeError.self) { try BatteryLevelStatus(octets: hex(octets)) }
    }
}

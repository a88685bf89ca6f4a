// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLEWire
import Companion
public import Nightlight

/// A Smart Nightlight on the virtual air.
public enum SimulatedNightlight {
    /// Its address, the same in every run.
    public static let address = BluetoothAddress(0xC0FF_EEF1_1A4B, kind: .random)

    /// What a lamp has that somebody uses: school nights and weekends, and a button for three times a day.
    public static let settings: NightlightSettings = {
        func night(_ on: UInt16, _ off: UInt16, _ color: RGBColor, timeout: UInt8? = nil) -> [LightPeriod] {
            guard let on = MinuteOfDay(rawValue: on), let off = MinuteOfDay(rawValue: off) else { return [] }
            do throws(LightPeriod.Failure) {
                return [try LightPeriod(on: on, off: off, color: color, timeout: timeout)]
            } catch {
                assertionFailure("the night is none")
                return []
            }
        }
        let week = WeekSchedule(
            name: "School",
            groups: [
                DayGroup(
                    .workingDays,
                    periods: night(19 * 60 + 30, 7 * 60, RGBColor(red: 0xFF, green: 0x88, blue: 0))),
                DayGroup(
                    .weekend,
                    periods: night(
                        20 * 60 + 30, 8 * 60, RGBColor(red: 0x20, green: 0x10, blue: 0x40), timeout: 90)),
            ])
        var settings = NightlightSettings(childName: "Mia", week: week, isLinked: true)
        settings.button.dailyPresses = 3
        settings.button.alters = true
        return settings
    }()

    /// A battery that lasts for some days yet.
    public static let battery = LampBattery(percent: 82, isCharging: false)

    /// Makes the lamp.
    ///
    /// - Parameters:
    ///   - settings: What it has kept.
    ///   - clock: What its clock shows when it is started; `nil` when it was never set.
    ///   - observer: Called for what the lamp reports, with the moment.
    /// - Returns: The lamp, not started.
    public static func make(
        settings: NightlightSettings = settings, clock: ClockReading? = nil,
        observer: @escaping (NightlightDeviceEvent, HostInstant) -> Void = { _, _ in }
    ) -> SimulatedDevice<NightlightDevice> {
        SimulatedDevice(
            kind: "nightlight",
            NightlightDevice(settings: settings, clock: clock, battery: battery),
            address: address,
            position: VirtualAir.Position(x: 1), observer: observer)
    }
}

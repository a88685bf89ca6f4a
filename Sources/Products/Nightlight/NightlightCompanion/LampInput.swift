// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Nightlight

/// What a person does to a simulated lamp, a line each.
public enum LampInput: Hashable, Sendable {
    /// The child presses the button.
    case press
    /// The child shakes the lamp.
    case shake
    /// Somebody sets the clock at the lamp; without a date its day stays.
    case time(LocalTime, hasDate: Bool)
    /// The battery is that full.
    case battery(UInt8)
    /// The battery is being charged or not.
    case charge(Bool)

    /// How to write the lines.
    public static let help = "Write press, shake, time [YYYY-MM-DDT]HH:MM[:SS], battery N, or charge on|off."

    /// Reads a line.
    ///
    /// - Parameter line: The line; `nil` comes back when it is none of these.
    public init?(_ line: String) {
        let words = line.split(whereSeparator: { $0.isWhitespace }).map(String.init)
        switch (words.first, words.count) {
        case ("press", 1): self = .press
        case ("shake", 1): self = .shake
        case ("time", 2...3):
            let text = words.dropFirst().joined(separator: "T")
            if let time = LocalTime(text) {
                self = .time(time, hasDate: true)
            } else if let time = LocalTime("2000-01-01T" + text) {
                self = .time(time, hasDate: false)
            } else {
                return nil
            }
        case ("battery", 2):
            guard let percent = UInt8(words[1]), percent <= 100 else { return nil }
            self = .battery(percent)
        case ("charge", 2):
            guard let isOn = ["on": true, "off": false][words[1]] else { return nil }
            self = .charge(isOn)
        default: return nil
        }
    }

    /// Does it to a lamp.
    ///
    /// - Parameters:
    ///   - lamp: The lamp.
    ///   - now: The moment.
    public func act(on lamp: inout NightlightDevice, at now: HostInstant) {
        switch self {
        case .press: lamp.press(at: now)
        case .shake: lamp.shake(at: now)
        case .time(var time, let hasDate):
            if !hasDate { time.date = lamp.localTime(at: now)?.date ?? time.date }
            lamp.set(time, at: now)
        case .battery(let percent):
            lamp.set(LampBattery(percent: percent, isCharging: lamp.battery.isCharging), at: now)
        case .charge(let isOn):
            lamp.set(LampBattery(percent: lamp.battery.percent, isCharging: isOn), at: now)
        }
    }
}

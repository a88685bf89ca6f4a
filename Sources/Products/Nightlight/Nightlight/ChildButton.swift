// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// The outcome of a press of the child's button.
public enum ButtonVerdict: Hashable, Sendable {
    /// The light is on; how many presses are left today, `nil` for as many as the child likes.
    case lit(pressesLeft: Int?)
    /// Nothing: the button is switched off, or no press a day counts.
    case disabled
    /// Nothing: all of today's presses are used up.
    case usedUp
    /// Nothing: it is a time at which the button does nothing.
    case deactivated
    /// Nothing: the light's time is zero seconds.
    case noTime

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .lit: "lit"
        case .disabled: "disabled"
        case .usedUp: "used_up"
        case .deactivated: "deactivated"
        case .noTime: "no_time"
        }
    }
}

/// The child's button, its light and its budget.
///
/// ```
///           press: allowed by switch, window and budget
///   dark ──────────────────────────────────────────────► lit ─┐ press: once more its whole time
///    ▲        on time over, switched off, no press a day   │ ◄─┘ shake: the hue turns for a while
///    └─────────────────────────────────────────────────────┘
/// ```
///
/// The budget begins anew on every other day of the lamp's calendar. A window that begins while the light is on
/// lets it run out.
struct ChildButton: Sendable {
    /// A light that is on.
    private struct Light {
        let since: HostInstant
        /// How far the hue has turned from the button's colour, of ``RGBColor/hues``.
        var turn = 0
        /// Steps of the hue that are still to come, and when the next one is.
        var steps = 0
        var nextStep: HostInstant
    }

    /// How often the hue takes a step while it turns, in milliseconds.
    static let stepTime: UInt64 = 500
    /// How far a step turns the hue.
    static let stepLength = 16
    /// How many steps a shake is good for: a sixth of the wheel in 8 s.
    static let stepsPerShake = 16

    private(set) var settings: ButtonSettings
    private var light: Light?
    /// The day to which ``used`` belongs.
    private var day: CalendarDate?
    private var used = 0

    init(_ settings: ButtonSettings) { self.settings = settings }

    /// The light's colour; `nil` when it is off.
    var color: RGBColor? {
        guard let light else { return nil }
        return light.turn == 0 ? settings.color : settings.color.turned(by: light.turn)
    }

    /// When the light goes off.
    var until: HostInstant? { light?.since.advanced(bySeconds: UInt64(settings.onSeconds)) }

    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? {
        guard let light else { return nil }
        return .earliest(until, light.steps > 0 ? light.nextStep : nil)
    }

    /// Handles a press.
    ///
    /// - Parameters:
    ///   - minute: The minute of the day on the lamp's clock; `nil` while nobody knows it.
    ///   - day: The day on that clock.
    ///   - now: The moment.
    /// - Returns: What comes of it.
    mutating func press(minute: MinuteOfDay?, day: CalendarDate?, at now: HostInstant) -> ButtonVerdict {
        guard settings.isEnabled, settings.dailyPresses > 0 else { return .disabled }
        if let minute, settings.deactivation.contains(minute) { return .deactivated }
        if self.day != day {
            self.day = day
            used = 0
        }
        let isLimited = settings.dailyPresses != ButtonSettings.unlimitedPresses
        let limit = Int(settings.dailyPresses)
        if isLimited, used >= limit { return .usedUp }
        guard settings.onSeconds > 0 else { return .noTime }
        if isLimited { used += 1 }
        // A turned colour stays while the light does.
        light = Light(
            since: now, turn: light?.turn ?? 0, steps: light?.steps ?? 0, nextStep: light?.nextStep ?? now)
        return .lit(pressesLeft: isLimited ? limit - used : nil)
    }

    /// Handles a shake.
    ///
    /// - Parameter now: The moment.
    /// - Returns: Whether the colours begin to turn, or turn longer.
    mutating func shake(at now: HostInstant) -> Bool {
        guard settings.alters, var light else { return false }
        if light.steps == 0 { light.nextStep = now.advanced(byMilliseconds: Self.stepTime) }
        light.steps = Self.stepsPerShake
        self.light = light
        return true
    }

    /// Sets other settings: they hold at once, also for a light that is on.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - now: The moment.
    mutating func set(_ settings: ButtonSettings, at now: HostInstant) {
        if settings.color != self.settings.color { light?.turn = 0 }
        if !settings.alters { light?.steps = 0 }
        self.settings = settings
        if !settings.isEnabled || settings.dailyPresses == 0 { light = nil }
        deadlineReached(at: now)
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    mutating func deadlineReached(at now: HostInstant) {
        if let until, until <= now { light = nil }
        guard var light else { return }
        while light.steps > 0, light.nextStep <= now {
            light.turn = (light.turn + Self.stepLength) % RGBColor.hues
            light.steps -= 1
            light.nextStep = light.nextStep.advanced(byMilliseconds: Self.stepTime)
        }
        self.light = light
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Something that a client can write to a lamp.
///
/// Spec: Documentation/Protocols/nightlight.md, Services and characteristics.
public enum NightlightSetting: Hashable, Sendable {
    /// The child's name; empty is the factory's value.
    case childName(WireText)
    /// The permanent schedule.
    case week(WeekSchedule)
    /// The temporary schedule; `nil` removes it.
    case day(DaySchedule?)
    /// Whether the LEDs have power.
    case power(Bool)
    /// Whether LEDs 2 to 4 follow LED 1.
    case link(Bool)
    /// Whether the app drives the LEDs.
    case proof(Bool)
    /// The colour of an LED, from 1; the app drives the LEDs from then on.
    case led(Int, RGBColor)
    /// Whether the button does anything.
    case buttonEnabled(Bool)
    /// How long the button's light is on, in seconds.
    case buttonOnTime(UInt16)
    /// How many presses a day count: 0 none, 255 all.
    case buttonDailyPresses(UInt8)
    /// When the button does nothing.
    case buttonDeactivation(ButtonSettings.Deactivation)
    /// Whether shaking alters the colours.
    case buttonShake(Bool)
    /// The colour of the button's light.
    case buttonColor(RGBColor)
    /// What the clock is to show.
    case clock(CurrentTime)
    /// The clock's time zone and DST offset.
    case zone(LocalTimeInformation)
    /// When DST changes next.
    case nextDSTChange(TimeWithDST)

    /// What the setting is called on the air.
    public var item: NightlightItem {
        switch self {
        case .childName: .childName
        case .week: .week
        case .day: .day
        case .power: .ledPower
        case .link: .ledLink
        case .proof: .ledProof
        case .led(let number, _): NightlightItem.leds[max(1, min(number, NightlightLimit.leds)) - 1]
        case .buttonEnabled: .buttonEnabled
        case .buttonOnTime: .buttonOnTime
        case .buttonDailyPresses: .buttonDailyUsage
        case .buttonDeactivation: .buttonDeactivation
        case .buttonShake: .buttonShake
        case .buttonColor: .buttonColor
        case .clock: .currentTime
        case .zone: .localTimeInformation
        case .nextDSTChange: .timeWithDST
        }
    }

    /// The value as it is written.
    public var octets: [UInt8] {
        switch self {
        case .childName(let name): return name.octets
        case .week(let week): return week.encoded()
        case .day(let day): return day?.encoded() ?? []
        case .power(let isOn), .link(let isOn), .proof(let isOn), .buttonEnabled(let isOn),
            .buttonShake(let isOn):
            return [isOn ? 1 : 0]
        case .led(_, let color), .buttonColor(let color): return color.octets
        case .buttonOnTime(let seconds): return [UInt8(seconds & 0xFF), UInt8(seconds >> 8)]
        case .buttonDailyPresses(let presses): return [presses]
        case .buttonDeactivation(let deactivation): return deactivation.octets
        case .clock(let time): return time.encoded()
        case .zone(let zone): return zone.encoded()
        case .nextDSTChange(let change): return change.encoded()
        }
    }

    /// Whether the lamp gives back what was written: a clock goes on, an LED shows what it shows.
    var readsBackAsWritten: Bool {
        switch self {
        case .clock, .led, .proof: false
        default: true
        }
    }
}

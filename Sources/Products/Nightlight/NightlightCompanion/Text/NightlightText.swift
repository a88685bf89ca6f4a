// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
public import Companion
public import CompanionText
public import Nightlight

/// Sentences about lamps, in a parent's words.
public enum NightlightText {
    /// Why the LEDs shine or not.
    public static func reason(_ source: LightSource) -> String {
        switch source {
        case .off: "nothing is due"
        case .week: "the week"
        case .day: "tonight’s schedule"
        case .button: "the child's button"
        case .proof: "an app is trying out colours"
        default: "a reason that this version does not know (\(source.rawValue))"
        }
    }

    /// Why a press of the button did nothing.
    public static func reason(_ verdict: ButtonVerdict) -> String {
        switch verdict {
        case .lit: "the light is on"
        case .disabled: "it is switched off"
        case .usedUp: "today's presses are used up"
        case .deactivated: "it does nothing at this time of the day"
        case .noTime: "its light lasts 0 seconds"
        }
    }

    /// The sentence for a device of another kind.
    ///
    /// - Parameters:
    ///   - address: The device as the person has named it.
    ///   - missing: What it lacks.
    /// - Returns: The sentence.
    public static func wrongDevice(_ address: String, missing: [BluetoothUUID]) -> String {
        let names = missing.map { $0.description }.joined(separator: ", ")
        return
            "\(address) is not a Smart Nightlight: it lacks \(names). Nothing was written; check the address."
    }

    /// What a lamp has accepted but does not keep.
    public static func notKept(_ item: NightlightItem) -> String {
        "The lamp took \(name(item)) but keeps something else. Update its firmware, then try again."
    }

    /// What a lamp has not got.
    public static func missing(_ item: NightlightItem) -> String {
        "This lamp has no \(plainName(item)) (\(item.uuid)); nothing was written."
    }

    /// Why a colour that is tried out will not be seen as it is, if so.
    ///
    /// - Parameters:
    ///   - values: What the lamp has.
    ///   - leds: On which LEDs.
    /// - Returns: The sentence, without a capital or a full stop.
    public static func proofNote(_ values: NightlightValues, _ leds: [Int]) -> String? {
        if values.isPowered == false {
            return "the LEDs have no power, so nothing will be seen: `nightlight power on` gives it to them"
        }
        if values.isLinked == true, let first = leds.first, !leds.contains(1) {
            return "the LEDs are linked, so LED \(first) follows LED 1: `nightlight link off` separates them"
        }
        return nil
    }

    /// What of a colour that is tried out is seen.
    ///
    /// - Parameters:
    ///   - values: What the lamp has.
    ///   - leds: On which LEDs it is tried out.
    ///   - color: The colour.
    ///   - length: For how long, in words.
    /// - Returns: The sentence.
    public static func proof(
        _ values: NightlightValues, _ leds: [Int], _ color: RGBColor, for length: String
    ) -> StyledText {
        let single = leds.count == 1 ? leds[0] : nil
        let has = StyledText(.plain(single.map { "LED \($0) has " } ?? "The LEDs have "), .color(color))
        if values.isPowered == false { return has + " for \(length), but no power: all are dark." }
        if values.isLinked == true, let single, single != 1, let seen = values.led(1) {
            return has
                + StyledText(
                    .plain(" for \(length), but follows LED 1, which shows "), .color(seen), .plain("."))
        }
        return StyledText(
            .plain(single.map { "LED \($0) shows " } ?? "The LEDs show "),
            .color(values.led(single ?? 1) ?? color), .plain(" for \(length)."))
    }

    /// What of a week a parent has to know, a line for each group of days.
    ///
    /// - Parameter week: The week.
    /// - Returns: The lines.
    public static func groups(of week: WeekSchedule) -> [StyledText] {
        week.groups.map { StyledText("\($0.days): ") + periods($0.periods) }
    }

    /// Times of light in one line.
    ///
    /// - Parameter periods: The times.
    /// - Returns: The line.
    public static func periods(_ periods: [LightPeriod]) -> StyledText {
        guard !periods.isEmpty else { return StyledText("dark") }
        var text = StyledText()
        for (index, period) in periods.enumerated() {
            text =
                text
                + StyledText(
                    .plain((index == 0 ? "" : "; ") + "\(period) "), .color(period.color),
                    .plain(period.timeout.map { ", \($0) minutes at most" } ?? ""))
        }
        return text
    }

    /// A week, a line for each group of days.
    public static func lines(_ week: WeekSchedule) -> [StyledText] {
        let name = week.name.string
        return [StyledText(name.isEmpty ? "A week without a name" : "The week “\(name)”")] + groups(of: week)
    }

    /// That a lamp would take a week, and what is in it.
    ///
    /// - Parameter week: The week.
    /// - Returns: The lines.
    public static func valid(_ week: WeekSchedule) -> [StyledText] {
        let name = week.name.string
        let title = "the week" + (name.isEmpty ? "" : " “\(name)”")
        return [StyledText(valid(title, size: week.encoded().count, of: NightlightLimit.week))]
            + groups(of: week)
    }

    /// That a lamp would take a day schedule, and what is in it.
    ///
    /// - Parameters:
    ///   - day: The schedule.
    ///   - days: For how many days it is meant.
    /// - Returns: The lines.
    public static func valid(_ day: DaySchedule, days: Int) -> [StyledText] {
        let title = days == 1 ? "the schedule for tonight" : "the schedule for \(days) days"
        return [
            StyledText(valid(title, size: day.encoded().count, of: NightlightLimit.day)),
            periods(day.periods),
        ]
    }

    /// That a lamp would take a schedule file.
    ///
    /// - Parameters:
    ///   - what: `the week “School”`.
    ///   - size: How many octets it would get.
    ///   - limit: How many there may be; `nil` for no need to say.
    /// - Returns: The sentence.
    public static func valid(_ what: String, size: Int, of limit: Int) -> String {
        "A lamp would take \(what) (\(size) of \(limit) octets)."
    }

    /// All that is wrong with a schedule file, a line each.
    ///
    /// - Parameters:
    ///   - faults: What is wrong.
    ///   - path: The file.
    /// - Returns: The lines.
    public static func faults(_ faults: [JSONDecodingError], in path: String) -> String {
        faults.map { fault in
            let column = fault.column.map { ", column \($0)," } ?? ""
            return "Line \(fault.line)\(column) of \(path): \(fault.reason)."
        }.joined(separator: "\n")
    }

    /// What a value is, without an article.
    public static func plainName(_ item: NightlightItem) -> String {
        switch item {
        case .ledPower: "LED power"
        case .ledLink: "LED link"
        case .ledProof: "trying out of colours"
        case .led1: "colour of LED 1"
        case .led2: "colour of LED 2"
        case .led3: "colour of LED 3"
        case .led4: "colour of LED 4"
        case .buttonOnTime: "button's time"
        case .buttonDailyUsage: "button's daily presses"
        case .buttonDeactivation: "quiet hours of the button"
        case .buttonShake: "shaking"
        case .buttonColor: "button's colour"
        case .buttonEnabled: "switch of the button"
        case .week: "week"
        case .day: "schedule for tonight"
        case .activeSource: "source of its light"
        case .childName: "child's name"
        case .batteryLevel: "battery level"
        case .batteryStatus: "charging state"
        case .localTimeInformation: "time zone"
        case .timeWithDST: "next clock change"
        case .currentTime: "clock"
        case .systemID: "system id"
        case .modelNumber: "model"
        case .serialNumber: "serial number"
        case .firmwareRevision: "firmware version"
        case .hardwareRevision: "hardware version"
        case .softwareRevision: "software version"
        }
    }

    /// What a value is, in a sentence.
    public static func name(_ item: NightlightItem) -> String { "the " + plainName(item) }

    /// What a lamp did not take, why, and what to do.
    public static func refusal(_ item: NightlightItem, _ failure: GATTRequestError) -> String {
        guard case .refused(let code) = failure else {
            return "Writing \(name(item)) did not work: \(failure). Try again."
        }
        let refusal = NightlightErrorCode(rawValue: code.rawValue)
        let start = "The lamp refused \(name(item)) and keeps the old one: "
        switch refusal {
        case .badVersion: return start + "it does not know this version of schedules. Update its firmware."
        case .badLength where item == .childName:
            return start + "a name has at most 32 octets. Give a shorter one."
        case .badLength: return start + "its length is not what the lamp expects. Update its firmware."
        case .badDays:
            return start + "each day of the week must be in one group. Check the file with `week check`."
        case .overlap: return start + "two times of light overlap. Check the file."
        case .outOfRange: return start + "a value is out of the lamp's range. Check what you gave."
        case .wrongSize: return start + "it expects another size. Update its firmware."
        default: return start + "\(failure)."
        }
    }

    /// A number of minutes in words.
    public static func duration(minutes: Int) -> String {
        let (hours, rest) = (minutes / 60, minutes % 60)
        switch (hours, rest) {
        case (0, _): return "\(rest) min"
        case (_, 0): return "\(hours) h"
        default: return "\(hours) h \(rest) min"
        }
    }

    /// A number of seconds in words, whole minutes from ten on.
    public static func duration(seconds: Int) -> String {
        seconds < 600 && seconds % 60 != 0 ? "\(seconds) s" : duration(minutes: (seconds + 30) / 60)
    }
}

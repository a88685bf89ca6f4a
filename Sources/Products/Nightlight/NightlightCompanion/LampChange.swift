// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import Nightlight

/// What somebody wants a lamp to be: what is not said stays.
public struct LampChange: EventPart, Hashable, Sendable {
    /// All keys.
    public static let keys = [
        "name", "week", "tonight", "tonight_days", "clear_tonight", "power", "linked", "button",
    ]

    /// The child's name; empty takes it away.
    public var name: String?
    /// The week.
    public var week: WeekSchedule?
    /// The schedule for some days in place of the week.
    public var day: DaySchedule?
    /// Whether that schedule is to be taken away.
    public var clearsDay = false
    /// Whether the LEDs have power.
    public var isPowered: Bool?
    /// Whether LEDs 2 to 4 follow LED 1.
    public var isLinked: Bool?
    /// The child's button.
    public var button: Button?

    /// What the button is to be.
    public struct Button: EventPart, Hashable, Sendable {
        /// All keys.
        static let keys = ["enabled", "on_seconds", "daily_presses", "from", "to", "shake", "color"]

        /// Whether it does anything.
        public var isEnabled: Bool?
        /// How long a press lights the lamp, in seconds.
        public var onSeconds: UInt16?
        /// How many presses a day count; 0 none, 255 all.
        public var dailyPresses: UInt8?
        /// When it does nothing.
        public var window: ButtonSettings.Deactivation?
        /// Whether shaking the lamp turns the colours.
        public var alters: Bool?
        /// The colour of its light.
        public var color: RGBColor?

        /// Makes one that changes nothing yet.
        public init(color: RGBColor? = nil) { self.color = color }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.flag("enabled", "Whether it does anything.") { $0.isEnabled }
            schema.integer("on_seconds", "How long a press lights the lamp, in seconds.") { $0.onSeconds }
            schema.integer("daily_presses", "How many presses a day count; 0 none, 255 all.") {
                $0.dailyPresses
            }
            schema.text("from", "The first minute in which it does nothing; the same as `to` for never.") {
                $0.window?.from.description
            }
            schema.text("to", "The minute after the last of them.") { $0.window?.to.description }
            schema.flag("shake", "Whether shaking the lamp turns the colours.") { $0.alters }
            schema.text("color", "The colour of its light.") { $0.color?.description }
        }
    }

    /// Makes a change.
    public init(button: Button? = nil) { self.button = button }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "The child's name; empty takes it away.") { $0.name }
        schema.object("week", "The week.") { $0.week.map { SchedulesOfWeek($0) } }
        schema.object("tonight", "The schedule for some days in place of the week.") {
            $0.day.map { ScheduleOfDay($0) }
        }
        schema.integer("tonight_days", "For how many days that is.") { $0.day?.daysLeft }
        schema.flag("clear_tonight", "Whether that schedule is to be taken away.") { $0.clearsDay }
        schema.flag("power", "Whether the LEDs have power.") { $0.isPowered }
        schema.flag("linked", "Whether LEDs 2 to 4 follow LED 1.") { $0.isLinked }
        schema.object("button", "The child's button.") { $0.button }
    }

    /// Reads a change; what is missing or null is not changed.
    ///
    /// - Parameter node: An object.
    /// - Throws: ``BadInput`` that says all that is wrong.
    public init(_ node: JSONNode) throws(BadInput) {
        do throws(JSONDecodingError) {
            try read(node)
        } catch {
            throw BadInput(Self.sentence([error.reason]))
        }
    }

    private mutating func read(_ node: JSONNode) throws(JSONDecodingError) {
        name = try node.member("name")?.text("The name")
        if let name, name.utf8.count > NightlightLimit.childName {
            throw node.fault(
                "A lamp keeps a name of at most \(NightlightLimit.childName) octets; this one has \(name.utf8.count)"
            )
        }
        if let week = try node.member("week") {
            let reading = try ScheduleJSON.week(week)
            if let fault = reading.faults.first { throw fault }
            self.week = reading.schedule
        }
        if let tonight = try node.member("tonight") {
            let days = try node.member("tonight_days")?.number(
                "The number of days", in: 1...NightlightLimit.days)
            let reading = try ScheduleJSON.day(tonight, days: days ?? 1)
            if let fault = reading.faults.first { throw fault }
            day = reading.schedule
        }
        clearsDay = try node.member("clear_tonight")?.flag("clear_tonight") ?? false
        isPowered = try node.member("power")?.flag("The power")
        isLinked = try node.member("linked")?.flag("The link of the LEDs")
        if let node = try node.member("button") { button = try Button(node) }
    }

    /// A sentence of what is wrong.
    static func sentence(_ reasons: [String]) -> String {
        reasons.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }.joined(separator: " ")
    }

    /// What is written to a lamp, in order; what the lamp has already is written, too.
    public var settings: [NightlightSetting] {
        var settings: [NightlightSetting] = []
        if let name { settings.append(.childName(WireText(name))) }
        if let week { settings.append(.week(week)) }
        if clearsDay { settings.append(.day(nil)) }
        if let day { settings.append(.day(day)) }
        if let isPowered { settings.append(.power(isPowered)) }
        if let isLinked { settings.append(.link(isLinked)) }
        return settings + (button?.settings ?? [])
    }
}

extension LampChange.Button {
    fileprivate init(_ node: JSONNode) throws(JSONDecodingError) {
        try node.allow(only: Self.keys)
        isEnabled = try node.member("enabled")?.flag("The button's switch")
        onSeconds = try node.member("on_seconds").map { node throws(JSONDecodingError) in
            UInt16(try node.number("The time that it shines, in seconds,", in: 0...65_535))
        }
        dailyPresses = try node.member("daily_presses").map { node throws(JSONDecodingError) in
            UInt8(try node.number("The presses a day", in: 0...255))
        }
        if let from = try node.member("from"), let to = try node.member("to") {
            guard let first = MinuteOfDay(try from.text("The time")),
                let last = MinuteOfDay(try to.text("The time"))
            else { throw node.fault("A time must be like 07:30") }
            window = ButtonSettings.Deactivation(from: first, to: last)
        }
        alters = try node.member("shake")?.flag("Shaking")
        color = try node.member("color").map { node throws(JSONDecodingError) in
            guard let color = RGBColor(try node.text("The colour")) else {
                throw node.fault("The colour must be like #ff8800")
            }
            return color
        }
    }

    fileprivate var settings: [NightlightSetting] {
        var settings: [NightlightSetting] = []
        if let isEnabled { settings.append(.buttonEnabled(isEnabled)) }
        if let onSeconds { settings.append(.buttonOnTime(onSeconds)) }
        if let dailyPresses { settings.append(.buttonDailyPresses(dailyPresses)) }
        if let window { settings.append(.buttonDeactivation(window)) }
        if let alters { settings.append(.buttonShake(alters)) }
        if let color { settings.append(.buttonColor(color)) }
        return settings
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What a lamp keeps when it has no power.
///
/// The lamp reports it whenever it changes; whoever runs the lamp stores it and gives it back at the next start.
public struct NightlightSettings: Hashable, Sendable {
    /// The child's name; empty is the factory's value.
    public var childName: WireText
    /// The permanent schedule.
    public var week: WeekSchedule
    /// The temporary schedule, with the days that are left.
    public var day: DaySchedule?
    /// Since when the temporary schedule counts, so that a lamp that restarts in the night knows what began the evening
    /// before; `nil` when the clock was never set, or there is nothing to know.
    public var dayOrigin: DayOrigin?
    /// The child's button.
    public var button: ButtonSettings
    /// Whether the LEDs have power.
    public var isPowered: Bool
    /// Whether LEDs 2 to 4 follow LED 1.
    public var isLinked: Bool

    /// Makes settings.
    public init(
        childName: WireText = "", week: WeekSchedule = .factory, day: DaySchedule? = nil,
        dayOrigin: DayOrigin? = nil, button: ButtonSettings = .factory, isPowered: Bool = true,
        isLinked: Bool = false
    ) {
        self.childName = childName
        self.week = week
        self.day = day
        self.dayOrigin = dayOrigin
        self.button = button
        self.isPowered = isPowered
        self.isLinked = isLinked
    }

    /// Since when a temporary schedule counts.
    public struct DayOrigin: Hashable, Sendable {
        /// The day on which the schedule had the days left that are kept.
        public var date: CalendarDate
        /// What it shines on the day before, when a temporary schedule was in force then, too.
        public var periodsBefore: [LightPeriod]?

        /// Makes an origin.
        public init(date: CalendarDate, periodsBefore: [LightPeriod]?) {
            self.date = date
            self.periodsBefore = periodsBefore
        }
    }

    /// What every new lamp has.
    public static let factory = NightlightSettings()
}

extension ButtonSettings {
    /// The button of a new lamp: ten minutes of warm light, as often as the child likes.
    public static let factory = ButtonSettings(
        isEnabled: true, onSeconds: 600, dailyPresses: unlimitedPresses, deactivation: .none, alters: false,
        color: RGBColor(red: 255, green: 160, blue: 64))
}

/// What a lamp's Device Information service says.
public struct LampIdentity: Hashable, Sendable {
    /// The model.
    public var modelNumber: WireText
    /// The serial number.
    public var serialNumber: WireText
    /// The version of the hardware.
    public var hardwareRevision: WireText
    /// The version of the firmware.
    public var firmwareRevision: WireText
    /// The version of the software.
    public var softwareRevision: WireText
    /// The system id: 40 bits of the maker's choice, 24 bits of the maker; least significant octet first on the air.
    public var systemID: UInt64

    /// Makes an identity.
    public init(
        modelNumber: WireText = "SN-4", serialNumber: WireText = "SN4-000001",
        hardwareRevision: WireText = "1",
        firmwareRevision: WireText = "1.0.0", softwareRevision: WireText = "1.0.0",
        systemID: UInt64 = 0x0002_5BFF_FE00_0001
    ) {
        self.modelNumber = modelNumber
        self.serialNumber = serialNumber
        self.hardwareRevision = hardwareRevision
        self.firmwareRevision = firmwareRevision
        self.softwareRevision = softwareRevision
        self.systemID = systemID
    }
}

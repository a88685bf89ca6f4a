// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The values of a lamp, as far as they were read.
///
/// The octets are kept as they came; what makes no sense is `nil` like what was not read.
public struct NightlightValues: Hashable, Sendable {
    /// The lamp's Device Information.
    public struct DeviceInformation: Hashable, Sendable {
        /// The model.
        public var modelNumber: WireText?
        /// The serial number.
        public var serialNumber: WireText?
        /// The version of the hardware.
        public var hardwareRevision: WireText?
        /// The version of the firmware.
        public var firmwareRevision: WireText?
        /// The version of the software.
        public var softwareRevision: WireText?
        /// The system id, 8 octets, least significant first.
        public var systemID: [UInt8]?
    }

    private var octets: [NightlightItem: [UInt8]] = [:]
    /// The name under which the lamp is found.
    public internal(set) var deviceName: WireText?
    /// When ``currentTime`` was read.
    public private(set) var clockWasRead: HostInstant?

    /// Makes values of which none was read.
    public init() {}

    /// The octets of a value; `nil` when it was not read.
    ///
    /// - Parameter item: The value.
    public subscript(item: NightlightItem) -> [UInt8]? { octets[item] }

    mutating func set(_ octets: [UInt8], of item: NightlightItem, at now: HostInstant) {
        self.octets[item] = octets
        if item == .currentTime { clockWasRead = now }
    }

    // MARK: LEDs

    /// Whether the LEDs have power.
    public var isPowered: Bool? { flag(.ledPower) }
    /// Whether LEDs 2 to 4 follow LED 1.
    public var isLinked: Bool? { flag(.ledLink) }
    /// Whether an app drives the LEDs.
    public var isProof: Bool? { flag(.ledProof) }

    /// What an LED shows.
    ///
    /// - Parameter number: Which one, 1 to 4.
    /// - Returns: The colour.
    public func led(_ number: Int) -> RGBColor? {
        NightlightItem.leds.indices.contains(number - 1) ? color(NightlightItem.leds[number - 1]) : nil
    }

    // MARK: The button

    /// Whether the button does anything.
    public var isButtonEnabled: Bool? { flag(.buttonEnabled) }
    /// How long its light is on, in seconds.
    public var buttonOnSeconds: UInt16? {
        guard let octets = octets[.buttonOnTime], octets.count == 2 else { return nil }
        return UInt16(octets[0]) | UInt16(octets[1]) << 8
    }
    /// How many presses a day count: 0 none, 255 all.
    public var buttonDailyPresses: UInt8? { octet(.buttonDailyUsage) }
    /// When it does nothing; equal ends are never.
    public var buttonDeactivation: ButtonSettings.Deactivation? {
        guard let octets = octets[.buttonDeactivation] else { return nil }
        do throws(DecodeError) { return try ButtonSettings.Deactivation(decoding: octets) } catch {
            return nil
        }
    }
    /// Whether shaking alters the colours.
    public var isShakeOn: Bool? { flag(.buttonShake) }
    /// The colour of its light.
    public var buttonColor: RGBColor? { color(.buttonColor) }

    // MARK: Schedules

    /// The permanent schedule.
    public var week: WeekSchedule? {
        guard let octets = octets[.week] else { return nil }
        do throws(ScheduleError) { return try WeekSchedule(decoding: octets) } catch { return nil }
    }
    /// The temporary schedule; `nil` also when there is none.
    public var day: DaySchedule? {
        guard let octets = octets[.day] else { return nil }
        do throws(ScheduleError) { return try DaySchedule.decode(octets) } catch { return nil }
    }
    /// What the LEDs show and why.
    public var source: ActiveSource? {
        guard let octets = octets[.activeSource] else { return nil }
        do throws(DecodeError) { return try ActiveSource(decoding: octets) } catch { return nil }
    }
    /// The child's name; empty is the factory's value.
    public var childName: WireText? { octets[.childName].map { WireText($0) } }

    // MARK: The battery, the clock and the device

    /// The battery's level in percent.
    public var batteryPercent: UInt8? { octet(.batteryLevel).flatMap { $0 <= 100 ? $0 : nil } }
    /// Whether it is being charged.
    public var isCharging: Bool? { batteryStatus?.isCharging }
    private var batteryStatus: BatteryLevelStatus? {
        guard let octets = octets[.batteryStatus] else { return nil }
        do throws(DecodeError) { return try BatteryLevelStatus(octets: octets) } catch { return nil }
    }
    /// What the clock showed when it was read.
    public var currentTime: CurrentTime? {
        guard let octets = octets[.currentTime] else { return nil }
        do throws(DecodeError) { return try CurrentTime(decoding: octets) } catch { return nil }
    }
    /// The clock's time zone and DST offset.
    public var localTimeInformation: LocalTimeInformation? {
        guard let octets = octets[.localTimeInformation] else { return nil }
        do throws(DecodeError) { return try LocalTimeInformation(decoding: octets) } catch { return nil }
    }
    /// When DST changes next.
    public var nextDSTChange: TimeWithDST? {
        guard let octets = octets[.timeWithDST] else { return nil }
        do throws(DecodeError) { return try TimeWithDST(decoding: octets) } catch { return nil }
    }
    /// The lamp's Device Information.
    public var deviceInformation: DeviceInformation {
        func text(_ item: NightlightItem) -> WireText? { octets[item].map { WireText($0) } }
        return DeviceInformation(
            modelNumber: text(.modelNumber), serialNumber: text(.serialNumber),
            hardwareRevision: text(.hardwareRevision), firmwareRevision: text(.firmwareRevision),
            softwareRevision: text(.softwareRevision),
            systemID: octets[.systemID].flatMap { $0.count == 8 ? $0 : nil })
    }

    // MARK: Reading

    /// Whether a value that was read makes sense.
    func isUnderstood(_ item: NightlightItem) -> Bool {
        octets[item].map { item.row.format.accepts($0) } ?? true
    }

    private func octet(_ item: NightlightItem) -> UInt8? {
        guard let octets = octets[item], octets.count == 1 else { return nil }
        return octets[0]
    }

    private func flag(_ item: NightlightItem) -> Bool? {
        switch octet(item) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    private func color(_ item: NightlightItem) -> RGBColor? {
        guard let octets = octets[item] else { return nil }
        do throws(DecodeError) { return try RGBColor(decoding: octets) } catch { return nil }
    }
}

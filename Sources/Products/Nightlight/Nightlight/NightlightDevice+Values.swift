// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

extension NightlightDevice {
    /// Answers a read.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - link: Who reads.
    ///   - now: The moment.
    /// - Returns: The whole value.
    /// - Throws: Invalid Handle for a value that the lamp has not.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        guard let item = item(of: handle) else { throw .invalidHandle }
        // What a deadline would change that nobody has reported yet has changed already.
        update(at: now)
        func flag(_ isOn: Bool) -> [UInt8] { [isOn ? 1 : 0] }
        switch item {
        case .ledPower: return flag(isPowered)
        case .ledLink: return flag(isLinked)
        case .ledProof: return flag(proof.colors != nil)
        case .led1: return led(0, at: now)
        case .led2: return led(1, at: now)
        case .led3: return led(2, at: now)
        case .led4: return led(3, at: now)
        case .buttonOnTime: return NightlightSetting.buttonOnTime(button.settings.onSeconds).octets
        case .buttonDailyUsage: return [button.settings.dailyPresses]
        case .buttonDeactivation: return button.settings.deactivation.octets
        case .buttonShake: return flag(button.settings.alters)
        case .buttonColor: return button.settings.color.octets
        case .buttonEnabled: return flag(button.settings.isEnabled)
        case .week: return plan.week.encoded()
        case .day: return plan.daySchedule(on: clock.time(at: now).date)?.encoded() ?? []
        case .activeSource: return activeSource(at: now).encoded()
        case .childName: return childName.octets
        case .batteryLevel: return [battery.percent]
        case .batteryStatus: return battery.status.octets
        case .currentTime: return clock.currentTime(at: now).encoded()
        case .localTimeInformation: return clock.zone.encoded()
        case .timeWithDST: return clock.next.encoded()
        case .systemID:
            var writer = ByteWriter(capacity: 8)
            writer.write(identity.systemID)
            return writer.octets
        case .modelNumber: return identity.modelNumber.octets
        case .serialNumber: return identity.serialNumber.octets
        case .firmwareRevision: return identity.firmwareRevision.octets
        case .hardwareRevision: return identity.hardwareRevision.octets
        case .softwareRevision: return identity.softwareRevision.octets
        }
    }

    /// Handles a write; one that is refused leaves the value as it was.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - value: The whole new value.
    ///   - link: Who writes.
    ///   - now: The moment.
    /// - Throws: The profile's error for a value that the lamp cannot take.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        guard let item = item(of: handle) else { throw .invalidHandle }
        update(at: now)
        do throws(NightlightErrorCode) {
            if let size = item.fixedSize, value.count != size { throw .wrongSize }
            try apply(value, as: item, on: link, at: now)
        } catch {
            report(.refused(link, item, error))
            throw ATT.ErrorCode(rawValue: error.rawValue)
        }
        if item.isOfLEDs { proof.extend(link, at: now) }
        report(.written(link, item, value))
        if item.isKept { reportSettings(at: now) }
        update(at: now)
    }

    private func led(_ index: Int, at now: HostInstant) -> [UInt8] { display(at: now).colors[index].octets }

    private mutating func apply(
        _ value: [UInt8], as item: NightlightItem, on link: LinkID, at now: HostInstant
    ) throws(NightlightErrorCode) {
        switch item {
        case .ledPower: isPowered = try flag(value)
        case .ledLink: isLinked = try flag(value)
        case .ledProof:
            if try flag(value) { driveLEDs(link, at: now) } else { proof.end() }
        case .led1: try set(value, ofLED: 0, link, at: now)
        case .led2: try set(value, ofLED: 1, link, at: now)
        case .led3: try set(value, ofLED: 2, link, at: now)
        case .led4: try set(value, ofLED: 3, link, at: now)
        case .buttonOnTime, .buttonDailyUsage, .buttonDeactivation, .buttonShake, .buttonColor,
            .buttonEnabled:
            try setButton(value, item, at: now)
        case .week: try setWeek(value, at: now)
        case .day: try setDay(value, at: now)
        case .childName:
            guard value.count <= NightlightLimit.childName else { throw .badLength }
            let name = WireText(value)
            guard name.isUTF8 else { throw .outOfRange }
            childName = name
        case .currentTime, .localTimeInformation, .timeWithDST: try setTime(value, item, at: now)
        // The server does not let these be written.
        case .activeSource, .batteryLevel, .batteryStatus, .systemID, .modelNumber, .serialNumber,
            .firmwareRevision, .hardwareRevision, .softwareRevision:
            throw NightlightErrorCode(rawValue: ATT.ErrorCode.writeNotPermitted.rawValue)
        }
    }

    private func flag(_ value: [UInt8]) throws(NightlightErrorCode) -> Bool {
        guard let octet = value.first, octet <= 1 else { throw .outOfRange }
        return octet == 1
    }

    private func color(_ value: [UInt8]) throws(NightlightErrorCode) -> RGBColor {
        do throws(DecodeError) { return try RGBColor(decoding: value) } catch {
            throw NightlightErrorCode(error)
        }
    }

    // MARK: LEDs

    private mutating func driveLEDs(_ link: LinkID, at now: HostInstant) {
        proof.begin(link, shown: shown(at: now).colors, at: now)
    }

    private mutating func set(
        _ value: [UInt8], ofLED index: Int, _ link: LinkID, at now: HostInstant
    ) throws(NightlightErrorCode) {
        let color = try color(value)
        driveLEDs(link, at: now)
        proof.set(color, of: index)
    }

    // MARK: The button

    private mutating func setButton(
        _ value: [UInt8], _ item: NightlightItem, at now: HostInstant
    ) throws(NightlightErrorCode) {
        var settings = button.settings
        switch item {
        case .buttonOnTime: settings.onSeconds = UInt16(value[0]) | UInt16(value[1]) << 8
        case .buttonDailyUsage: settings.dailyPresses = value[0]
        case .buttonDeactivation:
            do throws(DecodeError) {
                settings.deactivation = try ButtonSettings.Deactivation(decoding: value)
            } catch {
                throw NightlightErrorCode(error)
            }
        case .buttonShake: settings.alters = try flag(value)
        case .buttonColor: settings.color = try color(value)
        default: settings.isEnabled = try flag(value)
        }
        button.set(settings, at: now)
    }

    // MARK: Schedules

    private mutating func setWeek(_ value: [UInt8], at now: HostInstant) throws(NightlightErrorCode) {
        do throws(ScheduleError) {
            plan.set(week: try WeekSchedule(decoding: value), at: clock.unix(at: now), on: clock.wall)
        } catch {
            throw error.refusal
        }
        planChanged()
    }

    private mutating func setDay(_ value: [UInt8], at now: HostInstant) throws(NightlightErrorCode) {
        do throws(ScheduleError) {
            plan.set(day: try DaySchedule.decode(value), at: clock.unix(at: now), on: clock.wall)
        } catch {
            throw error.refusal
        }
        planChanged()
    }

    // MARK: The clock

    private mutating func setTime(
        _ value: [UInt8], _ item: NightlightItem, at now: HostInstant
    ) throws(NightlightErrorCode) {
        do throws(DecodeError) {
            switch item {
            case .currentTime:
                let given = try CurrentTime(decoding: value)
                // A clock cannot be set to an unknown time.
                guard let time = given.time else { throw DecodeError(.outOfRange(0), at: 0) }
                setClock(time, fractions: given.fractions, at: now)
            case .localTimeInformation:
                clock.set(try LocalTimeInformation(decoding: value), at: now)
                planChanged()
            default:
                clock.set(try TimeWithDST(decoding: value), at: now)
                planChanged()
            }
        } catch {
            throw NightlightErrorCode(error)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Nightlight

/// The values of a lamp beside the clock of the computer that has read them.
public struct LampState: Hashable, Sendable {
    /// The lamp.
    public let peer: Peer
    /// The lamp's values; its clock was read a moment ago.
    public let values: NightlightValues
    /// What this computer's clock showed then.
    public let host: ClockReading
    /// The part of a second behind it, from 0 to 1.
    public let hostFraction: Double

    /// Makes a state.
    public init(_ peer: Peer, _ values: NightlightValues, host: ClockReading, hostFraction: Double = 0) {
        self.peer = peer
        self.values = values
        self.host = host
        self.hostFraction = hostFraction
    }

    /// What the lamp's clock shows, if it shows a time.
    public var clock: ClockReading? {
        guard let time = values.currentTime?.time else { return nil }
        // What a lamp does not say is no difference.
        return ClockReading(
            time: time, zone: values.localTimeInformation ?? host.zone,
            next: values.nextDSTChange ?? host.next)
    }

    /// Lamp minus computer, in seconds on the wall.
    private var exactDifference: Double? {
        guard let current = values.currentTime, let time = current.time else { return nil }
        return Double(time.seconds(since: host.time)) + Double(current.fractions) / 256 - hostFraction
    }

    /// Lamp minus computer, in whole seconds on the wall.
    public var difference: Int64? { exactDifference.map { Int64($0.rounded()) } }

    /// What is to be done about the lamp's clock; one that has never been set is set and reported.
    public var action: ClockAction {
        guard values[.currentTime] != nil else { return .none }
        guard var clock, let exactDifference else { return .setAndReport }
        // Whole seconds of the exact difference, not a difference of whole seconds.
        let utc = WallClock.utc
        clock.time = utc.time(at: utc.moment(of: host.time).advanced(bySeconds: Int64(exactDifference)))
        return clock.action(against: host)
    }

    /// What the schedules make the lamp do.
    public var plan: LightPlan? {
        guard let week = values.week else { return nil }
        var plan = LightPlan(week: week, day: values.day, from: time.date)
        if let source = values.source { plan.agree(with: source, at: moment, on: wall) }
        return plan
    }

    /// The child's name, unless it is the factory's.
    public var childName: String? { values.childName.flatMap { $0.isEmpty ? nil : $0.string } }

    /// The clock by which the lamp decides, else this computer's.
    private var reading: ClockReading { clock ?? host }
    /// What that clock shows.
    public var time: LocalTime { reading.time }
    /// That clock on the wall.
    public var wall: WallClock { WallClock(reading.zone, next: reading.next) }
    /// The moment that it shows.
    public var moment: UnixTime { wall.moment(of: time) }

    /// What the schedules make shine now; `nil` when they are not known.
    public var planned: PlannedLight? { plan?.light(at: moment, on: wall) }

    /// What the schedules make the lamp do on its clock's day, part by part; empty when they are not known.
    public var plannedDay: [LightStretch] { plan?.timeline(of: time.date, on: wall) ?? [] }

    /// Whether the lamp does something else than its schedules make it do, which a button or an app can do, LEDs without
    /// power and a fault.
    public var differsFromPlan: Bool {
        guard let plan, let source = values.source else { return false }
        return isKeptDark || !plan.shows(source, untilThen: true, at: moment, on: wall)
    }

    /// Whether the lamp is dark while its schedules say light, as it is without power.
    private var isKeptDark: Bool {
        guard let planned, planned.color != .black else { return false }
        return values.isPowered == false || values.source?.color == .black
    }
}

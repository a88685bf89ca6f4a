// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import CompanionHub

extension LampModel {
    /// By how much markers are moved, in seconds: steps of the clock, from noon on.
    private static var step: Int64 { 300 }

    /// A time of light of the night whose beginning or end a person has moved; nothing is sent yet.
    public struct MovedPeriod: Hashable, Sendable {
        /// As it is on the lamp.
        let old: LampNight.Period
        /// When it would go on and off.
        var begin: UnixTime
        var end: UnixTime
    }

    /// Something that shines, on the band of the night.
    public struct BandPart: Hashable, Sendable {
        /// Where it begins and ends, from 0 at noon to 1 at the next noon.
        public let places: ClosedRange<Double>
        /// How it shines.
        public let color: RGBColor
    }

    /// The beginning or the end of a time of light, on the band of the night.
    public struct BandMarker: Hashable, Identifiable, Sendable {
        /// Which one of a night.
        public struct ID: Hashable, Sendable {
            /// The place of the time of light among those of the night.
            let period: Int
            /// Whether it is the end.
            let isEnd: Bool
        }

        /// Which one it is.
        public let id: ID
        /// Where it stands, from 0 at noon to 1 at the next noon.
        public let place: Double
        /// The same as one reads it.
        public let minute: MinuteOfDay
        /// The colour between the two.
        public let color: RGBColor

        /// Whether it is the end.
        public var isEnd: Bool { id.isEnd }
    }

    /// What shines in the night, in order.
    public var bandParts: [BandPart] {
        guard let night else { return [] }
        return night.shines.filter { $0.source != .off }.map { span in
            BandPart(
                places: place(of: span.from, in: night)...place(of: span.to, in: night), color: span.color)
        }
    }

    /// The time of light that is moved, where it would shine.
    public var movedPart: BandPart? {
        guard let night, let moved = moving(in: night) else { return nil }
        return BandPart(
            places: place(of: moved.begin, in: night)...place(of: moved.end, in: night),
            color: moved.old.period.color)
    }

    /// The markers of the night, in order.
    public var bandMarkers: [BandMarker] {
        guard let night, let wall = dashboard?.state?.wall else { return [] }
        return night.periods.indices.flatMap { index in
            let (begin, end) = moments(of: index, in: night, wall)
            return [begin, end].enumerated().map { number, moment in
                BandMarker(
                    id: .init(period: index, isEnd: number == 1), place: place(of: moment, in: night),
                    minute: wall.time(at: moment).minuteOfDay, color: night.periods[index].period.color)
            }
        }
    }

    /// Moves a marker by steps of five minutes.
    public func move(_ marker: BandMarker.ID, bySteps steps: Int) {
        guard let night, let wall = dashboard?.state?.wall, night.periods.indices.contains(marker.period)
        else { return }
        let (begin, end) = moments(of: marker.period, in: night, wall)
        move(marker, to: (marker.isEnd ? end : begin).advanced(bySeconds: Int64(steps) * Self.step))
    }

    /// Moves a marker to a place, from 0 at noon to 1 at the next noon.
    public func move(_ marker: BandMarker.ID, to place: Double) {
        guard let night, place.isFinite else { return }
        let seconds = min(1, max(0, place)) * Double(night.to.seconds - night.from.seconds)
        move(marker, to: night.from.advanced(bySeconds: Int64(seconds)))
    }

    /// Puts a marker back where it was.
    public func putBack() { moved = nil }

    /// The time of light as it would be, to be kept for tonight or for always; `nil` while none is moved.
    public var movedDraft: PeriodDraft? {
        guard let night, let moved = moving(in: night), let wall = dashboard?.state?.wall else { return nil }
        var draft = PeriodDraft(moved.old.period, at: .night(moved.old))
        draft.on = wall.time(at: moved.begin).minuteOfDay
        draft.off = wall.time(at: moved.end).minuteOfDay
        return draft
    }

    // MARK: Parts

    private func move(_ marker: BandMarker.ID, to moment: UnixTime) {
        guard let night, let wall = dashboard?.state?.wall, night.periods.indices.contains(marker.period)
        else { return }
        let period = night.periods[marker.period]
        var (begin, end) = moments(of: marker.period, in: night, wall)
        let steps = Double(moment.seconds - night.from.seconds) / Double(Self.step)
        let wanted = night.from.advanced(bySeconds: Int64(steps.rounded()) * Self.step)
        // It begins in this night, and is some minutes long.
        if marker.isEnd {
            end = min(max(wanted, begin.advanced(bySeconds: Self.step)), max(night.to, end))
        } else {
            begin = max(min(wanted, end.advanced(bySeconds: -Self.step)), night.from)
        }
        moved = MovedPeriod(old: period, begin: begin, end: end)
        if let draft = movedDraft, !draft.isChanged { moved = nil }
    }

    /// What is moved, as long as the lamp still has it as it was.
    private func moving(in night: LampNight) -> MovedPeriod? {
        moved.flatMap { night.periods.contains($0.old) ? $0 : nil }
    }

    private func moments(
        of index: Int, in night: LampNight, _ wall: WallClock
    ) -> (begin: UnixTime, end: UnixTime) {
        let period = night.periods[index]
        if let moved = moving(in: night), moved.old == period { return (moved.begin, moved.end) }
        let last = period.period.wrapsPastMidnight ? period.date.advanced(byDays: 1) : period.date
        return (
            wall.moment(of: LocalTime(period.date, period.period.on)),
            wall.moment(of: LocalTime(last, period.period.off))
        )
    }

    private func place(of moment: UnixTime, in night: LampNight) -> Double {
        let whole = Double(night.to.seconds - night.from.seconds)
        return min(1, max(0, Double(moment.seconds - night.from.seconds) / whole))
    }
}

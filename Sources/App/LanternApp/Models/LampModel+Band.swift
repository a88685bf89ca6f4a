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

    /// What can be moved on the band of the night: a time of light, its beginning, or its end.
    public struct BandMarker: Hashable, Identifiable, Sendable {
        /// What of a time of light is moved.
        public enum Part: Hashable, Sendable {
            /// All of it, which stays as long as it is.
            case whole
            /// Its beginning.
            case begin
            /// Its end.
            case end
        }

        /// Which one of a night.
        public struct ID: Hashable, Sendable {
            /// The place of the time of light among those of the night.
            let period: Int
            /// What of it is moved.
            let part: Part
        }

        /// Which one it is.
        public let id: ID
        /// Where it begins and ends, from 0 at noon to 1 at the next noon; the same twice for what is one moment.
        public let places: ClosedRange<Double>
        /// The same as one reads it, one or two of them.
        public let minutes: [MinuteOfDay]
        /// The colour of the time of light.
        public let color: RGBColor

        /// What of the time of light is moved.
        public var part: Part { id.part }
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

    /// What of the night can be moved, in order: each time of light below its beginning and its end.
    public var bandMarkers: [BandMarker] {
        guard let night, let wall = dashboard?.state?.wall else { return [] }
        return night.periods.indices.flatMap { index in
            let (begin, end) = moments(of: index, in: night, wall)
            let parts: [(BandMarker.Part, [UnixTime])] = [
                (.whole, [begin, end]), (.begin, [begin]), (.end, [end]),
            ]
            return parts.map { part, moments in
                let places = moments.map { place(of: $0, in: night) }
                return BandMarker(
                    id: .init(period: index, part: part), places: places[0]...places[places.count - 1],
                    minutes: moments.map { wall.time(at: $0).minuteOfDay },
                    color: night.periods[index].period.color)
            }
        }
    }

    /// Moves a marker by steps of five minutes.
    public func move(_ marker: BandMarker.ID, bySteps steps: Int) {
        guard let night, let wall = dashboard?.state?.wall, night.periods.indices.contains(marker.period)
        else { return }
        let (begin, end) = moments(of: marker.period, in: night, wall)
        let moment = marker.part == .end ? end : begin
        move(marker, to: moment.advanced(bySeconds: Int64(steps) * Self.step))
    }

    /// Moves a marker, or the beginning of a whole time of light, to a place from 0 at noon to 1 at the next noon.
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
        switch marker.part {
        case .end: end = min(max(wanted, begin.advanced(bySeconds: Self.step)), max(night.to, end))
        case .begin: begin = max(min(wanted, end.advanced(bySeconds: -Self.step)), night.from)
        case .whole:
            let length = end.seconds - begin.seconds
            begin = min(max(wanted, night.from), night.to.advanced(bySeconds: -Self.step))
            end = begin.advanced(bySeconds: length)
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

// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import Detections
import HubModel
import Testing

@Suite("What says where we are")
struct PlaceChoiceTests {
    private let berlin = Position(latitude: 52.5, longitude: 13.4)

    private func chosen(_ source: HubLocation.Source, _ position: Position? = nil) -> HubSettings.Location {
        var location = HubSettings.Location()
        (location.source, location.position) = (source, position)
        return location
    }

    @Test func whatIsChosenCounts() throws {
        let berlin = try #require(self.berlin)
        var choice = PlaceChoice()
        #expect(choice.source == PlaceSource.none)
        #expect(choice.choose(chosen(.none)) == false)
        for (location, source) in [
            (chosen(.gpsd), .gpsd), (chosen(.browser), .browser), (chosen(.fixed, berlin), .fixed(berlin)),
            // Neither can be chosen, whatever a file says.
            (chosen(.track), .none), (chosen(.browser), .browser), (chosen(.route), .none),
        ] as [(HubSettings.Location, PlaceSource)] {
            #expect(choice.choose(location) == true)
            #expect(choice.source == source)
            #expect(choice.choose(location) == false)
        }
        // A fixed place that nobody has said is none; a place beside another source changes nothing.
        #expect(choice.choose(chosen(.fixed)) == false)
        #expect(choice.source == PlaceSource.none)
        #expect(choice.choose(chosen(.browser)) == true)
        #expect(choice.choose(chosen(.browser, berlin)) == false)
    }

    @Test func aTrackCountsUntilSomethingElseIsChosen() {
        var choice = PlaceChoice(.track(pace: 3))
        #expect(choice.source == .track(pace: 3) && choice.source.pace == 3)
        // What was chosen before it was given.
        #expect(choice.choose(chosen(.gpsd)) == false)
        #expect(choice.choose(chosen(.gpsd)) == false)
        #expect(choice.source == .track(pace: 3))
        #expect(choice.choose(chosen(.none)) == true)
        #expect(choice.source == PlaceSource.none)
        #expect(choice.choose(chosen(.gpsd)) == true)
        #expect(choice.source == .gpsd)
    }

    @Test func aRouteCountsWhileNothingIsChosen() {
        var choice = PlaceChoice(.route)
        #expect(choice.source == .route)
        #expect(choice.choose(chosen(.none)) == false)
        #expect(choice.choose(chosen(.browser)) == true)
        #expect(choice.source == .browser)
        #expect(choice.choose(chosen(.none)) == true)
        #expect(choice.source == .route)
    }

    @Test func eachHasItsName() throws {
        let berlin = try #require(self.berlin)
        for (source, name) in [
            (.none, .none), (.fixed(berlin), .fixed), (.gpsd, .gpsd), (.browser, .browser),
            (.track(pace: 2), .track), (.route, .route),
        ] as [(PlaceSource, HubLocation.Source)] { #expect(source.name == name) }
        #expect(PlaceSource.gpsd.pace == 1)
    }
}

@Suite("Where we are")
struct WhereaboutsTests {
    /// What is known of a source, and a clock that a test moves.
    private struct Bench {
        var place: Whereabouts
        private(set) var now = HostInstant.zero
        private(set) var told: [LocationChanged] = []
        private(set) var used: [UsedFix] = []

        init(_ source: PlaceSource) { place = Whereabouts(source) }

        var moment: Moment { .at(now) }
        var location: HubLocation { place.location(at: moment) }

        mutating func pass(milliseconds: UInt64) { now = now.advanced(byMilliseconds: milliseconds) }

        /// A fix of now, so many metres north.
        mutating func fix(_ metres: Double, isTimed: Bool = true) {
            let fix = Fix(
                time: isTimed ? moment.time.milliseconds : 0, latitude: 52 + metres / 111_195, longitude: 13,
                altitude: 40, accuracy: 3, speed: 12, course: 0, source: .receiver)
            place.receive(fix, isTimed: isTimed, at: moment)
            drain()
        }

        mutating func drain() {
            while let output = place.nextOutput() {
                switch output {
                case .changed(let event): told.append(event)
                case .used(let fix): used.append(fix)
                }
            }
        }
    }

    @Test func nobodyKnowsItWithoutASource() {
        let bench = Bench(.none)
        #expect(bench.location == HubLocation())
        #expect(bench.place.sample(of: bench.moment.time, at: bench.moment) == nil)
    }

    @Test func aFixedPlaceIsKnownAtOnce() throws {
        let position = try #require(Position(latitude: 1, longitude: 2))
        let bench = Bench(.fixed(position))
        #expect(
            bench.location
                == HubLocation(
                    source: .fixed, condition: .fix, position: position, activity: "stationary",
                    time: bench.moment.time))
        #expect(bench.place.sample(of: bench.moment.time, at: bench.moment) == .fixed(position))
    }

    @Test func aFixIsUsedToldAndGetsOld() {
        var bench = Bench(.browser)
        #expect(bench.location.condition == .noFix && bench.location.source == .browser)
        #expect(bench.location.reason == "No browser has said in the last ten seconds where it is.")
        bench.fix(0)
        #expect(bench.told.map { $0.condition } == [.found] && bench.used.count == 1)
        #expect(bench.used[0].pace == 1 && bench.place.refusal == nil)
        bench.pass(milliseconds: 10_000)
        #expect(bench.location.condition == .fix && bench.location.reason == nil)
        #expect(bench.location.accuracy == 3 && bench.location.altitude == 40 && bench.location.speed == 12)
        // When that was so.
        #expect(bench.location.time == Moment.beginning.time)
        bench.pass(milliseconds: 1)
        #expect(bench.location.condition == .noFix && bench.location.position == nil)
    }

    @Test func whatWasAMomentAgoIsKnown() {
        var bench = Bench(.gpsd)
        let first = bench.moment.time
        bench.fix(0)
        bench.pass(milliseconds: 5000)
        bench.fix(60)
        let before = bench.place.sample(of: first, at: bench.moment)
        #expect(before?.position.latitude == 52 && before?.fix?.age == 0)
        let now = bench.place.sample(of: bench.moment.time, at: bench.moment)
        #expect(now?.position.latitude ?? 0 > 52.0005)
        // A clock that was set back is not believed.
        let later = Timestamp(milliseconds: bench.moment.time.milliseconds + 5000)
        #expect(bench.place.sample(of: later, at: bench.moment) == now)
    }

    @Test func aFixThatCannotBeTrueIsNotUsed() {
        var bench = Bench(.browser)
        bench.fix(0)
        bench.fix(5000)
        #expect(bench.place.refusal == "This place is not used: it is not newer than the one before it.")
        bench.pass(milliseconds: 1000)
        bench.fix(5000)
        #expect(bench.used.count == 1 && bench.told.map { $0.condition } == [.found, .refused, .refused])
        #expect(bench.place.refusal == "This place is not used: it is too far from the one before it.")
        #expect(bench.location.condition == .fix)
        #expect(bench.location.reason == "The last fix is not used: it is too far from the one before it.")
        bench.pass(milliseconds: 1000)
        bench.fix(24)
        #expect(bench.used.count == 2 && bench.place.refusal == nil && bench.location.reason == nil)
    }

    @Test func aFixWithoutATimeHasThatOfItsArrival() {
        var bench = Bench(.gpsd)
        bench.fix(0, isTimed: false)
        #expect(bench.used.map { $0.fix.time } == [bench.moment.time.milliseconds])
        #expect(bench.told.first?.reason != nil)
    }

    @Test func whatGPSDSaysIsShown() {
        var bench = Bench(.gpsd)
        #expect(bench.location.reason == "The receiver does not know yet where it is.")
        bench.place.receive(.searching(satellites: 2))
        bench.drain()
        #expect(bench.location.satellites == 2 && bench.told.map { $0.condition } == [.searching])
        bench.place.receive(.noReceiver)
        bench.drain()
        #expect(bench.location.reason == "\(LocationChanged.lacksReceiver).")
        bench.place.lose("it cannot be connected to")
        bench.drain()
        let lost = "No place from gpsd: it cannot be connected to. It is tried again by itself."
        #expect(bench.location.reason == lost)
        #expect(bench.told.map { $0.condition } == [.searching, .noReceiver, .unreachable])
        bench.place.receive(.fix(satellites: 7))
        bench.fix(0)
        #expect(bench.location.condition == .fix && bench.location.satellites == 7)
        #expect(bench.location.reason == nil)
    }

    @Test func aTrackHasItsOwnTime() {
        var bench = Bench(.track(pace: 10))
        bench.fix(0)
        #expect(bench.used.map { $0.pace } == [10])
        bench.pass(milliseconds: 1000)
        #expect(bench.location.condition == .fix)
        bench.pass(milliseconds: 1)
        // More than ten seconds of its time.
        #expect(bench.location.condition == .noFix)
        #expect(bench.location.reason == "The track is at its end.")
        bench.place.end()
        bench.drain()
        #expect(bench.told.map { $0.condition } == [.found, .ended])
    }

    @Test func aRouteIsSilentWhereItIsNotKnown() {
        let location = Bench(.route).location
        #expect(location.source == .route && location.condition == .noFix && location.reason == nil)
    }
}

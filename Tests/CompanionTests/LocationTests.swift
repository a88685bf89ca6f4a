// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Testing

@Suite struct LocationSourceTests {
    @Test(arguments: [
        ("gpsd", LocationSource.gpsd),
        ("gpsd:pi", .gpsd(host: "pi", port: 2947)),
        ("gpsd:pi:1234", .gpsd(host: "pi", port: 1234)),
        ("gpsd:[::1]", .gpsd(host: "::1", port: 2947)),
        ("gpsd:[::1]:1234", .gpsd(host: "::1", port: 1234)),
        ("gpsd:fe80::1", .gpsd(host: "fe80::1", port: 2947)),
        ("gpx:a drive.gpx", .track(path: "a drive.gpx")),
    ])
    func whatCanBeWritten(text: String, source: LocationSource) throws {
        #expect(try LocationSource(text) == source)
        #expect(try LocationSource(source.description) == source)
    }

    @Test func aPlace() throws {
        let equator = try #require(Position(latitude: 0, longitude: 13.4))
        #expect(try LocationSource("0,13.4") == .fixed(equator))
        let place = try #require(Position(latitude: 48.8584, longitude: -2.5))
        #expect(try LocationSource("48.8584,-2.5") == .fixed(place))
        #expect(LocationSource.fixed(place).description == "48.8584,-2.5")
    }

    @Test(arguments: [
        ("here", "does not say where we are; write LAT,LON"),
        ("gpsd:", "does not say where we are"),
        ("gpsd:[::1]x", "does not say where we are"),
        ("gpsd:pi:0", "\"0\" is not a port"),
        ("gpsd:pi:99999", "\"99999\" is not a port"),
        ("gpx:", "needs a file"),
        ("91,0", "The latitude 91.0 is not between -90 and 90"),
        ("1,2,3", "is not a place"),
        ("0,0", "0,0 is not a place"), ("0.0,-0.00001", "0,0 is not a place"),
    ])
    func whatCannot(text: String, sentence: String) throws {
        let error = try #require(throws: BadInput.self) { try LocationSource(text) }
        #expect(error.description.contains(sentence), "\(error.description)")
    }
}

@Suite struct GPXTrackTests {
    @Test func pointsOfAllSegmentsWithWhatRecordersAdd() throws {
        let track = try read(
            """
            <trk><name>A &lt;drive&gt; > home</name><trkseg>
            <trkpt lat="48.8584" lon='2.2945'><ele>35.5</ele><time>2026-11-23T04:00:00Z</time>
              <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>11.1</gpxtpx:speed>
              <gpxtpx:course>90</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
            <!-- <trkpt lat="1" lon="1"> --><trkpt lat="1" lon="2"/>
            </trkseg><trkseg><trkpt lon="2.3" lat="48.86"><time><![CDATA[2026-11-23T04:00:02.500Z]]></time></trkpt>
            </trkseg></trk>
            """)
        let start = try #require(Timestamp("2026-11-23T04:00:00Z")).milliseconds
        #expect(
            track.fixes == [
                Fix(
                    time: start, latitude: 48.8584, longitude: 2.2945, altitude: 35.5, speed: 11.1,
                    course: 90,
                    source: .track),
                Fix(time: start + 2500, latitude: 48.86, longitude: 2.3, source: .track),
            ])
    }

    @Test(arguments: [
        ("", "it has no track"),
        (#"<wpt lat="1" lon="2"><time>2026-11-23T04:00:00Z</time></wpt>"#, "it has no track"),
        (#"<trkpt lat="1" lon="2"></trkpt>"#, "its points have no times"),
        (#"<trkpt lat="1"></trkpt>"#, "its points have no places"),
        (#"<trkpt lat="north" lon="2"></trkpt>"#, "its points have no places"),
        ("<trk>\n</trkseg>", "line 4: </trkseg> closes what is not open"),
        ("<trk><trkseg>", "line 4: </gpx> closes what is not open"),
        (#"<trkpt lat=1 lon="2">"#, "line 3: a value in quotation marks is missing"),
        (#"<trkpt lat="1"#, "line 3: a value in quotation marks is missing"),
        ("<!-- no end", "line 5: it ends where --> is missing"),
        ("<>", "line 3: a name is missing"),
    ])
    func whatIsNoTrackIsRefusedWithItsLine(text: String, phrase: String) throws {
        let error = try #require(throws: BadInput.self) { try read(text) }
        #expect(error.description == phrase)
    }

    @Test(arguments: [
        ("", "it is empty"), ("<rss/>", "line 1: it is not GPX; export the track as GPX"),
        ("<!-- nothing -->", "it is not GPX; export the track as GPX"),
        ("<gpx>", "line 1: it ends inside <gpx>"),
        ("<gpx", "line 1: a name is missing"),
        ("<!DOCTYPE gpx [ <!ENTITY a \"b\"> ", "line 1: it ends inside a declaration"),
    ])
    func wholeFiles(text: String, phrase: String) throws {
        let error = try #require(throws: BadInput.self) { try GPXTrack(Array(text.utf8)) }
        #expect(error.description == phrase)
    }

    @Test func aFileThatIsCutAnywhereIsNoTrackAndNoCrash() throws {
        let whole = Array(
            (#"<?xml version="1.0"?><!DOCTYPE gpx><gpx a='b'><trkpt lat="1" lon="2"><time>2026-11-23T04:00:00Z"#
                + "</time><!-- c --></trkpt></gpx>").utf8)
        #expect(try GPXTrack(whole).fixes.count == 1)
        for count in whole.indices { #expect(throws: BadInput.self) { try GPXTrack(Array(whole[..<count])) } }
    }

    private func read(_ text: String) throws -> GPXTrack {
        try GPXTrack(
            Array(
                "<?xml version=\"1.0\"?>\n<gpx xmlns=\"http://www.topografix.com/GPX/1/1\">\n\(text)\n</gpx>\n"
                    .utf8))
    }
}

@Suite struct LocationTrackerTests {
    private let tracker = Followed()

    @Test func aFixIsToldOnceAndThenOnlyWhenTheActivityChanges() throws {
        #expect(tracker.whereabouts(at: 0) == nil)
        let first = try #require(tracker.receive(fix(0, speed: 0), at: 0))
        #expect((first.condition, first.motion.activity, first.reason) == (.found, "stationary", nil))
        #expect(tracker.receive(fix(1, speed: 0), at: 1000) == nil)
        // It takes three seconds until a speed counts.
        for second in 2..<5 {
            #expect(tracker.receive(fix(second, speed: 12), at: UInt64(second) * 1000) == nil)
        }
        let second = try #require(tracker.receive(fix(5, speed: 12), at: 5000))
        #expect((second.condition, second.motion.activity, second.motion.speed) == (.found, "driving", 12))
        let whereabouts = try #require(tracker.whereabouts(at: 5500))
        #expect(whereabouts.motion == second.motion)
        #expect(whereabouts.position == Position(latitude: 48.0005, longitude: 2))
    }

    @Test func thatOfItsArrivalIsTheTimeOfAFixWithoutOneAndIsSaidOnce() throws {
        let first = try #require(tracker.receive(fix(0, speed: 0), at: 0, isTimed: false))
        #expect(first.condition == .found && first.fix?.time == fix(0).time)
        #expect(first.reason == "the receiver tells no time, so that of its arrival counts")
        #expect(tracker.receive(fix(1, speed: 0), at: 1000, isTimed: false) == nil)
        #expect(tracker.whereabouts(at: 1500)?.fix?.age == 500)
        // Many receivers know it once they know of leap seconds.
        let timed = try #require(tracker.receive(fix(2, speed: 0), at: 2000))
        #expect(timed.condition == .found && timed.reason == nil)
    }

    @Test func anOldFixSaysNothing() {
        _ = tracker.receive(fix(0), at: 0)
        #expect(tracker.whereabouts(at: 10_000) != nil)
        #expect(tracker.whereabouts(at: 10_001) == nil)
    }

    @Test func aMomentInTwoSentencesIsOneFix() throws {
        // As gpsd says it at first: the place, then the same with what the next sentence adds.
        #expect(tracker.receive(fix(0, speed: 11), at: 0)?.fix?.accuracy == nil)
        var whole = fix(0, speed: 11)
        (whole.accuracy, whole.altitude) = (19, 35)
        let found = try #require(tracker.receive(whole, at: 100))
        #expect((found.condition, found.fix?.accuracy, found.fix?.altitude) == (.found, 19, 35))
        #expect(
            tracker.whereabouts(at: 100)?.fix
                == FixDetails(source: .receiver, age: 100, accuracy: 19, altitude: 35))
        // Once more the same, or another place at that moment, is no new fix.
        #expect(tracker.receive(whole, at: 200)?.condition == .refused)
        whole.latitude += 0.001
        whole.altitudeAccuracy = 3
        #expect(tracker.receive(whole, at: 300) == nil)
        #expect(tracker.whereabouts(at: 300)?.position.latitude == fix(0).latitude)
    }

    @Test func aDetectionHasTheFixOfItsMoment() throws {
        for second in 0..<5 { _ = tracker.receive(fix(second), at: UInt64(second) * 1000 + 100) }
        // It waited for the disk, or came before the first fix.
        let place = try #require(tracker.whereabouts(at: 2600))
        #expect((place.position.latitude, place.fix?.age) == (fix(2).latitude, 500))
        #expect(tracker.whereabouts(at: 50) == nil)
        #expect(tracker.whereabouts(at: 4100)?.fix?.age == 0)
    }

    @Test func aRefusedFixIsToldOnceForEachReason() throws {
        _ = tracker.receive(fix(10), at: 0)
        let refused = try #require(tracker.receive(fix(9), at: 1000))
        #expect((refused.condition, refused.reason) == (.refused, "is not newer than the one before it"))
        #expect(refused.fix == fix(9))
        #expect(tracker.receive(fix(8), at: 2000) == nil)
        var nowhere = fix(12)
        (nowhere.latitude, nowhere.longitude) = (0, 0)
        #expect(tracker.receive(nowhere, at: 2000)?.reason?.contains("0,0") == true)
        #expect(tracker.whereabouts(at: 2000)?.position.latitude == fix(10).latitude)
        #expect(tracker.receive(fix(12), at: 2000)?.condition == .found)
    }

    @Test func gpsdComesAndGoes() {
        #expect(tracker.receive(.greeting) == nil && tracker.receive(.listening) == nil)
        #expect(!tracker.lacksReceiver)
        #expect(tracker.lose("it cannot be connected to")?.condition == .unreachable)
        #expect(tracker.lose("it cannot be connected to") == nil)
        #expect(tracker.receive(.noReceiver)?.condition == .noReceiver && tracker.lacksReceiver)
        let silent = tracker.receive(.noPlace(satellites: nil))
        #expect(silent?.condition == .searching && silent?.reason == "the receiver tells no place yet")
        #expect(!tracker.lacksReceiver)
        #expect(tracker.receive(.noPlace(satellites: 4)) == nil)
        let search = tracker.receive(.searching(satellites: nil))
        #expect(search?.condition == .searching && search?.reason == nil)
        #expect(tracker.receive(.searching(satellites: 3)) == nil)
        #expect(tracker.receive(.fix(satellites: 7)) == nil)
        #expect(tracker.receive(fix(0), at: 0)?.satellites == 7)
        #expect(tracker.receive(.noReceiver)?.satellites == nil)
        #expect(tracker.end()?.condition == .ended)
    }

    /// `#expect` cannot call what changes a value.
    private final class Followed {
        private var tracker = LocationTracker()

        func receive(_ fix: Fix, at instant: UInt64, isTimed: Bool = true) -> LocationChanged? {
            tracker.receive(fix, at: instant, isTimed: isTimed)
        }
        func receive(_ state: GPSDSession.State) -> LocationChanged? { tracker.receive(state) }
        func lose(_ reason: String) -> LocationChanged? { tracker.lose(reason) }
        var lacksReceiver: Bool { tracker.lacksReceiver }
        func end() -> LocationChanged? { tracker.end() }
        func whereabouts(at instant: UInt64) -> LocationSample? { tracker.whereabouts(at: instant) }
    }

    private func fix(_ second: Int, speed: Double? = nil) -> Fix {
        Fix(
            time: 1_795_406_400_000 + Int64(second) * 1000, latitude: 48 + Double(second) * 0.0001,
            longitude: 2,
            speed: speed, source: .receiver)
    }
}

@Suite struct LatePlacesTests {
    private let received = Timestamp(milliseconds: 1_795_000_000_000)

    private func fix(_ latitude: Double = 48) -> Fix {
        Fix(time: 1, latitude: latitude, longitude: 2, altitude: 30, accuracy: 5, source: .receiver)
    }

    @Test func theNextFixIsThePlaceOfWhatCameWithinHalfAMinute() throws {
        var late = LatePlaces()
        late.wait(for: 1, received: received, at: 1000)
        late.wait(for: 2, received: received, at: 1001)
        late.wait(for: 3, received: received, at: 31_001)
        let places = late.receive(fix(), at: 31_001)
        #expect(places.map(\.id) == [2, 3])
        #expect(places.map(\.fix.age) == [-30_000, -1])
        #expect(places.allSatisfy { $0.fix.wasFilledIn && $0.received == received })
        #expect(places[0].position == Position(latitude: 48, longitude: 2))
        #expect((places[0].fix.accuracy, places[0].fix.altitude, places[0].fix.source) == (5, 30, .receiver))
        #expect(late.isEmpty && late.receive(fix(), at: 31_002).isEmpty)
    }

    @Test func aTrackThatIsPlayedFasterHasLessTime() {
        var late = LatePlaces()
        late.wait(for: 1, received: received, at: 0)
        late.wait(for: 2, received: received, at: 2000)
        let places = late.receive(fix(), at: 3000, pace: 20)
        #expect(places.map(\.id) == [2] && places.first?.fix.age == -20_000)
    }

    @Test func noMoreWaitThanThereIsRoomFor() {
        var late = LatePlaces()
        for id in 0..<(LatePlaces.capacity + 5) { late.wait(for: Int64(id), received: received, at: 0) }
        let places = late.receive(fix(), at: 1)
        #expect(places.count == LatePlaces.capacity && places.first?.id == 5)
    }
}

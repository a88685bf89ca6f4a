// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Testing

/// What gpsd 3.22 sends, as recorded, and what it might.
@Suite struct GPSDReportTests {
    @Test func aFixWithItsAltitude() throws {
        let report = try read(
            #"""
            {"class":"TPV","device":"/dev/pts/1","mode":3,"time":"2026-11-23T04:00:02.500Z","ept":0.005,\#
            "lat":48.8587,"lon":2.2945,"altHAE":82.0,"altMSL":35.0,"alt":35.0,"epv":27.6,"track":12.5,\#
            "magtrack":0.8117,"magvar":0.8,"speed":11.112,"geoidSep":47.0,"eph":17.1,"sep":28.5}
            """#)
        let fix = Fix(
            time: Timestamp("2026-11-23T04:00:02.500Z")?.milliseconds ?? 0, latitude: 48.8587,
            longitude: 2.2945,
            altitude: 35, accuracy: 17.1, altitudeAccuracy: 27.6, speed: 11.112, course: 12.5,
            source: .receiver)
        #expect(report == .fix(fix, receiver: "/dev/pts/1", isTimed: true))
    }

    @Test func aFixInTwoDimensionsHasNoAltitude() throws {
        let report = try read(
            #"{"class":"TPV","mode":2,"time":"2026-11-23T04:00:02Z","lat":1,"lon":2,"alt":35,"epv":3,"epx":3,"epy":4}"#
        )
        guard case .fix(let fix, "", true) = report else { throw Missing(report) }
        #expect((fix.altitude, fix.altitudeAccuracy, fix.accuracy) == (nil, nil, 5))
    }

    @Test(arguments: [
        (
            #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
            GPSDReport.version("3.22")
        ),
        (#"{"class":"DEVICES","devices":[]}"#, .receivers([])),
        (
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"},{"x":1}]}"#,
            .receivers(["/dev/a"])
        ),
        (
            #"{"class":"DEVICE","path":"/dev/a","activated":"2026-11-23T04:18:15.108Z"}"#,
            .receiverCame("/dev/a")
        ),
        (#"{"class":"DEVICE","path":"/dev/a","activated":1.5}"#, .receiverCame("/dev/a")),
        (#"{"class":"DEVICE","path":"/dev/a","activated":0}"#, .receiverWent("/dev/a")),
        (#"{"class":"DEVICE","path":"/dev/a"}"#, .receiverWent("/dev/a")),
        (#"{"class":"DEVICE"}"#, .other),
        (#"{"class":"TPV","device":"/dev/a","mode":1}"#, .noFix(receiver: "/dev/a")),
        (#"{"class":"TPV","device":"/dev/a","mode":0,"lat":1,"lon":2}"#, .noFix(receiver: "/dev/a")),
        (#"{"class":"TPV","device":"/dev/a"}"#, .other),
        (#"{"class":"TPV","device":"/dev/a","mode":2}"#, .noPlace(receiver: "/dev/a")),
        (
            #"{"class":"TPV","device":"/dev/a","mode":2,"lat":1,"lon":2}"#,
            .fix(
                Fix(time: 0, latitude: 1, longitude: 2, source: .receiver), receiver: "/dev/a", isTimed: false
            )
        ),
        (
            #"{"class":"TPV","device":"/dev/a","mode":2,"time":"soon","lat":1,"lon":2}"#,
            .fix(
                Fix(time: 0, latitude: 1, longitude: 2, source: .receiver), receiver: "/dev/a", isTimed: false
            )
        ),
        (#"{"class":"TPV","device":"/dev/a","mode":3,"lat":nan,"lon":2}"#, .noPlace(receiver: "/dev/a")),
        (#"{"class":"TPV","device":"/dev/a","mode":Infinity,"lat":1,"lon":2}"#, .other),
        (
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-23T04:00:02Z","lat":"1","lon":2}"#,
            .noPlace(receiver: "/dev/a")
        ),
        (#"{"class":"SKY","device":"/dev/a","nSat":9,"uSat":7}"#, .satellites(7, receiver: "/dev/a")),
        (
            #"{"class":"SKY","satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false},{}]}"#,
            .satellites(1, receiver: "")
        ),
        (#"{"class":"SKY","device":"/dev/a","uSat":-1}"#, .other),
        (#"{"class":"SKY","device":"/dev/a","uSat":1e300}"#, .other),
        (#"{"class":"SKY","device":"/dev/a"}"#, .other),
        (
            #"{"class":"ERROR","message":"Unrecognized request '?FOO;'"}"#,
            .error("Unrecognized request '?FOO;'")
        ),
        (#"{"class":"WATCH","enable":true}"#, .other),
        (#"{"class":"YET UNKNOWN"}"#, .other),
    ])
    func whatTheLinesMean(line: String, report: GPSDReport) throws {
        #expect(try read(line) == report)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "GPRMC", #"{"class":1}"#, #"{"class":"TPV""#,
        #"{"class":"DEVICES","devices":1}"#,
    ])
    func whatIsNoneIsRefused(line: String) {
        #expect(throws: JSONDecodingError.self) { try read(line) }
    }

    private struct Missing: Error {
        let report: GPSDReport
        init(_ report: GPSDReport) { self.report = report }
    }

    private func read(_ line: String) throws(JSONDecodingError) -> GPSDReport {
        try GPSDReport(Array(line.utf8))
    }
}

@Suite struct GPSDSessionTests {
    private var session = GPSDSession(at: 0)

    @Test mutating func itIsGreetedAsksAndTellsWhatItHears() throws {
        #expect(
            hear(Self.greeting) == [
                .send(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)), .state(.listening),
            ])
        #expect(hear(Self.devices("/dev/a")) == [.state(.noPlace(satellites: nil))])
        #expect(hear(#"{"class":"TPV","device":"/dev/a","mode":1}"#) == [.state(.searching(satellites: nil))])
        #expect(hear(Self.devices("/dev/a")) == [])
        #expect(hear(#"{"class":"SKY","device":"/dev/a","uSat":2}"#) == [.state(.searching(satellites: 2))])
        let fix = Self.fix("/dev/a", second: 1)
        #expect(hear(fix.line) == [.fix(fix.fix), .state(.fix(satellites: nil))])
        #expect(hear(#"{"class":"SKY","device":"/dev/a","uSat":7}"#) == [.state(.fix(satellites: 7))])
        let next = Self.fix("/dev/a", second: 2)
        #expect(hear(next.line) == [.fix(next.fix)])
        #expect(hear(#"{"class":"TPV","device":"/dev/a","mode":1}"#) == [.state(.searching(satellites: nil))])
    }

    @Test mutating func linesMayBeCutAnywhere() {
        let fix = Self.fix("/dev/a", second: 1)
        let octets = Array("\(Self.greeting)\r\n\(Self.devices("/dev/a"))\r\n\n\(fix.line)\n".utf8)
        var outputs: [GPSDSession.Output] = []
        for octet in octets { outputs += session.receive([octet], at: 1) }
        #expect(outputs.last == .state(.fix(satellites: nil)))
        #expect(outputs.contains(.fix(fix.fix)))
    }

    @Test mutating func receiversComeAndGo() {
        _ = hear(Self.greeting)
        #expect(hear(Self.devices()) == [.state(.noReceiver)])
        #expect(hear(Self.devices()) == [])
        #expect(hear(Self.came("/dev/a")) == [.state(.noPlace(satellites: nil))])
        _ = hear(Self.fix("/dev/a", second: 1).line)
        #expect(hear(Self.came("/dev/b")) == [])
        #expect(hear(#"{"class":"DEVICE","path":"/dev/b","activated":0}"#) == [])
        #expect(hear(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#) == [.state(.noReceiver)])
        #expect(hear(Self.devices("/dev/c")) == [.state(.noPlace(satellites: nil))])
        #expect(hear(Self.devices()) == [.state(.noReceiver)])
    }

    @Test mutating func oneReceiverCountsUntilItHasBeenSilentForFiveSeconds() {
        _ = hear(Self.greeting)
        _ = hear(Self.devices("/dev/a", "/dev/b"))
        _ = hear(Self.fix("/dev/a", second: 1).line, at: 1000)
        #expect(hear(Self.fix("/dev/b", second: 2).line, at: 2000) == [])
        #expect(hear(#"{"class":"TPV","device":"/dev/b","mode":1}"#, at: 2000) == [])
        #expect(hear(#"{"class":"SKY","device":"/dev/b","uSat":9}"#, at: 2000) == [])
        let other = Self.fix("/dev/b", second: 6)
        #expect(hear(other.line, at: 6000) == [.fix(other.fix)])
        #expect(hear(Self.fix("/dev/a", second: 7).line, at: 7000) == [])
    }

    @Test mutating func silenceIsAskedThenGivenUp() {
        _ = hear(Self.greeting, at: 1000)
        _ = hear(Self.devices(), at: 1000)
        #expect(session.deadline == 31_000)
        #expect(session.tick(at: 30_999) == [])
        #expect(session.tick(at: 31_000) == [.send(Array("?POLL;\n".utf8))])
        #expect(session.deadline == 41_000)
        _ = hear(#"{"class":"POLL","active":0}"#, at: 40_000)
        #expect(session.deadline == 70_000)
        _ = session.tick(at: 70_000)
        #expect(session.tick(at: 80_000) == [.failed(.silent)])
        #expect(session.deadline == nil)
        #expect(hear(Self.greeting) == [])
    }

    /// As of a device that is given to gpsd and is not there, or sends nothing.
    @Test mutating func aReceiverThatSaysNothingIsNone() {
        _ = hear(Self.greeting, at: 1000)
        #expect(hear(Self.devices("/dev/a"), at: 2000) == [.state(.noPlace(satellites: nil))])
        #expect(session.deadline == 16_000)
        #expect(session.tick(at: 15_999) == [])
        #expect(session.tick(at: 16_000) == [.state(.noReceiver)])
        #expect(session.deadline == 32_000)
        let looks = #"{"class":"TPV","device":"/dev/a","mode":1}"#
        #expect(hear(looks, at: 17_000) == [.state(.searching(satellites: nil))])
        // One that is exchanged has its time again.
        #expect(hear(Self.devices(), at: 18_000) == [.state(.noReceiver)])
        #expect(hear(Self.came("/dev/b"), at: 20_000) == [.state(.noPlace(satellites: nil))])
        #expect(session.tick(at: 34_999) == [])
        #expect(session.tick(at: 35_000) == [.state(.noReceiver)])
    }

    @Test mutating func whereNoReceiverIsNamedThereIsNone() {
        _ = hear(Self.greeting, at: 1000)
        #expect(session.tick(at: 16_000) == [.state(.noReceiver)])
        #expect(session.tick(at: 31_000) == [.send(Array("?POLL;\n".utf8))])
    }

    @Test(arguments: [
        #"{"class":"TPV","device":"/dev/a","mode":0}"#, #"{"class":"TPV","device":"/dev/a","mode":1}"#,
        #"{"class":"TPV","device":"/dev/a","mode":3}"#, #"{"class":"SKY","device":"/dev/a","uSat":0}"#,
    ])
    mutating func aReceiverThatSaysSomethingIsOne(line: String) {
        _ = hear(Self.greeting, at: 1000)
        _ = hear(Self.devices("/dev/a"), at: 1000)
        _ = hear(line, at: 2000)
        #expect(session.deadline == 32_000)
        #expect(session.tick(at: 31_999) == [])
        #expect(session.state != .noReceiver)
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request", "$GPRMC,1", #"{"class":"TPV","mode":1}"#, "{}"])
    mutating func whatDoesNotGreetIsNotGPSD(line: String) {
        #expect(hear(line) == [.failed(.notGPSD)])
    }

    /// C's printf writes numbers that are none so.
    @Test mutating func aNumberThatIsNoneSpoilsItsFieldAlone() throws {
        _ = hear(Self.greeting)
        for line in try FieldCase.octets("gpsd-nan.jsonl").split(separator: 0x0A) {
            let outputs = session.receive(Array(line) + [0x0A], at: 1)
            guard case .fix(let fix)? = outputs.first else {
                Issue.record("\(String(decoding: line, as: UTF8.self)): \(outputs)")
                return
            }
            #expect(fix.latitude == 48.1 && fix.speed == nil && fix.course == nil && fix.altitude == 510)
        }
        #expect(session.faultCount == 0)
        let text =
            #"{"class":"TPV","device":"nan","mode":2,"time":"2026-11-23T04:00:02Z","lat":1,"lon":2,"eph":-NaN,"epv":inf}"#
        guard case .fix(_, "nan", true) = try GPSDReport(Array(text.utf8)) else {
            Issue.record("the text of a field is changed")
            return
        }
    }

    @Test(arguments: ["Infinity", "-Infinity", "1e999", "-1e999", "NAN", "+5", "1.", "0x1F", "1.2.3"])
    mutating func whateverIsWrittenForANumber(word: String) throws {
        _ = hear(Self.greeting)
        let line =
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-23T04:00:02Z","lat":48.5,"lon":2.25,"#
            + #""track":\#(word),"x":"a\\\" 1e999","ecef":{"x":\#(word)},"alt":35}"#
        let outputs = hear(line)
        guard case .fix(let fix)? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect((fix.latitude, fix.course, fix.altitude) == (48.5, nil, 35) && session.faultCount == 0)
    }

    /// Only one that says so looks for satellites.
    @Test(arguments: ["", #","lat":nan,"lon":nan"#, #","lat":1e999,"lon":2"#, #","lat":1"#])
    mutating func aModeWithoutAPlaceIsNoSearch(place: String) {
        _ = hear(Self.greeting)
        #expect(hear(Self.devices("/dev/a")) == [.state(.noPlace(satellites: nil))])
        let line = #"{"class":"TPV","device":"/dev/a","mode":3\#(place)}"#
        #expect(hear(line) == [])
        #expect(hear(#"{"class":"SKY","device":"/dev/a","uSat":6}"#) == [.state(.noPlace(satellites: 6))])
        #expect(hear(#"{"class":"TPV","device":"/dev/a","mode":0}"#) == [.state(.searching(satellites: 6))])
        #expect(hear(line) == [.state(.noPlace(satellites: 6))])
        let fix = Self.fix("/dev/a", second: 1)
        #expect(hear(fix.line, at: 1000) == [.fix(fix.fix), .state(.fix(satellites: nil))])
        // One report without a place is no loss yet.
        #expect(hear(line, at: 2000) == [])
        #expect(hear(line, at: 6000) == [.state(.noPlace(satellites: nil))])
    }

    /// Reports of other classes that are no JSON hold up nothing.
    @Test mutating func whatIsBrokenBesideHoldsUpNothing() throws {
        _ = hear(Self.greeting)
        let outputs = session.receive(try FieldCase.octets("gpsd-trailing-comma.jsonl"), at: 1)
        #expect(outputs.count { if case .fix = $0 { true } else { false } } > 10)
    }

    /// Some receivers never tell one, and some that of a clock that was never set.
    @Test(arguments: [
        "", #""time":"","#, #""time":null,"#, #""time":"1970-01-01T00:00:00.000Z","#,
        #""time":"1980-01-06T00:03:20.000Z","#, #""time":"0000-00-00","#,
    ])
    mutating func aFixWithoutATimeIsAFix(time: String) {
        _ = hear(Self.greeting)
        _ = hear(Self.devices("/dev/a"))
        let outputs = hear(#"{"class":"TPV","device":"/dev/a",\#(time)"mode":2,"lat":48.5,"lon":2.25}"#)
        let fix = Fix(time: 0, latitude: 48.5, longitude: 2.25, source: .receiver)
        #expect(outputs == [.untimedFix(fix), .state(.fix(satellites: nil))])
    }

    @Test mutating func whoeverSaysNothingIsNotGPSD() {
        #expect(session.receive(Array("{".utf8), at: 9000) == [])
        #expect(session.tick(at: 9999) == [])
        #expect(session.tick(at: 10_000) == [.failed(.notGPSD)])
    }

    @Test mutating func rubbishIsCountedAndPassedOver() {
        _ = hear(Self.greeting)
        _ = hear(Self.devices("/dev/a"))
        #expect(hear("{\"class\":\"TPV\"") == [])
        #expect(hear(String(repeating: "x", count: 200_000)) == [])
        #expect(
            hear("{\"class\":\"TPV\",\"mode\":1,\"x\":\"" + String(repeating: "y", count: 65_536) + "\"}")
                == [])
        #expect(session.faultCount == 3)
        let fix = Self.fix("/dev/a", second: 1)
        #expect(hear(fix.line).first == .fix(fix.fix))
    }

    // MARK: What gpsd says

    private static let greeting =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

    private static func devices(_ paths: String...) -> String {
        let devices = paths.map {
            #"{"class":"DEVICE","path":"\#($0)","activated":"2026-11-23T04:18:15.108Z"}"#
        }
        return #"{"class":"DEVICES","devices":["# + devices.joined(separator: ",") + "]}"
    }

    private static func came(_ path: String) -> String {
        #"{"class":"DEVICE","path":"\#(path)","activated":"2026-11-23T04:18:15.108Z"}"#
    }

    private static func fix(_ path: String, second: Int64) -> (line: String, fix: Fix) {
        let time = Timestamp(milliseconds: 1_795_000_000_000 + second * 1000)
        return (
            #"{"class":"TPV","device":"\#(path)","mode":2,"time":"\#(time)","lat":48.5,"lon":2.25}"#,
            Fix(time: time.milliseconds, latitude: 48.5, longitude: 2.25, source: .receiver)
        )
    }

    private mutating func hear(_ line: String, at now: UInt64 = 1) -> [GPSDSession.Output] {
        session.receive(Array((line + "\n").utf8), at: now)
    }
}

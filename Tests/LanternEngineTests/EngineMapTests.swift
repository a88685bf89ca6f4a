// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LanternEngine
import Testing

@Suite("The map without a hub", .timeLimit(.minutes(5)))
struct EngineMapTests {
    private static let world = #","filter":{"box":"-180,-90,180,90","zoom":16,"heat":true}"#

    private static func list(_ node: JSONNode, _ path: String...) -> [JSONNode] {
        var one: JSONNode? = node
        for key in path { one = try? one?.member(key) }
        if case .array(let items)? = one?.value { return items }
        return []
    }

    /// What an answer has, as text.
    private static func text(_ answer: JSONNode, _ key: String? = nil) -> String {
        var json = JSONWriter()
        let value = try? answer.member("value")
        (key.map { key in try? value?.member(key) } ?? value)?.write(into: &json)
        return json.text
    }

    /// The numbers of a list.
    private static func numbers(_ node: JSONNode) -> [Double] {
        guard case .array(let items) = node.value else { return [] }
        return items.compactMap { if case .number(let number) = $0.value { number } else { nil } }
    }

    @Test func theDemoDrivesPastCameras() throws {
        var page = Page()
        page.wait(seconds: 90)
        let location = try page.ask("GET", "/hub")
        #expect(location["value", "location", "source"] == .text("route"))
        #expect(location["value", "location", "state"] == .text("fix"))
        let map = try page.ask("GET", "/map", Self.world)
        let (pins, clusters) = (Self.list(map, "value", "pins"), Self.list(map, "value", "clusters"))
        #expect(pins.count > 5)
        for pin in pins { #expect(pin["place", "radius"] != nil && pin["place", "spots"] != nil) }
        let detections = try page.ask("GET", "/detections", #","filter":{"place":"with"}"#)
        guard case .number(let total)? = detections["value", "total"],
            case .number(let sources)? = map["value", "sources"]
        else { throw NoSuchDevice() }
        #expect(
            sources == Double(pins.count)
                + clusters.reduce(0) { $0 + ($1.number("count").map(Double.init) ?? 0) })
        #expect(Self.list(map, "value", "heat").reduce(0) { $0 + (Self.numbers($1).last ?? 0) } == total)
        let ways = Self.list(
            try page.ask("GET", "/map/routes", #","filter":{"box":"13,52,14,53","zoom":16}"#), "value",
            "routes")
        #expect(ways.count == 1 && Self.list(ways[0], "points").count > 3)
        // Elsewhere nothing is.
        let elsewhere = try page.ask("GET", "/map", #","filter":{"box":"0,0,1,1","zoom":9}"#)
        #expect(elsewhere["value", "sources"] == .number(0))
        for box in ["", "1,2,3", "200,0,100,1", "0,-91,1,1", "a,b,c,d"] {
            for path in ["/map", "/map/routes"] {
                let answer = try page.ask("GET", path, #","filter":{"box":"\#(box)","zoom":3}"#)
                // What is no number of degrees is refused before what is no place.
                #expect(answer["status"] == .number(box.hasPrefix("0,-91") ? 422 : 400), "\(path) \(box)")
            }
        }
        #expect(
            try page.ask("GET", "/map", #","filter":{"box":"0,0,1,1","zoom":25}"#)["status"] == .number(400))
        // What somebody sets counts.
        let fixed = #","if_match":"*","body":{"location":{"source":"fixed","latitude":1,"longitude":2}}"#
        #expect(try page.ask("PATCH", "/settings", fixed)["status"] == .number(200))
        #expect(try page.ask("GET", "/hub")["value", "location", "latitude"] == .number(1))
    }

    @Test func whatIsDeletedLeavesTheMap() throws {
        var page = Page()
        page.wait(seconds: 30)
        let device = try page.device("flockfinder")
        _ = try page.ask("POST", "/devices/\(device)/disconnect")
        page.wait(seconds: 3)
        let before = try page.ask("GET", "/map", Self.world)
        let all = try page.ask("GET", "/detections").items
        let source = try #require(all.first).number("source") ?? 0
        let gone = all.filter { $0.number("source") == source }.compactMap { $0.number("id") }
        let body = #","body":{"action":"delete","detections":\#(gone)}"#
        let answer = try page.ask("POST", "/detections/bulk", body)
        page.wait(seconds: 2)
        #expect(try page.ask("GET", "/map", Self.world)["value", "sources"] != before["value", "sources"])
        let undo = try answer.member("value")?.words("undo") ?? ""
        _ = try page.ask("POST", "/detections/bulk", #","body":{"action":"restore","undo":"\#(undo)"}"#)
        page.wait(seconds: 2)
        let after = try page.ask("GET", "/map", Self.world)
        #expect(Self.text(after, "pins") == Self.text(before, "pins"))
        #expect(Self.list(after, "value", "heat").count == Self.list(before, "value", "heat").count)
    }

    @Test func manyMarksAreAnsweredWithThoseBefore() throws {
        var page = Page()
        page.wait(seconds: 90)
        let ids = try page.ask("GET", "/sources").items.compactMap { $0.number("id") }.sorted()
        let first = try #require(ids.first)
        #expect(ids.count > 1)
        _ = try page.ask("PATCH", "/sources/\(first)", #","body":{"muted":true}"#)
        let answer = try page.ask("POST", "/detections/bulk", #","body":{"action":"mine","filter":{}}"#)
        #expect(answer["value", "changed"] == .number(Double(ids.count)))
        for (mark, before) in [
            ("none", Array(ids.dropFirst())), ("mine", []), ("muted", [first]), ("false_alarm", []),
        ] as [(String, [Int])] {
            let value = Self.list(answer, "value", "before", mark).map { $0.value }
            #expect(value == before.map { .number(Double($0)) }, "\(mark)")
        }
    }

    @Test func aDriveIsKeptAndComesBack() throws {
        let browser = Browser()
        let link = try browser.connect()
        _ = try browser.ask(
            "PATCH", "/settings", #","if_match":"*","body":{"location":{"source":"browser"}}"#)
        // Before the first fix.
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:01"), link: link)
        for second in 0..<60 {
            browser.wait(milliseconds: 1000)
            let latitude = 50.1 + Double(second) * 0.0001
            let body = #","body":{"latitude":\#(latitude),"longitude":8.6,"accuracy":5,"speed":11.1}"#
            #expect(try browser.ask("POST", "/position", body)["value", "used"] == .bool(true))
            if second == 30 { browser.detect(Browser.detection("AA:BB:CC:DD:EE:02"), link: link) }
        }
        #expect(browser.events("detection_placed").count == 1)
        // Ends after five minutes without a fix.
        browser.wait(milliseconds: 301_000)
        let part = #","filter":{"box":"8,50,9,51","zoom":17}"#
        let way = try browser.ask("GET", "/map/routes", part)
        let points = Self.list(try #require(Self.list(way, "value", "routes").first), "points")
        #expect(points.count >= 2)
        #expect(try #require(points.last.map(Self.numbers)).first ?? 0 > 50.105)
        #expect((browser.rows["drives"] ?? [:]).count > 5)
        let map = try browser.ask("GET", "/map", part)
        #expect(map["value", "sources"] == .number(2))

        let other = Browser(seed: 8)
        other.restore(browser.rows)
        other.wait(milliseconds: 3000)
        #expect(try other.ask("GET", "/hub")["value", "storage", "unreadable"] == .number(0))
        #expect(Self.text(try other.ask("GET", "/map/routes", part)) == Self.text(way))
        #expect(Self.text(try other.ask("GET", "/map", part), "pins") == Self.text(map, "pins"))

        let list = Self.list(try browser.ask("GET", "/drives"), "value", "drives")
        #expect(list.count == 1 && list[0].number("sources_new") == 1 && list[0].number("sources_known") == 0)
        let id = try #require(list.first?.number("id"))
        let drive = try browser.ask("GET", "/drives/\(id)")
        #expect(Self.list(drive, "value", "points").count > 50)
        let told = browser.events("drive_changed").map { $0.words("change") }
        #expect(told.first == "begun" && told.last == "ended" && told.contains("extended"))

        let file = try browser.ask("GET", "/exports/detections.gpx").words("value", "text")
        #expect(file.utf8.count > 3000)
        var json = JSONWriter()
        json.value(file)
        let body = #","body":{"octets":\#(json.text),"last":true}"#
        let third = Browser(seed: 9)
        #expect(try third.ask("POST", "/imports", body)["value", "drives"] == .number(1))
        #expect(try third.ask("POST", "/imports", body)["value", "known_drives"] == .number(1))
        #expect(try third.ask("POST", "/imports", body)["value", "drives"] == .number(0))
        let again = try third.ask("GET", "/map/routes", part)
        let taken = Self.list(try #require(Self.list(again, "value", "routes").first), "points")
        #expect(taken.map(Self.numbers) == points.map(Self.numbers))
        #expect((third.rows["drives"] ?? [:]).count == 1)

        #expect(try browser.ask("DELETE", "/drives/\(id)")["status"] == .number(204))
        #expect((browser.rows["drives"] ?? [:]).isEmpty)
        #expect(browser.events("drives_deleted").count == 1)
        #expect(try browser.ask("GET", "/drives/\(id)")["status"] == .number(404))
        #expect(try browser.ask("DELETE", "/drives/\(id)")["status"] == .number(404))
        #expect(Self.list(try browser.ask("GET", "/map/routes", part), "value", "routes").isEmpty)
    }

    @Test func aDriveThatIsDeletedWhileItGoesOnBeginsAnew() throws {
        let browser = Browser()
        _ = try browser.ask(
            "PATCH", "/settings", #","if_match":"*","body":{"location":{"source":"browser"}}"#)
        let move = { (seconds: Range<Int>) in
            for second in seconds {
                browser.wait(milliseconds: 1000)
                let latitude = 50.1 + Double(second) * 0.0001
                let body = #","body":{"latitude":\#(latitude),"longitude":8.6,"accuracy":5,"speed":11.1}"#
                _ = try browser.ask("POST", "/position", body)
            }
        }
        let drives = { Self.list(try browser.ask("GET", "/drives"), "value", "drives") }
        try move(0..<40)
        let first = try #require(try drives().first?.number("id"))
        #expect(try browser.ask("DELETE", "/drives/\(first)")["status"] == .number(204))
        #expect(try drives().isEmpty && (browser.rows["drives"] ?? [:]).isEmpty)
        try move(40..<80)
        let second = try #require(try drives().first?.number("id"))
        #expect(second != first && !(browser.rows["drives"] ?? [:]).isEmpty)
    }

    @Test func piecesOfADriveAreOneDriveAndOneThatGoesOnOutlivesTheClock() throws {
        let browser = Browser()
        let piece = { (row: Int, drive: Int, time: Int64, north: Double) in
            let points = (0..<3).map {
                "[\(time + Int64($0)),\(north + Double($0) / 100),8.6,null,null,null]"
            }
            return
                #"{"id":\#(row),"drive":\#(drive),"source":"browser","metres":9,"points":[\#(points.joined(separator: ","))]}"#
        }
        // The second drive is older than the first, and comes in two batches.
        for rows in [[piece(1, 1, 9000, 50), piece(2, 2, 1000, 52)], [piece(3, 2, 2000, 52.03)]] {
            browser.engine.restore(Array(#"{"drives":[\#(rows.joined(separator: ","))],"ids":[]}"#.utf8))
        }
        let world = #","filter":{"box":"-180,-90,180,90","zoom":12}"#
        #expect(Self.list(try browser.ask("GET", "/map/routes", world), "value", "routes").count == 2)
        let settings = #","if_match":"*","body":{"location":{"source":"browser"},"retention_days":1}"#
        #expect(try browser.ask("PATCH", "/settings", settings)["status"] == .number(200))
        for second in 0..<20 {
            browser.wait(milliseconds: 1000)
            let body =
                #","body":{"latitude":\#(50.1 + Double(second) * 0.0001),"longitude":8.6,"accuracy":5,"speed":11.1}"#
            _ = try browser.ask("POST", "/position", body)
        }
        // The clock is set two days ahead while a drive goes on.
        browser.ahead = 2 * 86_400_000
        browser.wait(milliseconds: 61_000)
        for second in 80..<100 {
            browser.wait(milliseconds: 1000)
            let body =
                #","body":{"latitude":\#(50.1 + Double(second) * 0.0001),"longitude":8.6,"accuracy":5,"speed":11.1}"#
            _ = try browser.ask("POST", "/position", body)
        }
        // Those of 1970 are gone; the one that went on is there, and the next.
        let left = Self.list(try browser.ask("GET", "/map/routes", world), "value", "routes")
        #expect(left.map { $0.words("begin").prefix(10) } == ["2026-11-21", "2026-11-23"])
    }

    @Test func aDriveThatCannotBeReadIsCounted() throws {
        let browser = Browser()
        for row in [
            "{}", #"{"id":1,"drive":1,"source":"browser","metres":5,"points":[]}"#,
            #"{"id":1,"drive":1,"source":"browser","metres":5,"points":[[1,2,3]]}"#,
            #"{"id":1,"drive":1,"source":"browser","metres":5,"points":[[1,95,3,null,null,null]]}"#,
            #"{"id":1,"drive":1,"source":"nobody","metres":5,"points":[[1,5,3,null,null,null]]}"#,
        ] { browser.engine.restore(Array(#"{"drives":[\#(row)],"ids":[]}"#.utf8)) }
        for row in [
            "{}",
            #"{"name":"a","origin":"","version":"","imported":"2026-11-26T10:00:00Z","cameras":[["a"]]}"#,
        ] {
            browser.engine.restore(Array(#"{"known":[\#(row)],"ids":[]}"#.utf8))
        }
        #expect(try browser.ask("GET", "/hub")["value", "storage", "unreadable"] == .number(7))
    }

    @Test func manyAreToldAsClusters() throws {
        let browser = Browser()
        let rows = (0..<900).map { number in
            let (latitude, longitude) = (47 + Double(number % 30) * 0.2, 7 + Double(number / 30) * 0.2)
            let mac = String(number + 4096, radix: 16).uppercased()
            return """
                {"timestamp":"2026-11-20T10:00:00.000Z","device_type":"Ring","mac_address":"02:00:00:00:\(mac.prefix(2)):\(mac.suffix(2))",\
                "rssi":-60,"confidence":0.5,"location":{"latitude":\(latitude),"longitude":\(longitude)}}
                """
        }
        var json = JSONWriter()
        json.value(#"{"detections":[\#(rows.joined(separator: ","))]}"#)
        let imported = try browser.ask("POST", "/imports", #","body":{"octets":\#(json.text),"last":true}"#)
        #expect(imported["value", "imported"] == .number(900), "\(Self.text(imported))")
        // Where they stand is judged from now on.
        let first = try browser.ask("GET", "/map", Self.world)
        #expect(first["value", "progress"] == .number(1 - 400 / 900.0))
        browser.wait(milliseconds: 3000)
        for (zoom, most) in [(3, 20), (6, 200), (12, 900)] {
            let map = try browser.ask("GET", "/map", #","filter":{"box":"-180,-85,180,85","zoom":\#(zoom)}"#)
            let (pins, clusters) = (Self.list(map, "value", "pins"), Self.list(map, "value", "clusters"))
            let counted = clusters.reduce(0) { $0 + ($1.number("count") ?? 0) }
            #expect(map["value", "progress"] == nil && pins.count + counted == 900)
            #expect(pins.count + clusters.count <= most, "zoom \(zoom)")
        }
        let corner = try browser.ask("GET", "/map", #","filter":{"box":"6.9,46.9,7.3,47.5","zoom":12}"#)
        #expect(corner["value", "sources"] == .number(6))
        let none = try browser.ask(
            "GET", "/map", #","filter":{"box":"7.3,46.9,6.9,47.5","zoom":12,"type":["axis"]}"#)
        #expect(none["value", "sources"] == .number(0))
    }

    @Test func camerasThatOthersKnowAreTakenFromAFileInPieces() throws {
        let browser = Browser()
        let file = """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","id":"node/1","geometry":{"type":"Point","coordinates":[8.6,50.1]},
             "properties":{"man_made":"surveillance","name":"Corner","direction":"90"}},
            {"type":"Feature","id":"node/2","geometry":{"type":"Point","coordinates":[9.6,51.1]},
             "properties":{"man_made":"surveillance"}},
            {"type":"Feature","id":"node/3","geometry":{"type":"Point","coordinates":[9.6,51.1]},"properties":{}}]}
            """
        func send(_ text: String, _ name: String, last: Bool) throws -> JSONNode {
            var json = JSONWriter()
            json.value(text)
            let body =
                #","body":{"octets":\#(json.text),"name":"\#(name)","origin":"a.geojson","last":\#(last)}"#
            return try browser.ask("POST", "/map/known", body)
        }
        #expect(try send(String(file.prefix(200)), "mine", last: false)["status"] == .number(204))
        let done = try send(String(file.dropFirst(200)), "mine", last: true)
        #expect(done["value", "cameras"] == .number(2) && done["value", "passed"] == .number(1))
        #expect(done["value", "replaced"] == nil)
        #expect(try send(file, "mine", last: true)["value", "replaced"] == .number(2))
        // Half of another file is not the beginning of this one.
        _ = try send(String(file.prefix(200)), "other", last: false)
        #expect(try send(file, "mine", last: true)["value", "passed"] == .number(1))
        #expect(try send("{", "mine", last: true)["status"] == .number(422))
        #expect(try send(#"{"features":[]}"#, "mine", last: true)["status"] == .number(422))
        #expect(try send(file, "", last: true)["status"] == .number(422))
        let here = try browser.ask("GET", "/map/known", #","filter":{"box":"8,50,9,51"}"#)
        let camera = try #require(Self.list(here, "value", "known").first)
        #expect(camera.words("name") == "Corner" && camera["direction"] == .number(90))
        #expect(Self.list(try browser.ask("GET", "/map/known"), "value", "known").count == 2)
        // A detection near one says so.
        let link = try browser.connect()
        let fixed =
            #","if_match":"*","body":{"location":{"source":"fixed","latitude":50.1005,"longitude":8.6}}"#
        _ = try browser.ask("PATCH", "/settings", fixed)
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:01"), link: link)
        let detail = try browser.ask("GET", "/detections/1")
        #expect(detail["value", "known_nearby", "metres"] == .number(56))

        let other = Browser(seed: 8)
        other.restore(browser.rows)
        #expect(
            Self.text(try other.ask("GET", "/map/known/sets"))
                == Self.text(try browser.ask("GET", "/map/known/sets"))
        )
        #expect(Self.list(try other.ask("GET", "/map/known"), "value", "known").count == 2)
        #expect(
            try other.ask("DELETE", "/map/known", #","filter":{"name":"mine"}"#)["status"] == .number(204))
        #expect(
            try other.ask("DELETE", "/map/known", #","filter":{"name":"mine"}"#)["status"] == .number(404))
        #expect(other.rows["known"]?["mine"] == nil)
    }
}

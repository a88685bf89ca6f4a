// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import Testing

/// What an event is says one declaration: its JSON, the schema and the page of documentation.
struct EventTests {
    struct Place: EventPart {
        var latitude: Double

        static func describe(_ schema: inout EventSchema<Place>) {
            schema.number("latitude", "Degrees north.") { $0.latitude }
        }
    }

    struct Peer: EventPart {
        var address: String?

        static func describe(_ schema: inout EventSchema<Peer>) {
            schema.text("address", "Who it is.") { $0.address }
        }
    }

    struct Sample: Event {
        static let name: StaticString = "sample"
        static let summary: StaticString = "Something was sampled."
        var peer = Peer(address: "A \"b\"\n")
        var strength: Int8? = -61
        var state = "on"
        var octets: [UInt8] = [0, 0xAB]
        var place: Place?
        var places: [Place] = []

        static func describe(_ schema: inout EventSchema<Sample>) {
            schema.include { $0.peer }
            schema.integer("rssi", "How strong it is, in dBm.") { $0.strength }
            schema.word("state", "What it is.", of: ["on", "off"]) { $0.state }
            schema.octets("octets", "What came.") { $0.octets }
            schema.object("place", "Where.") { $0.place }
            schema.list("places", "Where it was.") { $0.places }
            schema.list("words", "What it says.") { _ in ["a"] }
            schema.flag("is_last", "Whether it is the last.") { _ in true }
            schema.time("seen", "When it was seen.") { _ in nil }
            schema.anything("extra", "What else there was.") { _ in Array(#"{"a": 1}"#.utf8) }
        }
    }

    @Test func anEventIsOneObjectThatBeginsWithNameAndTime() {
        var sample = Sample()
        sample.places = [Place(latitude: 1.5), Place(latitude: -2)]
        let json = String(decoding: sample.json(at: Timestamp(milliseconds: 0)), as: UTF8.self)
        #expect(
            json == #"{"event":"sample","time":"1970-01-01T00:00:00.000Z","address":"A \"b\"\n","rssi":-61,"#
                + #""state":"on","octets":"00ab","place":null,"places":[{"latitude":1.5},{"latitude":-2.0}],"#
                + #""words":["a"],"is_last":true,"seen":null,"extra":{"a":1}}"#)
    }

    @Test func theSchemaRequiresEveryValueAndAllowsNoOther() throws {
        let schema = EventCatalogue([EventDescription(Sample.self)]).schema
        let object = try #require(try JSONSerialization.jsonObject(with: Data(schema)) as? [String: Any])
        let definitions = try #require(object["$defs"] as? [String: Any])
        let sample = try #require(definitions["sample"] as? [String: Any])
        #expect(
            sample["required"] as? [String] == [
                "event", "time", "address", "rssi", "state", "octets", "place", "places", "words", "is_last",
                "seen", "extra",
            ])
        #expect(sample["additionalProperties"] as? Bool == false)
        let properties = try #require(sample["properties"] as? [String: [String: Any]])
        #expect(properties["rssi"]?["type"] as? [String] == ["integer", "null"])
        #expect(properties["state"]?["enum"] as? [String] == ["on", "off"])
        #expect((properties["place"]?["anyOf"] as? [Any])?.count == 2)
        #expect(properties["event"]?["enum"] as? [String] == ["sample"])
    }

    @Test func thePageHasARowForEachValueAndForThoseOfParts() {
        let page = EventCatalogue([EventDescription(Sample.self)]).markdown
        #expect(page.contains("## `sample`\n\nSomething was sampled.\n"))
        #expect(page.contains("| `rssi` | integer or null | How strong it is, in dBm. |\n"))
        #expect(page.contains("| `places.latitude` | number | Degrees north. |\n"))
        #expect(page.contains("| `state` | `on`, `off` | What it is. |\n"))
    }
}

// SPDX-License-Identifier: Apache-2.0

import Companion
import HubModel
import Testing

/// What people set on a hub: what is taken over, what is refused and in which words.
struct HubSettingsTests {
    private func merged(_ patch: String, into settings: HubSettings = HubSettings()) throws -> HubSettings {
        try settings.merging(try JSONReader.read(Array(patch.utf8)))
    }

    private func json(_ settings: HubSettings) -> String {
        var json = JSONWriter()
        settings.write(into: &json)
        return json.text
    }

    @Test func aNewHubHasWhatTheInterfaceSays() {
        #expect(
            json(HubSettings())
                == #"{"min_confidence":0.0,"theme":"system","units":"metric","retention_days":null,"#
                + #""size_limit_mb":null,"this_radio":false,"location":{"source":"none","latitude":null,"longitude":null},"#
                + #""map":{"tiles":"none","server":"","attribution":""},"#
                + #""alerts":{"sound":"chime","volume":0.7,"min_confidence":0.5,"interval_minutes":30,"#
                + #""quiet":{"on":false,"from":"22:00","to":"07:00"}},"saved_filters":[],"#
                + ##""bulbs":{"favourites":["#7c6bff","#ff5c9e","#ff9b2f","#3cc98a","#2fa8ff","#ffe2b8"],"dialects":[]},"##
                + #""overflow":{"services":[]},"encryption":{"flock":"off","wifi":"off"}}"#)
    }

    @Test func aPatchChangesWhatItNamesAndNullTakesItBack() throws {
        let patch = """
            {"min_confidence":0.25,"theme":"dark","units":"imperial","retention_days":30,"size_limit_mb":500,"this_radio":true,\
            "location":{"source":"fixed","latitude":52.5,"longitude":13.25},\
            "alerts":{"sound":"bell","quiet":{"on":true,"from":"21:30"}},\
            "saved_filters":[{"name":"Near","filter":{"min_confidence":0.5,"type":["ring"]}}]}
            """
        let settings = try merged(patch)
        #expect(settings.minimumConfidence == 0.25 && settings.theme == .dark && settings.units == .imperial)
        #expect(settings.retentionDays == 30 && settings.sizeLimit == 500 && settings.detectsItself)
        #expect(settings.location.position == Position(latitude: 52.5, longitude: 13.25))
        #expect(settings.alerts.sound == .bell && settings.alerts.volume == 0.7)
        #expect(settings.alerts.quiet.from == 1290 && settings.alerts.quiet.to == 420)
        #expect(
            settings.savedFilters.map { String(decoding: $0.filter, as: UTF8.self) }
                == [#"{"min_confidence":0.5,"type":["ring"]}"#])

        let back = try merged(
            #"{"retention_days":null,"alerts":{"quiet":null},"location":null,"min_confidence":null,"this_radio":null}"#,
            into: settings)
        #expect(!back.detectsItself)
        #expect(back.retentionDays == nil && !back.alerts.quiet.isOn && back.minimumConfidence == 0)
        #expect(back.location == HubSettings.Location() && back.alerts.sound == .bell)
    }

    @Test(arguments: [
        (#"{"min_confidence":1.5}"#, "The minimum confidence must be a number from 0 to 1."),
        (
            #"{"theme":"pink"}"#, "The theme must be one of system, light, dark."
        ),
        (#"{"this_radio":"yes"}"#, "Whether this radio notices cameras must be true or false."),
        (#"{"units":1}"#, "The units must be one of metric, imperial."),
        (
            #"{"retention_days":0}"#, "The days that detections are kept must be a number from 1 to 36500."
        ),
        (#"{"location":{"source":"fixed"}}"#, "A fixed place needs a latitude and a longitude."),
        (
            #"{"location":{"source":"fixed","latitude":0,"longitude":0.00001}}"#,
            "0,0 is not a place: programs write it when they know none. Give the latitude and the longitude of where the hub stands."
        ),
        (#"{"location":{"latitude":1}}"#, "A place needs both a latitude and a longitude."),
        (
            #"{"location":{"source":"gpx"}}"#,
            "The location must be one of none, gpsd, fixed, browser."
        ),
        (#"{"alerts":{"quiet":{"from":"24:00"}}}"#, "A quiet hour must be a time from 00:00 to 23:59."),
        (#"{"alerts":[]}"#, "an object is expected here."),
        (#"{"saved_filters":[{"name":"","filter":{}}]}"#, "The name of a filter must have 1 to 200 octets."),
        (#"{"saved_filters":[{"name":"a","filter":[]}]}"#, "A filter must be an object."),
        (#"{"saved_filters":[{"name":"a"}]}"#, #""filter" is missing."#),
    ])
    func whatMakesNoSenseIsRefusedInPlainWords(patch: String, sentence: String) {
        #expect(throws: BadInput(sentence)) { try merged(patch) }
    }

    @Test func aNameThatIsNotKnownIsRefused() {
        #expect(throws: BadInput.self) { try merged(#"{"colour":1}"#) }
        #expect(throws: BadInput.self) { try merged(#"{"alerts":{"colour":1}}"#) }
    }

    @Test func whatIsStoredComesBack() throws {
        let settings = try merged(
            #"{"theme":"light","retention_days":7,"alerts":{"quiet":{"on":true,"to":"06:15"}},"saved_filters":[{"name":"ä \"q\"","filter":{"text":"a\nb"}}]}"#
        )
        #expect(HubSettings(stored: settings.stored) == settings)
        #expect(Set(settings.stored.keys) == Set(HubSettings.names))
    }

    @Test func whatMakesNoSenseInTheDatabaseIsWhatANewHubHas() {
        let settings = HubSettings(stored: [
            "theme": #""pink""#, "units": "nonsense", "min_confidence": "0.5", "devices": "[]",
        ])
        #expect(settings.theme == .system && settings.units == .metric && settings.minimumConfidence == 0.5)
    }

    @Test(arguments: [
        (22 * 60, 7 * 60, 23 * 60, true), (22 * 60, 7 * 60, 0, true), (22 * 60, 7 * 60, 7 * 60, false),
        (60, 120, 60, true), (60, 120, 120, false), (60, 60, 60, false),
    ])
    func quietHoursMayGoOverMidnight(from: Int, to: Int, minute: Int, isQuiet: Bool) {
        var hours = QuietHours()
        (hours.isOn, hours.from, hours.to) = (true, from, to)
        #expect(hours.contains(minute) == isQuiet)
        hours.isOn = false
        #expect(!hours.contains(minute))
    }
}

// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import Foundation
import LanternApp
import PhoneSurroundings
import SwiftUI
import Testing
import VirtualPhone

/// Numbers, units and times as the language of the phone has them, and texts as its catalogue has them.
@Suite("The app in another language", .timeLimit(.minutes(5)), .serialized) @MainActor struct LocaleTests {
    private func launch(
        _ bench: AppBench, _ locale: String, strings: [String: String] = [:]
    ) -> Screen {
        Screen(strings: strings) {
            $0.locale = Locale(identifier: locale)
            $0.timeZone = .gmt
        } _: {
            RootView(bench.app)
        }
    }

    /// In the evening of a September day.
    private func sightings(_ count: Int) -> [Sighting] {
        (0..<count).map { number in
            Sighting(
                type: .ring, label: "Ring Camera",
                mac: String(format: "5C:47:5E:00:%02X:%02X", number >> 8, number & 255),
                ssid: nil, rssi: -48, confidence: 0.9,
                received: Timestamp(milliseconds: 1_789_932_600_000 + Int64(number)),
                extra: "{}", raw: [])
        }
    }

    @Test func numbersAndTimesAreThoseOfTheLanguage() async throws {
        let bench = try await AppBench { [] }
        _ = try await bench.app.hub.store.save(sightings(1234))
        let german = launch(bench, "de_DE"), american = launch(bench, "en_US")
        #expect(await german.wait(seconds: 30) { german.says("Very close", "−48 dBm", "19:30") })
        #expect(await american.wait(seconds: 30) { american.says("Very close", "−48 dBm", "7:30", "PM") })
        try german.select(tab: "History")
        try american.select(tab: "History")
        #expect(await german.wait(seconds: 30) { german.shows("1.234 of 1.234 sources") })
        #expect(await american.wait(seconds: 30) { american.shows("1,234 of 1,234 sources") })
        #expect(german.says("1 times, last 20. September 2026") && american.says("last September 20, 2026"))
        german.close()
        american.close()
        try await bench.end()
    }

    @Test func lengthsAndSpeedsAreInTheUnitsThatWereChosen() async throws {
        let bench = try await AppBench { [] }
        bench.handle.locationPermission = .whileUsing
        bench.phone.surroundings.place = .init(52.52, -13.405, accuracy: 1234, course: 90, speed: 14)
        _ = try await bench.app.hub.changeSettings { $0.location.source = .browser }
        let german = launch(bench, "de_DE"), american = launch(bench, "en_US")
        #expect(
            await german.wait(seconds: 30) {
                german.shows("52,52000, -13,40500 ±1.234 m") && german.shows("50 km/h")
            },
            "\(german.texts)")
        #expect(american.shows("52.52000, -13.40500 ±1,234 m"))
        _ = try await bench.app.hub.changeSettings { $0.units = .imperial }
        #expect(
            await american.wait(seconds: 30) {
                american.shows("52.52000, -13.40500 ±4,049 ft") && american.shows("31 mph")
            }, "\(american.texts)")
        german.close()
        american.close()
        try await bench.end()
    }

    @Test func aTranslationMayPutThingsInAnotherOrder() async throws {
        let bench = try await AppBench { [] }
        _ = try await bench.app.hub.store.save(sightings(2))
        let screen = launch(
            bench, "de_DE",
            strings: ["%lld of %lld sources": "%2$lld Quellen, %1$lld davon hier", "History": "Verlauf"])
        try screen.select(tab: "Verlauf")
        #expect(await screen.wait(seconds: 30) { screen.shows("2 Quellen, 2 davon hier") })
        screen.close()
        try await bench.end()
    }
}

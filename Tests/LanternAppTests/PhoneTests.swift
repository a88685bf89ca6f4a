// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import BLEVirtualRadio
import CompanionHub
import FlockFinderSimulated
import Foundation
import MapKit
import PhoneSurroundings
import SwiftUI
import Testing
import VirtualPhone

@testable import LanternApp

/// What the app has of the phone itself: where it is, and its notifications.
@Suite("The phone below the app", .timeLimit(.minutes(5)), .serialized) @MainActor struct PhoneTests {
    @Test func thePersonIsAskedOncePlacesAreWantedAndDetectionsHaveThem() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let screen = Screen { RootView(bench.app) }
        let surroundings = bench.phone.surroundings
        #expect(screen.shows("Record where") && surroundings.prompts.isEmpty)
        #expect(!screen.spoken.contains { $0.contains("Known") })
        surroundings.place = .init(52.52, 13.405, accuracy: 8)
        try await screen.press("Record where")
        let prompt = try await surroundings.prompt(.location)
        #expect(await screen.wait { screen.shows("Waiting for your answer …") })
        prompt.answer(.allow)
        #expect(await screen.wait { screen.shows("52.52000, 13.40500 ±8 m") })
        surroundings.activity = .automotive
        try await surroundings.prompt(.motion).answer(.allow)
        #expect(await screen.wait { screen.shows("Driving") })
        surroundings.place = .init(52.5201, 13.405, accuracy: 8, course: 90, speed: 14)
        #expect(await screen.wait { screen.shows("50 km/h") && screen.shows("East") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        // What is noticed from now on has the place.
        let store = bench.app.hub.store
        var placed: DetectionRecord?
        try await bench.until {
            let records = try await store.records(page: DetectionPage(limit: 50))
            placed = records.first { $0.sighting.position != nil }
            return placed != nil
        }
        let position = try #require(placed?.sighting.position)
        #expect(abs(position.latitude - 52.52) < 0.001 && abs(position.longitude - 13.405) < 0.001)
        try await screen.press("Record where")
        #expect(await screen.wait { !screen.spoken.contains { $0.contains("13.405") } })
        try await bench.until { bench.app.place.condition == .off && bench.app.place.activity == nil }
        screen.close()
        try await bench.end()
    }

    @Test func aPhoneThatStandsStillSaysWhereItIsAgainAndAgain() async throws {
        let air = try VirtualRadio()
        let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
        let app = phone.app()
        app.locationPermission = .whileUsing
        phone.surroundings.place = .init(52.53, 13.405, speed: 0)
        phone.surroundings.activity = .stationary
        let (fixes, fix) = AsyncStream.makeStream(of: Fix.self)
        let place = PhonePlace(repetition: .milliseconds(20)) { fix.yield($0) }
        let work = app.launch { Task { await place.run() } }
        place.want(true)
        var times: [Int64] = []
        for await fix in fixes {
            times.append(fix.time)
            if times.count == 4 { break }
        }
        // Later ones are of their own moment: the hub takes an old one for lost.
        #expect(times[3] > times[1] && times[3] - times[0] < 60_000)
        work.cancel()
        await work.value
        await phone.radio.close()
    }

    @Test func whoRefusesIsToldTheWayToSettings() async throws {
        let bench = try await AppBench { [] }
        let screen = Screen { RootView(bench.app) }
        bench.phone.surroundings.answers[.location] = .refuse
        try await screen.press("Record where")
        #expect(
            await screen.wait {
                screen.shows("Lantern may not see where the phone is. Allow it in Settings.")
                    && screen.shows("Open Settings")
            })
        bench.handle.locationPermission = .whileUsing
        bench.phone.surroundings.place = .init(1, 2)
        #expect(await screen.wait { screen.shows("1.00000, 2.00000 ±5 m") })
        bench.phone.surroundings.isLocationOn = false
        #expect(
            await screen.wait {
                screen.shows("Location Services are off. Turn them on in Settings, under Privacy.")
            })
        screen.close()
        try await bench.end()
    }

    @Test func aCameraIsNotifiedOnceAndCanBeMutedThere() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let screen = Screen { RootView(bench.app) }
        let surroundings = bench.phone.surroundings
        try screen.select(tab: "Settings")
        #expect(await screen.wait { screen.shows("Notify me of cameras") })
        #expect(surroundings.prompts.isEmpty)
        try await screen.press("Notify me of cameras")
        try await surroundings.prompt(.notifications).answer(.allow)
        #expect(await screen.wait { screen.shows("Notifications are on") })
        let notice = try await surroundings.nextNotification()
        #expect(notice.content.body.contains("dBm") && notice.content.hasSound && notice.isBanner)
        #expect(notice.actions.map(\.title) == ["Mute this source", "It is mine"])
        let muted = try #require(Int64(notice.identifier.dropFirst("source-".count)))
        notice.choose("muted")
        let store = bench.app.hub.store
        try await bench.until { try await store.listedSource(id: muted)?.source.mark == .muted }
        let next = try await surroundings.nextNotification()
        #expect(next.identifier != notice.identifier)
        next.tap()
        // A tap opens the page of the source.
        #expect(await screen.wait { screen.says("Why it was raised") })
        // Each source once, however often it is heard.
        let shown = surroundings.shownNotifications.map(\.identifier)
        #expect(Set(shown).count == shown.count)
        screen.close()
        try await bench.end()
    }

    @Test func nothingIsNotifiedInQuietHours() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        bench.handle.notificationPermission = .allowed
        let now = Calendar.current.dateComponents([.hour, .minute], from: Date())
        let minute = (now.hour ?? 0) * 60 + (now.minute ?? 0)
        _ = try await bench.app.hub.changeSettings {
            $0.alerts.quiet.isOn = true
            // An hour before and after now.
            ($0.alerts.quiet.from, $0.alerts.quiet.to) = ((minute + 1380) % 1440, (minute + 60) % 1440)
        }
        try await bench.noticed(5)
        #expect(bench.phone.surroundings.shownNotifications.isEmpty)
        try await bench.end()
    }

    @Test func whoWantsNoNotificationsIsToldTheWayToSettings() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let screen = Screen { RootView(bench.app) }
        bench.phone.surroundings.answers[.notifications] = .refuse
        try screen.select(tab: "Settings")
        #expect(await screen.wait { screen.shows("Notify me of cameras") })
        try await screen.press("Notify me of cameras")
        #expect(
            await screen.wait {
                screen.shows("Notifications are off for Lantern") && screen.shows("Open Settings")
            }, "\(screen.description)")
        try await bench.noticed(5)
        #expect(bench.phone.surroundings.shownNotifications.isEmpty)
        screen.close()
        try await bench.end()
    }
}

/// The app's start.
@Suite("The start of the app", .timeLimit(.minutes(5))) @MainActor struct LaunchTests {
    @Test func aDatabaseThatCannotBeOpenedIsSaidAndTriedAgain() async throws {
        let place = FileManager.default.temporaryDirectory
            .appending(path: "lantern-launch-\(UUID().uuidString)")
        // A file is where its folder would be.
        try Data().write(to: place)
        let air = try VirtualRadio()
        let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
        let handle = phone.app()
        let launch = handle.launch {
            Launch(in: place) { try await handle.launch { Task { try await Radio.coreBluetooth() } }.value }
        }
        let screen = Screen { LaunchView(launch) }
        #expect(screen.shows("Lantern cannot open its database") && screen.unnamed.isEmpty)
        try await screen.press("Try again")
        #expect(await screen.wait { screen.shows("Lantern cannot open its database") })
        try FileManager.default.removeItem(at: place)
        try handle.launch { try screen.press("Try again") }
        #expect(await screen.wait(seconds: 30) { screen.shows("No FlockFinder in reach") })
        screen.close()
        await launch.end()
        await phone.radio.close()
        try FileManager.default.removeItem(at: place)
    }
}

/// The map, on which what was noticed can be found.
@Suite("The map of the app", .timeLimit(.minutes(5)), .serialized) @MainActor struct MapScreenTests {
    @Test func whatWasNoticedIsOnTheMapAndInItsList() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        bench.handle.locationPermission = .whileUsing
        bench.phone.surroundings.place = .init(52.52, 13.405, accuracy: 8)
        _ = try await bench.app.hub.changeSettings { $0.location.source = .browser }
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "Map")
        let store = bench.app.hub.store
        // Until there is one that is known well enough to stand on the map.
        try await bench.until {
            let records = try await store.records(page: DetectionPage(limit: 50))
            return records.contains { $0.sighting.position != nil }
        }
        // All are within some metres: the map comes close enough, so that they stand alone or together.
        try screen.moveMap(to: .init(latitude: 52.52, longitude: 13.405), distance: 2000)
        #expect(await screen.wait(seconds: 30) { screen.says("sources") || screen.says("Ring") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("In view")
        #expect(await screen.wait { screen.says("times, last") || screen.says("Several together") })
        try screen.dismissSheet()
        // Elsewhere there is nothing.
        try screen.moveMap(to: .init(latitude: -33.9, longitude: 151.2), distance: 2000)
        try await screen.press("In view")
        #expect(await screen.wait { screen.shows("Nothing here") })
        screen.close()
        try await bench.end()
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreLocation
import PhoneSurroundings
import Testing
import VirtualPhone

@Suite("Where a phone is", .timeLimit(.minutes(5)))
struct LocationTests {
    private static let gate = Surroundings.Place(52.5163, 13.3777)
    private static let tower = Surroundings.Place(52.5208, 13.4094)

    private static func walker(_ app: VirtualPhone.App) async -> Walker {
        await MainActor.run { app.launch { Walker() } }
    }

    // MARK: Permissions

    @Test func aPersonIsAskedAndAllowsIt() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.surroundings.place = Self.gate
            let walker = await Self.walker(phone.app())
            try await walker.diary.next("may notDetermined fullAccuracy")
            await walker.with { $0.startUpdatingLocation() }
            try await air.advance(by: .seconds(1))
            #expect(phone.surroundings.prompts.isEmpty)
            await walker.with { $0.requestWhenInUseAuthorization() }
            let prompt = try await phone.surroundings.prompt(.location)
            #expect(prompt.app === phone.app() && phone.surroundings.prompts.count == 1)
            #expect(walker.diary.lines.count == 1)
            prompt.answer(.allow)
            try await walker.diary.next("may authorizedWhenInUse")
            try await walker.diary.next("at 52.5163 13.3777")
            // Nobody is asked twice, and a person may change that in Settings.
            await walker.with { $0.requestWhenInUseAuthorization() }
            #expect(phone.surroundings.prompts.isEmpty)
            phone.app().locationPermission = .denied
            try await walker.diary.next("may denied")
            try await walker.diary.next("failed denied")
        }
    }

    @Test func refusedAndSwitchedOffAreDenied() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.surroundings.place = Self.gate
            phone.surroundings.answers[.location] = .refuse
            let walker = await Self.walker(phone.app())
            await walker.with { $0.requestWhenInUseAuthorization() }
            try await walker.diary.next("may denied")
            await walker.with { $0.requestLocation() }
            try await walker.diary.next("failed denied")
            phone.app().locationPermission = .whileUsing
            try await walker.diary.next("may authorizedWhenInUse")
            phone.surroundings.isLocationOn = false
            try await walker.diary.next("may denied")
            #expect(phone.app().launch { !CLLocationManager.locationServicesEnabled() })
            phone.surroundings.isLocationOn = true
            try await walker.diary.next("may authorizedWhenInUse")
            #expect(!walker.diary.lines.contains { $0.hasPrefix("at") })
        }
    }

    @Test func onceIsUntilTheAppLeavesTheScreen() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.surroundings.answers[.location] = .allowOnce
            let walker = await Self.walker(phone.app())
            await walker.with { $0.requestWhenInUseAuthorization() }
            try await walker.diary.next("may authorizedWhenInUse")
            phone.app().isInForeground = false
            try await walker.diary.next("may notDetermined")
            // Nobody can be asked where the app is not seen.
            await walker.with { $0.requestWhenInUseAuthorization() }
            #expect(phone.app().locationPermission == .notAsked)
        }
    }

    @Test func alwaysIsAskedForOnceMore() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.app().locationPermission = .whileUsing
            let walker = await Self.walker(phone.app())
            await walker.with { $0.requestAlwaysAuthorization() }
            try await phone.surroundings.prompt(.locationAlways).answer(.refuse)
            await walker.with { $0.requestAlwaysAuthorization() }
            #expect(phone.surroundings.prompts.isEmpty)
            #expect(phone.app().locationPermission == .whileUsing)
            // Where nobody was asked before, always is provisional until it is used in the background.
            let other = phone.app("org.example.other")
            phone.surroundings.answers[.location] = .allow
            other.backgroundModes.insert(.location)
            phone.surroundings.place = Self.gate
            let second = await Self.walker(other)
            await second.with { $0.requestAlwaysAuthorization() }
            try await second.diary.next("may authorizedAlways")
            await MainActor.run {
                second.manager.allowsBackgroundLocationUpdates = true
                second.manager.startUpdatingLocation()
            }
            try await second.diary.next("at")
            #expect(phone.surroundings.prompts.isEmpty)
            other.isInForeground = false
            try await phone.surroundings.prompt(.locationAlways).answer(.refuse)
            try await second.diary.next("may authorizedWhenInUse")
        }
    }

    @Test func aReducedLocationDoesNotTellTheStreet() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.surroundings.place = Self.gate
            phone.app().locationPermission = .whileUsing
            phone.app().isLocationPrecise = false
            let walker = await Self.walker(phone.app())
            try await walker.diary.next("may authorizedWhenInUse reducedAccuracy")
            await walker.with { $0.requestLocation() }
            let line = try await walker.diary.next("at")
            #expect(line.hasPrefix("at 52.5 13.4"))
            await MainActor.run {
                walker.manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Map")
            }
            try await phone.surroundings.prompt(.preciseLocation).answer(.allow)
            try await walker.diary.next("may authorizedWhenInUse fullAccuracy")
        }
    }

    // MARK: Locations

    @Test func aCarDrivesAlongARoute() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.app().locationPermission = .whileUsing
            let walker = await Self.walker(phone.app())
            await walker.with { $0.startUpdatingLocation() }
            try await walker.diary.next("failed locationUnknown")
            let start = phone.surroundings.date
            let route = Surroundings.Route(through: [Self.gate, Self.tower], at: 20)
            phone.surroundings.follow(route)
            try await walker.diary.next("at 52.5163 13.3777 20.0")
            try await walker.diary.next("at 52.5208 13.4094 20.0")
            // 2.2 km at 20 m/s, measured each second.
            let passed = phone.surroundings.date.timeIntervalSince(start)
            #expect((100...125).contains(passed))
            #expect(walker.diary.lines.filter { $0.hasPrefix("at") }.count == route.steps.count)
        }
    }

    @Test func aDistanceFilterLeavesOutWhatIsNear() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.app().locationPermission = .whileUsing
            phone.surroundings.place = Self.gate
            let walker = await Self.walker(phone.app())
            await MainActor.run {
                walker.manager.distanceFilter = 500
                walker.manager.startUpdatingLocation()
            }
            try await walker.diary.next("at")
            await phone.surroundings.follow(.init(through: [Self.gate, Self.tower], at: 20)).value
            try await air.advance(by: .seconds(1))
            #expect(walker.diary.lines.filter { $0.hasPrefix("at") }.count == 5)
            await walker.with { $0.stopUpdatingLocation() }
            phone.surroundings.place = .init(0, 0)
            try await air.advance(by: .seconds(1))
            #expect(walker.diary.lines.filter { $0.hasPrefix("at") }.count == 5)
        }
    }

    @Test func inTheBackgroundOnlyThoseLearnThatMay() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.surroundings.place = Self.gate
            let (seen, kept) = (phone.app("org.example.seen"), phone.app("org.example.kept"))
            kept.backgroundModes.insert(.location)
            let walkers = [await Self.walker(seen), await Self.walker(kept)]
            for (app, walker) in zip([seen, kept], walkers) {
                app.locationPermission = .whileUsing
                await walker.with { $0.startUpdatingLocation() }
                try await walker.diary.next("at")
            }
            await MainActor.run { walkers[1].manager.allowsBackgroundLocationUpdates = true }
            (seen.isInForeground, kept.isInForeground) = (false, false)
            phone.surroundings.place = Self.tower
            try await walkers[1].diary.next("at 52.5208")
            try await air.advance(by: .seconds(1))
            #expect(!walkers[0].diary.lines.contains { $0.hasPrefix("at 52.5208") })
            seen.isInForeground = true
            try await walkers[0].diary.next("at 52.5208")
        }
    }

    @Test func farMovesStartAnAppThatTheSystemHasEnded() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.surroundings.place = Self.gate
            let app = phone.app()
            app.locationPermission = .always
            let walker = await Self.walker(app)
            await walker.with { $0.startMonitoringSignificantLocationChanges() }
            try await walker.diary.next("at 52.5163")
            let again = Diary()
            app.endBySystem { again.add("started") }
            phone.surroundings.place = .init(52.5164, 13.3778)
            try await air.advance(by: .seconds(1))
            #expect(again.lines.isEmpty)
            phone.surroundings.place = Self.tower
            try await again.next("started")
            #expect(app.isRunning && !app.isInForeground)
        }
    }

    @Test func distancesAreThoseOfTheEarth() {
        // A degree of latitude and of longitude on the ellipsoid, by the tables of WGS 84.
        let origin = CLLocation(latitude: 0, longitude: 0)
        #expect(abs(origin.distance(from: CLLocation(latitude: 0, longitude: 1)) - 111_319.49) < 0.1)
        #expect(abs(origin.distance(from: CLLocation(latitude: 1, longitude: 0)) - 110_574.39) < 0.1)
        #expect(origin.distance(from: origin) == 0)
        let far = origin.distance(from: CLLocation(latitude: 0, longitude: 180))
        #expect((19_900_000...20_100_000).contains(far))
        #expect(CLLocationCoordinate2DIsValid(.init(latitude: 90, longitude: -180)))
        #expect(!CLLocationCoordinate2DIsValid(.init(latitude: 90.1, longitude: 0)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }

    @Test func withoutAPhoneNothingIsKnown() async throws {
        let status = await MainActor.run {
            let manager = CLLocationManager()
            manager.requestWhenInUseAuthorization()
            return manager.authorizationStatus
        }
        #expect(status == .notDetermined)
        for try await _ in CLLocationUpdate.liveUpdates() { Issue.record("There is no phone.") }
    }
}

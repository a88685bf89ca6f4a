// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreLocation
import PhoneSurroundings
import Testing
import VirtualPhone

@Suite("Locations as a sequence, and sessions", .timeLimit(.minutes(5)))
struct LiveUpdateTests {
    /// Follows the phone as an app does, and writes down what it is told.
    private static func follow(_ app: VirtualPhone.App, _ diary: Diary) -> Task<Void, any Error> {
        app.launch {
            Task {
                for try await update in CLLocationUpdate.liveUpdates(.automotiveNavigation) {
                    diary.add(words(update))
                }
                diary.add("ended")
            }
        }
    }

    private static func words(_ update: CLLocationUpdate) -> String {
        if let location = update.location {
            let more = (update.stationary ? " still" : "") + (update.accuracyLimited ? " roughly" : "")
            return "at \(location.coordinate.latitude)\(more)"
        }
        let flags = [
            ("denied", update.authorizationDenied), ("off", update.authorizationDeniedGlobally),
            ("asking", update.authorizationRequestInProgress), ("unknown", update.locationUnavailable),
            ("hidden", update.insufficientlyInUse), ("session", update.serviceSessionRequired),
        ]
        return "none " + flags.filter(\.1).map(\.0).joined(separator: " ")
    }

    @Test func whyThereIsNoLocationIsTold() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            let (app, diary) = (phone.app(), Diary())
            let task = Self.follow(app, diary)
            // Iterating asks.
            let prompt = try await phone.surroundings.prompt(.location)
            try await diary.next("none asking")
            prompt.answer(.allow)
            try await diary.next("none unknown")
            phone.surroundings.place = .init(52.5, 13.4)
            try await diary.next("at 52.5")
            phone.surroundings.activity = .stationary
            try await diary.next("at 52.5 still")
            app.isLocationPrecise = false
            try await diary.next("at 52.5 still roughly")
            phone.surroundings.isLocationOn = false
            try await diary.next("none denied off")
            phone.surroundings.isLocationOn = true
            app.locationPermission = .denied
            try await diary.next("none denied")
            #expect(diary.lines.last == "none denied")
            task.cancel()
            try await diary.next("ended")
            app.locationPermission = .whileUsing
            try await air.advance(by: .seconds(1))
            #expect(diary.lines.last == "ended")
        }
    }

    @Test func aTaskThatIsCancelledWhileNothingComesEnds() async throws {
        try await TestAir.run { air in
            let (app, diary) = (try await VirtualPhone.make(on: air).app(), Diary())
            app.locationPermission = .whileUsing
            let task = Self.follow(app, diary)
            try await diary.next("none unknown")
            task.cancel()
            try await diary.next("ended")
        }
    }

    @Test func aBackgroundSessionGoesOn() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            let (app, diary) = (phone.app(), Diary())
            app.locationPermission = .whileUsing
            app.backgroundModes.insert(.location)
            phone.surroundings.place = .init(1, 1)
            let task = Self.follow(app, diary)
            try await diary.next("at 1.0")
            app.isInForeground = false
            try await diary.next("none hidden")
            phone.surroundings.place = .init(2, 2)
            app.isInForeground = true
            try await diary.next("at 2.0")
            let session = app.launch { CLBackgroundActivitySession() }
            app.isInForeground = false
            phone.surroundings.place = .init(3, 3)
            try await diary.next("at 3.0")
            session.invalidate()
            try await diary.next("none hidden")
            task.cancel()
        }
    }

    @Test func anAppThatWantsToHoldASessionHasTo() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            let (app, diary) = (phone.app(), Diary())
            app.requiresServiceSession = true
            phone.surroundings.place = .init(1, 1)
            let task = Self.follow(app, diary)
            try await diary.next("none session")
            #expect(phone.surroundings.prompts.isEmpty)
            let session = app.launch { CLServiceSession(authorization: .always) }
            try await phone.surroundings.prompt(.location).answer(.refuse)
            try await diary.next("none denied")
            var diagnostics = session.diagnostics.makeAsyncIterator()
            let first = try #require(try await diagnostics.next())
            #expect(first.authorizationDenied && first.alwaysAuthorizationDenied)
            app.locationPermission = .always
            let second = try #require(try await diagnostics.next())
            #expect(!second.authorizationDenied && !second.alwaysAuthorizationDenied)
            try await diary.next("at 1.0")
            session.invalidate()
            try await diary.next("none session")
            task.cancel()
        }
    }
}

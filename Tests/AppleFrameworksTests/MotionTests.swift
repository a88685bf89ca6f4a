// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreMotion
import PhoneSurroundings
import Testing
import VirtualPhone

@Suite("How a phone is moved", .timeLimit(.minutes(5)))
struct MotionTests {
    /// Follows as an app does.
    private final class Feeler: @unchecked Sendable {
        let manager = CMMotionActivityManager()
        let diary = Diary()

        func start() {
            let diary = diary
            manager.startActivityUpdates(to: OperationQueue()) { activity in
                guard let activity else { return }
                diary.add(words(activity))
            }
        }
    }

    private static func words(_ activity: CMMotionActivity) -> String {
        [
            ("car", activity.automotive), ("walk", activity.walking), ("still", activity.stationary),
            ("unknown", activity.unknown),
        ].filter(\.1).map(\.0).joined(separator: " ") + " \(activity.confidence)"
    }

    @Test func aPersonGetsIntoACar() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            let feeler = phone.app().launch { Feeler() }
            #expect(phone.app().launch { CMMotionActivityManager.isActivityAvailable() })
            feeler.start()
            #expect(phone.app().launch { CMMotionActivityManager.authorizationStatus() } == .notDetermined)
            try await phone.surroundings.prompt(.motion).answer(.allow)
            try await feeler.diary.next("unknown low")
            phone.surroundings.activity = .walking
            try await feeler.diary.next("walk high")
            phone.surroundings.activity = .init([.automotive, .stationary], confidence: .medium)
            try await feeler.diary.next("car still medium")
            feeler.manager.stopActivityUpdates()
            phone.surroundings.activity = .walking
            try await air.advance(by: .seconds(1))
            #expect(feeler.diary.lines.count == 3)
        }
    }

    @Test func whoRefusesIsNotFelt() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.surroundings.answers[.motion] = .refuse
            let feeler = phone.app().launch { Feeler() }
            feeler.start()
            phone.surroundings.activity = .walking
            try await air.advance(by: .seconds(1))
            #expect(feeler.diary.lines.isEmpty)
            #expect(phone.app().launch { CMMotionActivityManager.authorizationStatus() } == .denied)
            let error = await #expect(throws: NSError.self) {
                _ = try await feeler.manager.queryActivityStarting(
                    from: .distantPast, to: .distantFuture, to: OperationQueue())
            }
            #expect(error?.code == Int(CMErrorMotionActivityNotAuthorized.rawValue))
        }
    }

    @Test func thePastIsTold() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.app().motionPermission = .allowed
            let feeler = phone.app().launch { Feeler() }
            let start = phone.surroundings.date
            for activity in [Surroundings.Activity.walking, .automotive, .walking] {
                phone.surroundings.activity = activity
                try await air.advance(by: .seconds(60))
            }
            let told = try await feeler.manager.queryActivityStarting(
                from: start.addingTimeInterval(70), to: start.addingTimeInterval(100), to: OperationQueue())
            #expect(told.map(Self.words) == ["car high"])
            #expect(told.map { $0.startDate.timeIntervalSince(start).rounded() } == [60])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import ActivityKit
import Foundation
import Testing

private struct Search: ActivityAttributes {
    struct ContentState: Codable, Hashable, Sendable { var found: Int }
    var name: String
}

@Suite(.timeLimit(.minutes(1)), .serialized) struct ActivityTests {
    private func content(_ found: Int, stale: Date? = nil) -> ActivityContent<Search.ContentState> {
        ActivityContent(state: .init(found: found), staleDate: stale)
    }

    private func shown(_ activity: Activity<Search>) -> LiveActivities.Shown? {
        LiveActivities.shown.first { $0.id == activity.id }
    }

    @Test("a live activity is shown, changes and ends") func life() async throws {
        let activity = try Activity.request(attributes: Search(name: "Lamp"), content: content(1))
        #expect((shown(activity)?.attributes as? Search)?.name == "Lamp")
        #expect(Activity<Search>.activities.contains { $0.id == activity.id })
        let alert = AlertConfiguration(title: "Found", body: "One more", sound: .default)
        await activity.update(content(2), alertConfiguration: alert)
        #expect(shown(activity)?.state as? Search.ContentState == .init(found: 2))
        #expect(shown(activity)?.alerts == ["Found"] && activity.activityState == .active)
        await activity.update(content(9), timestamp: .now - 60)
        #expect(activity.content.state.found == 2)
        await activity.end(content(3))
        #expect(shown(activity)?.phase == .ended && activity.content.state.found == 3)
        // What has ended does not change.
        await activity.update(content(4))
        #expect(activity.content.state.found == 3)
        LiveActivities.dismiss(activity.id)
        #expect(shown(activity) == nil && activity.activityState == .dismissed)
    }

    @Test("an end may be at once, and what is old is stale") func ends() async throws {
        let activity = try Activity.request(
            attributes: Search(name: "Old"), content: content(1, stale: .now - 1))
        #expect(activity.activityState == .stale)
        await activity.end(nil, dismissalPolicy: .immediate)
        #expect(shown(activity) == nil && activity.content.state.found == 1)
    }

    @Test("changes are told") func updates() async throws {
        let activity = try Activity.request(attributes: Search(name: "Told"), content: content(0))
        let (contents, states) = (activity.contentUpdates, activity.activityStateUpdates)
        await activity.update(content(5))
        await activity.end(content(6), dismissalPolicy: .immediate)
        var found: [Int] = []
        for await content in contents { found.append(content.state.found) }
        var phases: [ActivityState] = []
        for await state in states { phases.append(state) }
        #expect(found == [5, 6] && phases == [.active, .dismissed])
    }

    @Test("a person may want none, and one may hold too much") func refusal() async throws {
        let large = Search(name: String(repeating: "x", count: 5000))
        #expect(throws: ActivityAuthorizationError.attributesTooLarge) {
            try Activity.request(attributes: large, content: content(1))
        }
        let info = ActivityAuthorizationInfo()
        var updates = info.activityEnablementUpdates.makeAsyncIterator()
        LiveActivities.areEnabled = false
        defer { LiveActivities.areEnabled = true }
        #expect(await updates.next() == false && !info.areActivitiesEnabled)
        #expect(throws: ActivityAuthorizationError.denied) {
            try Activity.request(attributes: Search(name: "No"), content: content(1))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

#if canImport(ActivityKit)
public import ActivityKit
import CompanionHub

/// What the lock screen is told of a drive.
public struct DriveAttributes: ActivityAttributes {
    /// What of it changes.
    public struct ContentState: Codable, Hashable, Sendable {
        /// How long the way is, in metres.
        public let metres: Double
        /// Sources that were noticed first on it.
        public let new: Int
        /// Sources that were met again.
        public let met: Int
    }

    /// When it began.
    public let begin: Date
}

/// The Live Activity of the drive that goes on.
@MainActor final class DriveActivity {
    private var activity: ActivityKit.Activity<DriveAttributes>?
    private var id: Int64?

    /// After so many seconds without a change nobody should believe it.
    private static let patience = 300.0

    /// Shows a drive, or that there is none any more.
    func show(_ drive: Drive?) async {
        if id != drive?.id {
            await activity?.end(nil, dismissalPolicy: .default)
            (activity, id) = (nil, drive?.id)
        }
        guard let drive else { return }
        let content = ActivityContent(
            state: DriveAttributes.ContentState(
                metres: drive.metres, new: drive.newSources, met: drive.knownSources),
            staleDate: Date() + Self.patience)
        if let activity { return await activity.update(content) }
        guard ActivityAuthorizationInfo().areActivitiesEnabled else { return }
        // One that may not begin while another app is on the screen begins with a later change.
        activity = try? ActivityKit.Activity.request(
            attributes: DriveAttributes(begin: drive.begin.date), content: content)
    }
}
#else
import CompanionHub

/// Nothing: a Mac has no lock screen that shows a drive.
@MainActor final class DriveActivity {
    /// Shows nothing.
    func show(_ drive: Drive?) async {}
}
#endif

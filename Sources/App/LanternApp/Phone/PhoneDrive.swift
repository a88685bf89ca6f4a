// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Observation

/// The drive that the hub records now, as it says of it; its Live Activity goes along.
@MainActor @Observable public final class PhoneDrive {
    /// The drive that goes on; `nil` while there is none.
    public private(set) var current: Drive?

    @ObservationIgnored private let activity = DriveActivity()

    /// Makes one that knows of no drive.
    public init() {}

    /// Follows drives until the task is cancelled; one that goes on then is at its end.
    func run(on hub: Hub) async {
        await hub.follow(DriveChanged.self, DrivesDeleted.self) { await show(hub.currentDrive) }
        await show(nil)
    }

    private func show(_ drive: Drive?) async {
        guard drive != current else { return }
        current = drive
        await activity.show(drive)
    }
}

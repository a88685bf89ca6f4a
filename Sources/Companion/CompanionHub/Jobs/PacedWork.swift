// SPDX-License-Identifier: Apache-2.0

import CompanionDevices

/// Work that tells how it is at once if nothing was told just before, so that a device that talks without end fills no feed.
protocol PacedWork: JobWork, Actor {
    nonisolated var clock: HubClock { get }
    var pace: Pace { get set }

    /// Counts a change.
    func count()
    /// Tells how it is now.
    func publish()
}

/// Whether something was told just before, and whether something has changed since.
struct Pace {
    /// How long what comes is gathered before it is told.
    static let pause = Duration.milliseconds(100)

    fileprivate var telling: Task<Void, Never>?
    fileprivate var isUntold = false
}

extension PacedWork {
    /// Tells how it is, at once if nothing was told just before.
    func tell() {
        count()
        guard pace.telling == nil else { return pace.isUntold = true }
        publish()
        pace.telling = Task {
            // An error says that the clock is gone; what is untold is told all the same.
            do { try await clock.sleep(Pace.pause) } catch {}
            self.tellRest()
        }
    }

    private func tellRest() {
        pace.telling = nil
        guard pace.isUntold else { return }
        pace.isUntold = false
        tell()
    }
}

// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionDevices

/// All that the hub hears, for pages that look at it.
extension Hub {
    /// How long changes are told after a page has looked, in seconds.
    static let lookLength = Duration.seconds(60)

    /// All devices that are heard; from now on changes of the list are told for a minute.
    package func lookAtHeard() -> [HeardDevice] {
        keepLooking()
        return board.heard
    }

    /// Handles that a page looks at the list.
    package func keepLooking() {
        lookEnd = clock.elapsed() + Self.lookLength
        board.setListed(true)
    }

    /// A device with all that it advertises.
    ///
    /// - Throws: ``HubError/notFound(_:)`` when it was not heard.
    package nonisolated func heardDevice(_ id: Int) throws(HubError) -> HeardDeviceDetail {
        guard let found = board.heardDetail(id) else { throw .noDevice }
        return found
    }

    /// How many devices the list has at most.
    package nonisolated var heardLimit: Int { board.deviceLimit }

    /// Tells those who look what has changed.
    func publishHeard(at now: Timestamp) {
        if let end = lookEnd, clock.elapsed() >= end {
            lookEnd = nil
            board.setListed(false)
        }
        if let changes = board.takeListChanges(at: now) { feed.publish(changes, at: now) }
    }
}

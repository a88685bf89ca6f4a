// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionStore
package import Detections
import FlockFinder
import FlockFinderDevices
import Locating
import Synchronization

extension Hub {
    /// Stores detections with the place of the hub.
    nonisolated var recorder: FlockRecorder {
        FlockRecorder(
            into: store.save(each:failures:), place: { [place] in place.whereabouts(at: $0) },
            stored: { [places] in places.receive($0) },
            keeps: { [self] detection in leastConfidence.withLock { detection.confidence >= $0 } })
    }

    /// The drive that goes on, once it is stored; each change of it is told.
    package nonisolated var currentDrive: Drive? { places.currentDrive }

    /// Follows where the hub is.
    nonisolated func followPlace() async {
        await place.run { [self] report in
            take(report)
        } changed: {
            places.changeSource()
        }
    }

    private nonisolated func take(_ report: Locator.Report) {
        switch report {
        case .fix(let fix): places.receive(fix)
        case .changed(let event): feed.publish(event, at: clock.now())
        }
    }

    /// Takes a browser's place for the hub's.
    ///
    /// - Parameter fix: The place.
    /// - Returns: Why it is not used, in a sentence; `nil` when it is.
    /// - Throws: ``HubError/notNow(_:)`` where places do not come from a browser.
    package nonisolated func receive(_ fix: Fix) throws(HubError) -> String? {
        let (reports, refusal) = try place.receive(fix)
        for report in reports { take(report) }
        return refusal
    }

    /// Stores drives, and the places of detections that came before a fix, then publishes them.
    ///
    /// - Parameter isEnding: Whether nothing more comes.
    func storePlaces(isEnding: Bool = false) async {
        // After the end a receiver may still say where it is: that begins no other drive.
        guard !arePlacesOver else { return }
        arePlacesOver = isEnding
        // One after the other: what is stored first is published first.
        let before = placing
        let work = Task {
            await before?.value
            await self.storeNextPlaces(isEnding: isEnding)
        }
        placing = work
        await work.value
    }

    private func storeNextPlaces(isEnding: Bool) async {
        ownPlaceChanges += 1
        defer { ownPlaceChanges -= 1 }
        // What the store does not take is said by the store, and tried again.
        guard let reports = try? await places.store(isEnding: isEnding), !reports.isEmpty else { return }
        if let state = try? await store.state() {
            storeState?.places = state.places
            storeState?.drives = state.drives
        }
        // A place is of no use to those who do not know the detection.
        await publishNew()
        let now = clock.now()
        for report in reports {
            switch report {
            case .placed(let event): feed.publish(event, at: now)
            case .drive(let event): feed.publish(event, at: now)
            }
        }
    }

    /// Deletes a drive; detections stay.
    ///
    /// - Parameter id: Its number.
    /// - Throws: ``HubError``.
    package func delete(drive id: Int64) async throws(HubError) {
        let gone = try await changing { [store] () async throws(StoreError) in
            try await store.deleteDrives([id])
        }
        guard !gone.isEmpty else { throw .notFound("There is no such drive. It may have been deleted.") }
        places.forget(drives: gone)
        feed.publish(DrivesDeleted(gone), at: clock.now())
    }
}

// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionCore
import CompanionStore
import Detections
import HubModel
import Locating

extension Hub {
    /// How long a deletion can be taken back, in milliseconds: a day.
    private static let undoMilliseconds: Int64 = 86_400_000
    /// Detections that are deleted at once when the file is too large.
    private static let piece = 2000

    /// Deletes what is too old or too much, and stores what programs beside the hub have set aside, now and then.
    func keepWithinLimits() async {
        var watch = ClockWatch()
        repeat {
            watch.look(clock.now(), elapsed: clock.elapsed())
            await store.storeWhatWasSetAside()
            await deleteBeyondLimits(byAge: watch.isTrusted)
            do { try await clock.sleep(options.retentionInterval) } catch { break }
        } while !Task.isCancelled
    }

    /// Deletes what the settings want deleted, in pieces between which others store.
    ///
    /// - Parameter byAge: Whether ages by this clock count.
    func deleteBeyondLimits(byAge: Bool) async {
        ownChanges += 1
        defer { ownChanges -= 1 }
        do throws(StoreError) {
            let now = clock.now().milliseconds
            if byAge, let days = kept.settings.retentionDays {
                let limit = Timestamp(milliseconds: now - Int64(days) * 86_400_000)
                try await forget(matching: DetectionFilter(until: limit))
                try await forgetDrives(endedBefore: limit)
            }
            if let limit = kept.settings.sizeLimit { try await shrink(to: Int64(limit) * 1_000_000) }
            if byAge {
                try await store.purge(deletedBefore: Timestamp(milliseconds: now - Self.undoMilliseconds))
            }
        } catch {
            // A database that cannot be written says so by itself; the next time is soon enough.
        }
        derivedOctets = (try? await store.derivedOctets()) ?? derivedOctets
        driveOctets = (try? await store.driveOctets()) ?? driveOctets
        await noteOwnChange()
        await refreshStorage()
    }

    private func forget(matching filter: DetectionFilter) async throws(StoreError) {
        let deletion = try await store.discard(matching: filter, at: clock.now())
        guard deletion.count > 0 else { return }
        try await store.purge(deletion: deletion.id)
        await publishBeforeDeletion()
        // Pages have them on their lists.
        feed.publish(EventsLost(1), at: clock.now())
    }

    private func forgetDrives(endedBefore moment: Timestamp) async throws(StoreError) {
        let gone = try await store.deleteDrives(endedBefore: moment)
        guard !gone.isEmpty else { return }
        // One that goes on is among them when the clock was set.
        places.forget(drives: gone)
        feed.publish(DrivesDeleted(gone), at: clock.now())
    }

    /// Deletes the oldest until what is used of the file fits.
    private func shrink(to octets: Int64) async throws(StoreError) {
        var hasDeleted = false
        while !Task.isCancelled {
            let figures = try await store.figures()
            guard figures.octets - figures.freeOctets > octets else { break }
            let oldest = try await store.records(page: DetectionPage(order: .oldestFirst, limit: Self.piece))
            guard !oldest.isEmpty else { break }
            _ = try await store.delete(ids: oldest.map(\.id))
            if let last = oldest.last { try await forgetDrives(endedBefore: last.sighting.received) }
            hasDeleted = true
        }
        guard hasDeleted else { return }
        await publishBeforeDeletion()
        feed.publish(EventsLost(1), at: clock.now())
    }
}

// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionCore
import CompanionStore
import HubModel
import Locating

extension Hub {
    /// Puts what a copy of a database holds in the place of everything that is stored, once changes under way are done.
    ///
    /// Keys of now stay, as settings may that say who may use the hub: a device that was paired since would not know this
    /// hub any more, nor would its owner be let in.
    ///
    /// When the task is cancelled, nothing changes; what is begun to be put in place is done whole.
    ///
    /// - Parameters:
    ///   - path: The copy, of this version of the program or an older one.
    ///   - settings: The names of settings that stay as they are.
    /// - Throws: ``StoreError``; nothing has changed then.
    package func restore(from path: String, keeping settings: Set<String>) async throws(StoreError) {
        let copy = try await store.readCopy(path, leavingOut: settings)
        // A deletion under way goes by numbers, which mean other detections in the copy.
        while ownChanges > 0 { await withCheckedContinuation { waitingForChanges.append($0) } }
        ownChanges += 1
        defer { ownChanges -= 1 }
        guard !Task.isCancelled else { throw .cancelled }
        let putting = Task { () async -> StoreError? in
            do throws(StoreError) { try await put(copy, keeping: settings) } catch { return error }
            return nil
        }
        if let error = await putting.value { throw error }
    }

    private func put(_ copy: RestoredCopy, keeping settings: Set<String>) async throws(StoreError) {
        // Places that wait for detections, and the drive that goes on, go by numbers, too.
        places.forget()
        _ = try? await places.store()
        try await store.replaceContent(with: copy, keeping: settings)
        places.forget()
        await readSettings()
        await readStore()
        let now = clock.now()
        feed.publish(kept.event, at: now)
        // Everything is another now.
        feed.publish(EventsLost(1), at: now)
    }
}

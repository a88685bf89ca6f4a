// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionDevices
import CompanionStore

extension Hub {
    /// Puts what a copy of a database holds in the place of everything that is stored, once changes under way are done.
    ///
    /// - Parameter path: The copy, of the version of this program.
    /// - Throws: ``HubFault/store(_:)``; nothing has changed then.
    package func restore(from path: String) async throws(HubFault) {
        // A deletion under way goes by numbers, which mean other detections in the copy.
        while ownChanges > 0 { await withCheckedContinuation { waitingForChanges.append($0) } }
        ownChanges += 1
        defer { ownChanges -= 1 }
        // So do places that wait for detections, and the drive that goes on.
        places.forget()
        _ = try? await places.store()
        do throws(StoreError) {
            // Keys of now stay, as the token does: a device that was paired since would not know this hub any more.
            let bonds = try await store.sealedBonds()
            try await store.replaceContent(with: path)
            try await store.keepOnly(bonds)
        } catch {
            throw HubFault(error)
        }
        places.forget()
        await readSettings()
        await readStore()
        let now = clock.now()
        feed.publish(SettingsChanged(settings.settings, revision: settings.revision), at: now)
        // Everything is another now.
        feed.publish(EventsLost(1), at: now)
    }
}

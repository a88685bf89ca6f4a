// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
package import CompanionCore
import CompanionDevices
import CompanionStore

/// What devices had when somebody saved that.
extension Hub {
    /// What is saved, the last first.
    ///
    /// - Throws: ``HubError/store(_:)``.
    package func saves() async throws(HubError) -> [SavedDeviceEntry] {
        do throws(StoreError) { return try await store.savedDevices() } catch { throw HubError(error) }
    }

    /// One of them, with its file.
    ///
    /// - Throws: ``HubError``.
    package func save(_ id: Int64) async throws(HubError) -> (entry: SavedDeviceEntry, file: [UInt8]) {
        let found: (entry: SavedDeviceEntry, file: [UInt8])?
        do throws(StoreError) { found = try await store.savedDevice(id) } catch {
            throw HubError(error)
        }
        guard let found else { throw .noSave }
        return found
    }

    /// One of them, as a tree that can be looked at without the device.
    ///
    /// - Throws: ``HubError`` that says what is wrong with its file.
    package func opened(save id: Int64) async throws(HubError) -> OpenedSave {
        let (entry, file) = try await save(id)
        return try OpenedSave(saved: entry, file)
    }

    /// Saves what is known of a device that is explored, or was.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - name: What somebody calls it; empty for the name of the device.
    /// - Returns: What was saved.
    /// - Throws: ``HubError``.
    package func saveExplored(job id: Int64, as name: String) async throws(HubError)
        -> SavedDeviceEntry
    {
        let job: JobHandle<ExplorerJob> = job(id)
        return try await keep(file: try await job.file { [board] in board.heardDetail($0)?.device }, as: name)
    }

    /// Saves a file that somebody has brought.
    ///
    /// - Parameters:
    ///   - file: What `gatt tree --output` writes.
    ///   - name: What somebody calls it; empty for the name of the device.
    /// - Returns: What was saved.
    /// - Throws: ``HubError`` that says what is wrong with it.
    package func keep(file: [UInt8], as name: String) async throws(HubError) -> SavedDeviceEntry {
        let entry = try SavedDeviceEntry(brought: file, as: name, at: clock.now())
        let stored: SavedDeviceEntry
        do throws(StoreError) {
            stored = try await store.store(device: entry, file: file, limit: SavedDeviceEntry.limit)
        } catch {
            throw HubError(error)
        }
        feed.publish(SavesChanged(), at: clock.now())
        return stored
    }

    /// Gives something that was saved another name.
    ///
    /// - Throws: ``HubError``.
    package func rename(save id: Int64, to name: String) async throws(HubError) -> SavedDeviceEntry {
        let isThere: Bool
        do throws(StoreError) { isThere = try await store.rename(savedDevice: id, to: name) } catch {
            throw HubError(error)
        }
        guard isThere else { throw .noSave }
        feed.publish(SavesChanged(), at: clock.now())
        return try await save(id).entry
    }

    /// Deletes something that was saved.
    ///
    /// - Throws: ``HubError``.
    package func delete(save id: Int64) async throws(HubError) {
        let wasThere: Bool
        do throws(StoreError) { wasThere = try await store.delete(savedDevice: id) } catch {
            throw HubError(error)
        }
        guard wasThere else { throw .noSave }
        feed.publish(SavesChanged(), at: clock.now())
    }

    /// In what two saved devices differ.
    ///
    /// - Parameters:
    ///   - before: The number of the older one.
    ///   - after: The number of the newer one.
    /// - Returns: Both, and all differences, in the order of the older one.
    /// - Throws: ``HubError``.
    package func differences(_ before: Int64, _ after: Int64) async throws(HubError) -> SaveComparison {
        try SaveComparison(try await save(before), try await save(after))
    }
}

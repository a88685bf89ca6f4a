// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionCore
import CompanionStore
package import Detections
import FlockFinderCompanion
import Foundation
import HubModel
import Nightlight
import NightlightDevices

/// How far the hub has published what is stored.
struct Publishing {
    /// The number of the last detection that was published.
    var last: Int64 = 0
    var isUnderWay = false
    /// Whether more has come meanwhile.
    var isWanted = false
    /// Up to which number detections are read to be published, since what was returned of them before may be deleted by now.
    var readUpTo: Int64 = 0
    /// Who waits until what is in hand is published.
    var waiting: [CheckedContinuation<Void, Never>] = []

    /// Lets those go on who wait: what is published from now on was read after they began to.
    mutating func resumeWaiting() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

extension Hub {
    /// Detections that are published one by one; of more at once, as after an import, only that everything is to be fetched.
    private static let publishedAtOnce = 2000
    /// Numbers in one event.
    private static let numbersAtOnce = 1000

    // MARK: What is new

    /// Reads how far the store is.
    func readStore() async {
        storeState = try? await store.state()
        publishing.last = storeState?.lastDetection ?? 0
        publishing.readUpTo = publishing.last
        await refreshStorage()
    }

    /// Publishes the detections that are stored and were not published yet, whoever has stored them.
    ///
    /// What was stored just now is published as the store has returned it, where nothing else was stored in between, and nothing deleted
    /// since. Otherwise all that is new is read. Either way it is durable, in order, and published once.
    ///
    /// - Parameter stored: What was stored just now, in order; it may be published already.
    func publishNew(_ stored: [DetectionEvent] = []) async {
        publishing.isWanted = true
        guard !publishing.isUnderWay else { return }
        publishing.isUnderWay = true
        defer {
            publishing.isUnderWay = false
            publishing.resumeWaiting()
        }
        var next = stored.follow(publishing.last, readUpTo: publishing.readUpTo) ? stored : nil
        while publishing.isWanted {
            publishing.isWanted = false
            if let events = next.take() {
                await publish(events)
            } else {
                // When the store cannot be read now, the next change of it is another chance.
                guard let page = try? await newRecords() else { return }
                await publish(page.map { DetectionEvent($0) })
                if !page.isEmpty { publishing.isWanted = true }
            }
            publishing.resumeWaiting()
        }
    }

    /// Publishes what is new before a deletion that is committed is told; from then on nothing is published that it has taken.
    func publishBeforeDeletion() async {
        // Who has stored something may be about to publish what was returned for it.
        publishing.readUpTo = (try? await store.state())?.lastDetection ?? .max
        guard publishing.isUnderWay else { return await publishNew() }
        publishing.isWanted = true
        // What is being published may have been read before the deletion.
        await withCheckedContinuation { publishing.waiting.append($0) }
    }

    private func publish(_ events: [DetectionEvent]) async {
        for var event in events {
            guard let id = event.id else { continue }
            publishing.last = id
            let (wanted, moment) = (kept.settings.alerts, clock.moment)
            // Quiet hours are by this machine's clock.
            event.raisesAlert = alerts.raises(
                event, by: wanted,
                offset: TimeZone.current.offset(
                    at: UnixTime(seconds: moment.time.milliseconds / 1000)), at: moment)
            feed.publish(event, at: event.sighting.received)
            guard event.raisesAlert, let sink = options.alerts else { continue }
            await sink.raise(
                RaisedAlert(event, interval: .seconds(wanted.intervalMinutes * 60), at: moment.time) {
                    [feed, clock, log = options.log] failure in
                    feed.publish(failure, at: clock.now())
                    log(failure.reason)
                })
        }
    }

    private func newRecords() async throws(StoreError) -> [DetectionRecord] {
        let page = DetectionPage(order: .oldestFirst, after: publishing.last, limit: 500)
        let records = try await store.records(page: page)
        guard records.count == page.limit else { return records }
        let behind = try await store.state().lastDetection - publishing.last
        guard behind > Self.publishedAtOnce else { return records }
        publishing.last += behind
        feed.publish(EventsLost(behind), at: clock.now())
        return []
    }

    /// Follows what others do to the store.
    func followStore() async {
        for await state in store.states() {
            let old = storeState
            storeState = state
            if state.lastDetection > publishing.last { await publishNew() }
            if state.settings > kept.stored.revision { await readSettingsAgain() }
            if let old, ownChanges == 0, old.differs(from: state, inPlaces: ownPlaceChanges == 0) {
                await publishBeforeDeletion()
                // What exactly another program has changed, nobody can tell.
                feed.publish(EventsLost(1), at: clock.now())
            }
            await refreshStorage()
        }
    }

    /// Follows what keeps the store from storing.
    func followTroubles() async {
        var wasGone = false
        for await trouble in await store.troubles() {
            storage.trouble = trouble.error == nil ? nil : trouble.description
            switch trouble.error {
            case .gone?, .overwritten?: wasGone = true
            default: break
            }
            guard trouble.error == nil, wasGone else { continue }
            wasGone = false
            // What is there now may be another file.
            await readSettings()
            await readStore()
            let now = clock.now()
            feed.publish(kept.event, at: now)
            feed.publish(EventsLost(1), at: now)
        }
    }

    /// Reads again how large the store is and what is in it.
    func refreshStorage() async {
        guard let figures = try? await store.figures() else { return }
        storage.octets = figures.octets
        storage.diskOctets = figures.diskOctets
        let used = figures.octets - figures.freeOctets
        let derived = min(derivedOctets, used)
        let drives = min(driveOctets, used - derived)
        storage.parts = HubStorage.Parts(
            detections: used - derived - drives, derived: derived, drives: drives, free: figures.freeOctets)
        storage.detections = figures.detections
        storage.sources = figures.sources
        storage.quietSources = figures.quietSources
        storage.lastDetection = figures.lastDetection
    }

    // MARK: Changes

    /// Deletes detections so that it can be taken back.
    ///
    /// - Parameter ids: Their numbers; those that there are not are passed over.
    /// - Returns: The deletion.
    /// - Throws: ``HubError``.
    package func discard(ids: [Int64]) async throws(HubError) -> Deletion {
        try await discarding { [store, clock] () async throws(StoreError) in
            try await store.discard(ids: ids, at: clock.now())
        }
    }

    /// Deletes detections so that it can be taken back.
    ///
    /// - Parameter filter: Which.
    /// - Returns: The deletion.
    /// - Throws: ``HubError``.
    package func discard(matching filter: DetectionFilter) async throws(HubError) -> Deletion {
        try await discarding { [store, clock] () async throws(StoreError) in
            try await store.discard(matching: filter, at: clock.now())
        }
    }

    private func discarding(
        _ body: @Sendable () async throws(StoreError) -> Deletion
    ) async throws(HubError) -> Deletion {
        try await changing { [self] () async throws(StoreError) in
            let deletion = try await body()
            await publishBeforeDeletion()
            try await publishNumbers(of: deletion.id) { DetectionsDeleted($0, missing: []) }
            return deletion
        }
    }

    /// Takes a deletion back.
    ///
    /// - Parameter deletion: Its number.
    /// - Returns: How many detections are there again.
    /// - Throws: ``HubError``.
    package func restore(deletion: Int64) async throws(HubError) -> Int {
        try await changing { [self] () async throws(StoreError) in
            let before = try await store.deletedIDs(deletion, limit: Self.publishedAtOnce + 1)
            let count = try await store.restore(deletion: deletion)
            publish(before) { DetectionsRestored($0) }
            return count
        }
    }

    /// Takes the deletion of one detection back.
    ///
    /// - Parameter id: Its number.
    /// - Returns: How many detections are there again: 1.
    /// - Throws: ``HubError``.
    package func restore(detection id: Int64) async throws(HubError) -> Int {
        let count = try await changing { [self] () async throws(StoreError) in
            let count = try await store.restore(detection: id)
            if count > 0 { feed.publish(DetectionsRestored([id]), at: clock.now()) }
            return count
        }
        guard count > 0 else {
            throw .notFound("There is no such detection to bring back. It may have been deleted for good.")
        }
        return count
    }

    /// Says something about a source.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - mark: The mark; `nil` leaves it.
    ///   - note: The note; `nil` leaves it.
    ///   - revision: What it was when the person looked; `nil` for whatever it is.
    /// - Returns: The source.
    /// - Throws: ``HubError``.
    package func mark(
        source id: Int64, as mark: SourceMark? = nil, note: String? = nil, ifRevision revision: Int64? = nil
    ) async throws(HubError) -> SourceJSON {
        let part = try await changing { [self] () async throws(StoreError) -> SourceJSON? in
            guard try await store.mark(source: id, as: mark, note: note, ifRevision: revision) != nil,
                let listed = try await store.listedSource(id: id)
            else { return nil }
            let now = clock.now()
            let part = SourceJSON(listed, at: now)
            feed.publish(SourceChanged(part), at: now)
            return part
        }
        guard let part else { throw .noSource }
        return part
    }

    /// Says the same about many sources; those that there are not are passed over.
    ///
    /// - Parameters:
    ///   - ids: Their numbers.
    ///   - mark: The mark.
    ///   - isOn: Whether they are to have it, or not to have it any more.
    /// - Returns: Those that were changed, with what they were marked as before.
    /// - Throws: ``HubError``.
    package func mark(
        sources ids: [Int64], as mark: SourceMark, _ isOn: Bool
    ) async throws(HubError) -> MarkedSources {
        try await changing { [self] () async throws(StoreError) in
            let changed = try await store.mark(sources: ids, as: mark, isOn)
            await publishSources(changed.ids)
            return changed
        }
    }

    /// Tells sources as they are now; of very many, or when they cannot be read, that everything is to be fetched.
    private func publishSources(_ ids: [Int64]) async {
        var parts: [SourceJSON] = []
        let now = clock.now()
        do throws(StoreError) {
            guard ids.count <= Self.publishedAtOnce else { return feed.publish(EventsLost(1), at: now) }
            for id in ids {
                if let listed = try await store.listedSource(id: id) {
                    parts.append(SourceJSON(listed, at: now))
                }
            }
        } catch {
            return feed.publish(EventsLost(1), at: now)
        }
        for part in parts { feed.publish(SourceChanged(part), at: now) }
    }

    // MARK: Parts

    func changing<Value: Sendable>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(HubError) -> Value {
        ownChanges += 1
        defer { ownChanges -= 1 }
        let result: Result<Value, StoreError>
        do throws(StoreError) { result = .success(try await body()) } catch { result = .failure(error) }
        await noteOwnChange()
        switch result {
        case .success(let value): return value
        case .failure(let error): throw HubError(error)
        }
    }

    /// Sees to it that what was done here is not taken for the work of others.
    func noteOwnChange() async {
        if let state = try? await store.state() { storeState = state }
    }

    private func publishNumbers(
        of deletion: Int64, _ event: ([Int64]) -> some Event
    ) async throws(StoreError) {
        publish(try await store.deletedIDs(deletion, limit: Self.publishedAtOnce + 1), event)
    }

    /// Tells numbers in events that are not too large; of very many only that everything is to be fetched.
    private func publish(_ ids: [Int64], _ event: ([Int64]) -> some Event) {
        let now = clock.now()
        guard ids.count <= Self.publishedAtOnce else { return feed.publish(EventsLost(1), at: now) }
        for start in stride(from: 0, to: ids.count, by: Self.numbersAtOnce) {
            feed.publish(event(Array(ids[start..<min(start + Self.numbersAtOnce, ids.count)])), at: now)
        }
    }
}

extension [DetectionEvent] {
    /// Whether they are the next ones behind a number, none was stored between them, and none is to be read.
    fileprivate func follow(_ last: Int64, readUpTo: Int64) -> Bool {
        !isEmpty && last >= readUpTo
            && enumerated().allSatisfy { $0.element.id == last + 1 + Int64($0.offset) }
    }
}

extension StoreState {
    /// Whether something other than a new detection or a setting has changed.
    fileprivate func differs(from other: StoreState, inPlaces: Bool) -> Bool {
        (marks, deletions) != (other.marks, other.deletions)
            || inPlaces && (places, drives) != (other.places, other.drives)
    }
}

// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
import CompanionCore
import CompanionStore
import Detections
import Foundation
import Nightlight
package import NightlightCompanion
import NightlightDevices

extension Hub {
    /// Looks at a lamp for a page: over the link that another page has, if one has it.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - page: The name of the page, which it has given itself.
    /// - Returns: How it is.
    /// - Throws: ``HubError`` that says why it cannot be now.
    package func beginLamp(device id: Int, for page: String) async throws(HubError) -> LampDashboard {
        let lamp = try await join { table, moment in
            table.joinLamp(id, for: page, at: moment)
        } orBegin: { () throws(HubError) in
            try await openLamp(id) { $0.look(page, at: $1) }
        }
        return try await lamp.shown
    }

    private func openLamp(
        _ id: Int, isForChanges: Bool = false,
        _ body: @escaping @Sendable (Job<LampJob>, Moment) -> Void = { _, _ in }
    ) async throws(HubError) -> JobHandle<LampJob> {
        let place = LocalClock.ofThisComputer(at: clock.now())
        return try await begin(with: id) { table, device, moment in
            let lamp = table.beginLamp(device, clock: place, isForChanges: isForChanges, at: moment)
            body(lamp, moment)
            return lamp
        }
    }

    // MARK: What is remembered

    /// The lamps that the hub remembers, by their addresses; no more than there may be, whoever has written them.
    package var lampMemories: [RememberedLamp] {
        let all = stored.values.filter { $0.key.hasPrefix(RememberedLamp.prefix) }.sorted { $0.key < $1.key }
        return Array(all.lazy.compactMap { try? RememberedLamp($0.value) }.prefix(RememberedLamp.limits.all))
    }

    private func memory(of peer: Peer) -> RememberedLamp {
        let fresh = RememberedLamp(peer)
        return stored.values[fresh.setting].flatMap { try? RememberedLamp($0) } ?? fresh
    }

    /// Changes what is remembered of a lamp, by what is remembered of it then.
    @discardableResult
    private func change(
        memoryOf peer: Peer, _ body: (inout RememberedLamp) throws(HubError) -> Void
    ) async throws(HubError) -> RememberedLamp {
        try await changeStored { () throws(HubError) in
            var memory = memory(of: peer)
            try body(&memory)
            var changes: [String: String?] = [memory.setting: memory.text]
            if stored.values[memory.setting] == nil,
                let leaving = try RememberedLamp.leaving(lampMemories, for: memory)
            {
                changes.updateValue(nil, forKey: leaving.setting)
            }
            return changes
        }
        return publishMemory(of: peer)
    }

    /// Tells what is remembered now: changes that overtake each other are told as they are in the end.
    @discardableResult
    private func publishMemory(of peer: Peer) -> RememberedLamp {
        let memory = memory(of: peer)
        feed.publish(NightlightsChanged(memory), at: clock.now())
        return memory
    }

    /// Forgets a lamp and what is wanted of it.
    ///
    /// - Parameter peer: The lamp.
    /// - Throws: ``HubError``.
    package func forgetLamp(_ peer: Peer) async throws(HubError) {
        let setting = RememberedLamp(peer).setting
        try await changeStored { () throws(HubError) in
            guard stored.values[setting] != nil else { throw .notFound("The hub does not know this lamp.") }
            return [setting: nil]
        }
        publishMemory(of: peer)
    }

    /// Remembers what a lamp had when its link ended.
    func remember(_ job: DeviceJob) async {
        let lamp: JobHandle<LampJob> = jobs.job(job.id)
        guard !isLeaving, let dashboard = try? await lamp.shown, let state = dashboard.state else { return }
        let read = dashboard.read ?? clock.now()
        // A database that is held by others costs the memory of this look only.
        _ = try? await change(memoryOf: job.peer) { $0.take(state, at: read) }
    }

    // MARK: Wishes

    /// Keeps what is wanted of a lamp until it is back.
    ///
    /// - Parameters:
    ///   - change: What is wanted.
    ///   - peer: The lamp.
    /// - Returns: What is remembered of the lamp.
    /// - Throws: ``HubError``.
    package func wish(_ change: LampChange, of peer: Peer) async throws(HubError) -> RememberedLamp {
        let made = clock.now()
        return try await self.change(memoryOf: peer) { memory throws(HubError) in
            try memory.add(change, at: made)
        }
    }

    /// Takes back a wish that was not sent yet.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - peer: The lamp.
    /// - Returns: What is remembered of the lamp.
    /// - Throws: ``HubError``.
    package func takeBack(wish id: Int, of peer: Peer) async throws(HubError) -> RememberedLamp {
        try await change(memoryOf: peer) { memory throws(HubError) in try memory.takeBack(id) }
    }

    /// Connects to a lamp that is back and has wishes.
    func connectForPendingChanges(_ device: HubDevice) async {
        let wait = lampTries[device.id].map { clock.ticks - $0 }
        guard !isLeaving, !board.links({ $0.isBusy(device.id) }),
            memory(of: device.peer).wantsLink(device, triedBefore: wait, at: clock.now())
        else { return }
        lampTries[device.id] = clock.ticks
        // When it cannot be now, it is tried again.
        _ = try? await openLamp(device.id, isForChanges: true)
    }

    /// Sends what waits for a lamp, oldest first.
    func sendPendingChanges(to job: DeviceJob) async {
        let lamp: JobHandle<LampJob> = jobs.job(job.id)
        for wish in memory(of: job.peer).pendingChanges {
            // Somebody may have taken it back while those before it were asked for.
            guard memory(of: job.peer).pendingChanges.contains(where: { $0.id == wish.id }) else { continue }
            // When the link has ended, they wait on.
            _ = try? await lamp.change(wish.change, waited: wish.id)
        }
        try? await lamp.noMoreChanges()
    }

    /// Handles that what waited for a lamp was written, or refused.
    func changeSent(_ id: Int, _ refusal: String?, _ dashboard: LampDashboard) async {
        let now = clock.now()
        _ = try? await change(memoryOf: dashboard.job.peer) { memory in
            memory.sent(id, refusal: refusal, dashboard.state, at: now)
        }
    }
}

extension LocalClock {
    /// The clock of this computer.
    fileprivate static func ofThisComputer(at time: Timestamp) -> LocalClock {
        let (zone, now) = (TimeZone.current, UnixTime(seconds: time.milliseconds / 1000))
        let date = Date(timeIntervalSince1970: TimeInterval(now.seconds))
        let ahead = Int(zone.daylightSavingTimeOffset(for: date).rounded())
        return LocalClock(
            name: zone.identifier, HostClock.wall(zone, around: now, days: 366),
            standardOffset: Int32(zone.secondsFromGMT(for: date) - ahead))
    }
}

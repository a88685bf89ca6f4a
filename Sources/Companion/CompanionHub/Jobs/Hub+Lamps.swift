// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
import CompanionDevices
import CompanionStore
import CompanionText
import Foundation
import Nightlight

extension Hub {
    /// Looks at a lamp for a page: over the link that another page has, if one has it.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - page: The name of the page, which it has given itself.
    /// - Returns: How it is.
    /// - Throws: ``HubFault`` that says why it cannot be now.
    package func beginLamp(device id: Int, for page: String) async throws(HubFault) -> LampDashboard {
        let work: LampWork
        if let job = jobs.running[id], let running = job.work as? LampWork, await running.isLeft {
            await job.end()
        }
        if let job = jobs.running[id], let running = job.work as? LampWork {
            await job.use()
            work = running
        } else {
            work = try await openLamp(id, isForWishes: false)
        }
        await work.look(page)
        return await work.dashboard
    }

    /// Handles that a page still looks at a lamp.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - page: The name of the page.
    /// - Returns: How it is.
    /// - Throws: ``HubFault/notFound(_:)``.
    package func keepLamp(job id: Int64, for page: String) async throws(HubFault) -> LampDashboard {
        let work = try await lamp(job: id)
        _ = try await keep(job: id)
        await work.look(page)
        return await work.dashboard
    }

    private func openLamp(_ id: Int, isForWishes: Bool) async throws(HubFault) -> LampWork {
        try await begin(.nightlight, with: id) { [clock, feed] job in
            LampWork(job, isForWishes: isForWishes, clock: clock, feed: feed)
        }
    }

    /// What is done with the lamp of a job that goes on or has ended.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - isUsed: Whether something is asked of the lamp.
    /// - Returns: What is done.
    /// - Throws: ``HubFault/notFound(_:)``.
    package func lamp(job id: Int64, isUsed: Bool = false) async throws(HubFault) -> LampWork {
        guard let job = jobs[id], let work = job.work as? LampWork else { throw .noJob }
        if isUsed { await job.use() }
        return work
    }

    /// Handles that a page does not look at a lamp any more; the last one ends the link, and with it what is tried out.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - page: The name of the page.
    /// - Throws: ``HubFault/notFound(_:)``.
    package func leaveLamp(job id: Int64, for page: String) async throws(HubFault) {
        let work = try await lamp(job: id)
        guard await work.leave(page) == 0, let job = jobs.running.values.first(where: { $0.id == id }) else {
            return
        }
        await job.end()
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
        memoryOf peer: Peer, _ body: (inout RememberedLamp) throws(HubFault) -> Void
    ) async throws(HubFault) -> RememberedLamp {
        try await changeStored { () throws(HubFault) in
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
    /// - Throws: ``HubFault``.
    package func forgetLamp(_ peer: Peer) async throws(HubFault) {
        let setting = RememberedLamp(peer).setting
        try await changeStored { () throws(HubFault) in
            guard stored.values[setting] != nil else { throw .notFound("The hub does not know this lamp.") }
            return [setting: nil]
        }
        publishMemory(of: peer)
    }

    /// Handles that the job of a lamp has come further: sends what waits, and remembers what it had at the end.
    func lampChanged(_ job: DeviceJob, _ work: LampWork) async {
        switch job.phase {
        case .connecting: break
        case .open: await sendPendingChanges(to: job.peer, with: work)
        case .ended:
            let dashboard = await work.dashboard
            guard let state = dashboard.state, !isLeaving else { return }
            let read = dashboard.read ?? clock.now()
            // A database that is held by others costs the memory of this look only.
            _ = try? await change(memoryOf: job.peer) { $0.take(state, at: read) }
        }
    }

    // MARK: Wishes

    /// Keeps what is wanted of a lamp until it is back.
    ///
    /// - Parameters:
    ///   - change: What is wanted.
    ///   - peer: The lamp.
    /// - Returns: What is remembered of the lamp.
    /// - Throws: ``HubFault``.
    package func wish(_ change: LampChange, of peer: Peer) async throws(HubFault) -> RememberedLamp {
        guard !change.settings.isEmpty else { throw .badValue("There is nothing to change.") }
        let made = clock.now()
        return try await self.change(memoryOf: peer) { memory throws(HubFault) in
            guard memory.pendingChanges.count < RememberedLamp.changeLimit else {
                throw .badValue(
                    "\(RememberedLamp.changeLimit) changes wait for this lamp already. Take one back first.")
            }
            memory.pendingChanges.append(
                RememberedLamp.PendingChange(id: memory.nextChange, made: made, change))
            memory.refusal = nil
        }
    }

    /// Takes back a wish that was not sent yet.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - peer: The lamp.
    /// - Returns: What is remembered of the lamp.
    /// - Throws: ``HubFault``.
    package func takeBack(wish id: Int, of peer: Peer) async throws(HubFault) -> RememberedLamp {
        try await change(memoryOf: peer) { memory throws(HubFault) in
            guard memory.pendingChanges.contains(where: { $0.id == id }) else {
                throw .notFound("This was sent already, or taken back.")
            }
            memory.pendingChanges.removeAll { $0.id == id }
        }
    }

    /// Connects to a lamp that is back and has wishes.
    func connectForPendingChanges(_ device: HubDevice) async {
        let now = clock.now().milliseconds
        guard device.kind == .nightlight, device.link == .none, !isLeaving, jobs.running[device.id] == nil,
            let heard = device.lastHeard?.milliseconds, now - heard < 10_000,
            now - (lampTries[device.id] ?? 0) > 30_000, !memory(of: device.peer).pendingChanges.isEmpty
        else { return }
        lampTries[device.id] = now
        // When it cannot be now, it is tried again.
        _ = try? await openLamp(device.id, isForWishes: true)
    }

    private func sendPendingChanges(to peer: Peer, with work: LampWork) async {
        for wish in memory(of: peer).pendingChanges {
            // Somebody may have taken it back while those before it were sent.
            guard memory(of: peer).pendingChanges.contains(where: { $0.id == wish.id }) else { continue }
            do throws(HubFault) {
                try await work.change(wish.change) { [weak self] refusal in
                    await self?.pendingChangeEnded(wish.id, of: peer, refusal, with: work)
                }
            } catch {
                // The link has ended: they wait on.
                return
            }
        }
    }

    /// Handles that a wish was sent; one that the lamp refuses is not sent again, one that the link has lost is.
    private func pendingChangeEnded(_ id: Int, of peer: Peer, _ refusal: String?, with work: LampWork) async {
        let dashboard = await work.dashboard
        if dashboard.job.phase == .ended { return }
        let now = clock.now()
        _ = try? await change(memoryOf: peer) { memory in
            memory.pendingChanges.removeAll { $0.id == id }
            memory.refusal = refusal
            if let state = dashboard.state { memory.take(state, at: now) }
        }
    }
}

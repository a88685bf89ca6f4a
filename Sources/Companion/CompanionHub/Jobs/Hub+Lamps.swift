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

    /// Changes what is remembered of a lamp, and tells it: changes that overtake each other are told as they are in the end.
    @discardableResult
    private func change(
        lamp peer: Peer, _ body: (KeptSettings) throws(HubError) -> [KeptSettings.Change]
    ) async throws(HubError) -> RememberedLamp {
        try await changeStored { () throws(HubError) in try body(kept) }
        let lamp = kept.lamp(peer)
        feed.publish(NightlightsChanged(lamp), at: clock.now())
        return lamp
    }

    /// Forgets a lamp and what is wanted of it.
    ///
    /// - Parameter peer: The lamp.
    /// - Throws: ``HubError``.
    package func forgetLamp(_ peer: Peer) async throws(HubError) {
        try await change(lamp: peer) { kept throws(HubError) in try kept.changes(forgettingLamp: peer) }
    }

    /// Remembers what a lamp had when its link ended.
    func remember(_ job: DeviceJob) async {
        let lamp: JobHandle<LampJob> = jobs.job(job.id)
        guard !isLeaving, let dashboard = try? await lamp.shown, dashboard.state != nil else { return }
        let now = clock.now()
        // A database that is held by others costs the memory of this look only.
        _ = try? await change(lamp: job.peer) { kept throws(HubError) in
            try kept.changes(after: dashboard, at: now)
        }
    }

    // MARK: Pending changes

    /// Keeps what is wanted of a lamp until it is back.
    ///
    /// - Parameters:
    ///   - change: What is wanted.
    ///   - peer: The lamp.
    /// - Returns: What is remembered of the lamp.
    /// - Throws: ``HubError``.
    package func addPending(_ change: LampChange, of peer: Peer) async throws(HubError) -> RememberedLamp {
        let made = clock.now()
        return try await self.change(lamp: peer) { kept throws(HubError) in
            try kept.changes(ofLamp: peer) { lamp throws(HubError) in try lamp.add(change, at: made) }
        }
    }

    /// Takes back a change that was not sent yet.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - peer: The lamp.
    /// - Returns: What is remembered of the lamp.
    /// - Throws: ``HubError``.
    package func takeBack(pending id: Int, of peer: Peer) async throws(HubError) -> RememberedLamp {
        try await change(lamp: peer) { kept throws(HubError) in
            try kept.changes(ofLamp: peer) { lamp throws(HubError) in try lamp.takeBack(id) }
        }
    }

    /// Connects to a lamp that is back and for which changes wait.
    func connectForPendingChanges(_ device: HubDevice) async {
        guard !isLeaving, !board.links({ $0.isBusy(device.id) }),
            kept.triesLamp(device, at: clock.moment)
        else { return }
        // When it cannot be now, it is tried again.
        _ = try? await openLamp(device.id, isForChanges: true)
    }

    /// Sends what waits for a lamp, oldest first.
    func sendPendingChanges(to job: DeviceJob) async {
        let lamp: JobHandle<LampJob> = jobs.job(job.id)
        for one in kept.lamp(job.peer).pendingChanges {
            // Somebody may have taken it back while those before it were asked for.
            guard kept.lamp(job.peer).pendingChanges.contains(where: { $0.id == one.id }) else { continue }
            // When the link has ended, they wait on.
            _ = try? await lamp.change(one.change, waited: one.id)
        }
        try? await lamp.noMoreChanges()
    }

    /// Handles that what waited for a lamp was written, or refused.
    func changeSent(_ id: Int, _ refusal: String?, _ dashboard: LampDashboard) async {
        let (peer, now) = (dashboard.job.peer, clock.now())
        _ = try? await change(lamp: peer) { kept throws(HubError) in
            try kept.changes(ofLamp: peer) { $0.sent(id, refusal: refusal, dashboard.state, at: now) }
        }
    }
}

extension LocalClock {
    /// The clock of this computer.
    fileprivate static func ofThisComputer(at time: Timestamp) -> LocalClock {
        let (zone, now) = (TimeZone.current, UnixTime(seconds: time.milliseconds / 1000))
        let date = Date(timeIntervalSince1970: TimeInterval(now.seconds))
        let ahead = Int32(zone.daylightSavingTimeOffset(for: date).rounded())
        return LocalClock(
            name: zone.identifier, HostClock.wall(zone, around: now, days: 366),
            standardOffset: zone.offset(at: now) - ahead)
    }
}

// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
import Detections
package import NightlightCompanion

/// Lamps that may be away, and weeks that are kept for them.
extension KeptSettings {
    /// The lamps that are remembered, by their addresses; no more than there may be, whoever has written them.
    package var lamps: [RememberedLamp] {
        var all: [RememberedLamp] = []
        for (name, text) in stored.values where name.hasPrefix(RememberedLamp.prefix) {
            if let lamp = try? RememberedLamp(text) { all.append(lamp) }
        }
        return Array(all.ordered { $0.setting < $1.setting }.prefix(RememberedLamp.limits.all))
    }

    /// What is remembered of a lamp.
    package func lamp(_ peer: Peer) -> RememberedLamp {
        let fresh = RememberedLamp(peer)
        return stored.values[fresh.setting].flatMap { try? RememberedLamp($0) } ?? fresh
    }

    /// What is to be changed so that something else is remembered of a lamp, and that there is room for it.
    ///
    /// - Parameters:
    ///   - peer: The lamp.
    ///   - body: Changes what is remembered.
    /// - Returns: The changes.
    /// - Throws: What the body throws, or ``HubError/badValue(_:)`` when there is no room.
    package func changes(
        ofLamp peer: Peer, _ body: (inout RememberedLamp) throws(HubError) -> Void
    ) throws(HubError) -> [Change] {
        var lamp = lamp(peer)
        try body(&lamp)
        var changes = [Change(lamp.setting, lamp.text)]
        if stored.values[lamp.setting] == nil, let leaving = try RememberedLamp.leaving(lamps, for: lamp) {
            changes.append(Change(leaving.setting, nil))
        }
        return changes
    }

    /// What is to be changed when the link to a lamp has ended: what it had is remembered.
    ///
    /// - Parameters:
    ///   - dashboard: What the link has shown.
    ///   - now: The time.
    /// - Returns: The changes.
    /// - Throws: ``HubError/badValue(_:)`` when there is no room.
    package func changes(
        after dashboard: LampDashboard, at now: Timestamp
    ) throws(HubError) -> [Change] {
        guard let state = dashboard.state else { return [] }
        return try changes(ofLamp: dashboard.job.peer) { $0.take(state, at: dashboard.read ?? now) }
    }

    /// What is to be changed so that a lamp is forgotten, with what is wanted of it.
    ///
    /// - Parameter peer: The lamp.
    /// - Returns: The changes.
    /// - Throws: ``HubError/notFound(_:)``.
    package func changes(forgettingLamp peer: Peer) throws(HubError) -> [Change] {
        let setting = RememberedLamp(peer).setting
        guard stored.values[setting] != nil else { throw .notFound("This lamp is not remembered.") }
        return [Change(setting, nil)]
    }

    /// Whether to connect to a lamp that is back, because something waits for it: not again at once, when that came to nothing.
    ///
    /// - Parameters:
    ///   - device: The lamp as a device.
    ///   - moment: The moment.
    /// - Returns: Whether it is tried now.
    package mutating func triesLamp(_ device: HubDevice, at moment: Moment) -> Bool {
        guard device.kind == .nightlight else { return false }
        let wait = lampTries[device.id].map { moment.ticks - $0 }
        let isWanted = lamp(device.peer).wantsLink(device, triedBefore: wait, at: moment.time)
        if isWanted { lampTries[device.id] = moment.ticks }
        return isWanted
    }

    // MARK: Weeks

    /// The weeks that are kept, by their numbers; no more than there may be, whoever has written them.
    package var schedules: [KeptSchedule] {
        var all: [KeptSchedule] = []
        for (name, text) in stored.values where name.hasPrefix(KeptSchedule.prefix) {
            if let schedule = try? KeptSchedule(text) { all.append(schedule) }
        }
        return Array(all.ordered { $0.id < $1.id }.prefix(KeptSchedule.limit))
    }

    /// A week as it is kept, once that is changed.
    ///
    /// - Parameters:
    ///   - node: The week as JSON: what `week show --json` prints, or a file by hand.
    ///   - id: The number of the one that it replaces; `nil` for a new one.
    ///   - now: The time.
    /// - Returns: What is to be kept.
    /// - Throws: ``HubError`` that says all that is wrong.
    package func schedule(
        _ node: JSONNode, replacing id: Int?, at now: Timestamp
    ) throws(HubError) -> KeptSchedule {
        let week = try KeptSchedule.week(node)
        return KeptSchedule(id: try KeptSchedule.number(replacing: id, among: schedules), week, kept: now)
    }

    /// What is to be changed so that a week is forgotten.
    ///
    /// - Parameter id: Its number.
    /// - Returns: The changes.
    /// - Throws: ``HubError/notFound(_:)``.
    package func changes(forgettingSchedule id: Int?) throws(HubError) -> [Change] {
        guard let kept = schedules.first(where: { $0.id == id }) else { throw .noSchedule }
        return [Change(kept.setting, nil)]
    }

    /// How many lamps and weeks are stored that cannot be read.
    package var unreadable: Int {
        var count = 0
        for (name, text) in stored.values {
            if name.hasPrefix(RememberedLamp.prefix), (try? RememberedLamp(text)) == nil { count += 1 }
            if name.hasPrefix(KeptSchedule.prefix), (try? KeptSchedule(text)) == nil { count += 1 }
        }
        return count
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
import CompanionDevices
import Synchronization
import WiFiSet

/// All devices that a hub hears or knows.
///
/// Reports come in where octets arrive, many a second, so nobody waits for anybody: what has changed is collected, and
/// taken out once a second.
package final class DeviceBoard: Sendable {
    /// How much of what there may be.
    package struct Limits: Sendable {
        /// Devices that are listed; when more are heard, those that were silent longest are forgotten, a tenth at once.
        package var devices = 1000
        /// Changes that are taken out at once; the others wait for the next time.
        package var changes = 200
        /// How long a device is listed after it was heard last, in milliseconds, unless it is known or linked.
        package var silence: Int64 = 120_000

        /// Makes the usual limits.
        package init() {}
    }

    enum Change: Int {
        case none
        /// Only its signal, or when it was heard.
        case signal
        case facts
    }

    struct Entry {
        var device: HubDevice
        var seen: SeenDevice?
        var signal = SignalHistory()
        /// Whether it stays when it is silent.
        var isKnown = false
        /// What a link has shown it to be.
        var provenKind: HubDevice.Kind?
        var firstHeard: Timestamp
        var change = Change.facts
        var published: Timestamp?
        /// What those who look at all that is heard were not told yet, and the 2 s of which they were told last.
        var listChange = Change.none
        var listedStep: Int64 = 0

        var isPinned: Bool { isKnown || device.link != .none }
    }

    struct State {
        var entries: [Int: Entry] = [:]
        var numbers: [Peer: Int] = [:]
        var lastNumber = 0
        var gone: [Int] = []
        var reportCount = 0
        var rate = ReportRate()
        /// Whether somebody looks at all that is heard, and what has gone since they were told.
        var isListed = false
        var goneFromList: [Int] = []
    }

    let limits: Limits
    let state = Mutex(State())

    /// Makes a board without devices.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes a report.
    package func receive(_ advertisement: Advertisement, at now: Timestamp) {
        state.withLock { state in
            state.reportCount += 1
            state.rate.count(at: now)
            guard !advertisement.peer.isAnonymous else { return }
            let number = number(of: advertisement.peer, at: now, &state)
            state.entries[number]?.receive(HeardReport(advertisement), at: now)
        }
    }

    /// How many reports have come.
    package var reportCount: Int { state.withLock { $0.reportCount } }

    /// How many reports have come in the last minute.
    package func reportsPerMinute(at now: Timestamp) -> Int { state.withLock { $0.rate.total(at: now) } }

    /// All devices, in the order in which they were heard first.
    package var devices: [HubDevice] {
        state.withLock { $0.entries.values.map(\.device) }.sorted { $0.id < $1.id }
    }

    /// The devices that stay when they are silent.
    package var known: [KnownDevice] {
        state.withLock { $0.entries.values.filter(\.isKnown).map(\.device) }.sorted { $0.id < $1.id }
            .map { KnownDevice($0) }
    }

    /// Whether a device stays when it is silent.
    package func knows(_ peer: Peer) -> Bool {
        state.withLock { state in state.numbers[peer].flatMap { state.entries[$0]?.isKnown } ?? false }
    }

    /// A device.
    package func device(_ id: Int) -> HubDevice? { state.withLock { $0.entries[id]?.device } }

    /// What a device says that it offers.
    func services(_ id: Int) -> [BluetoothUUID] {
        state.withLock { $0.entries[id]?.seen?.advertised.services ?? [] }
    }

    /// Takes what the hub knows of a device from elsewhere.
    ///
    /// - Returns: The device's number.
    @discardableResult
    package func know(_ known: KnownDevice, at now: Timestamp) -> Int {
        state.withLock { state in
            let number = number(of: known.peer, at: now, &state)
            state.entries[number]?.isKnown = true
            state.entries[number]?.provenKind = known.kind == .other ? nil : known.kind
            state.entries[number]?.edit { device in
                device.kind = known.kind
                device.name = device.name ?? known.name
                device.ownName = known.ownName
                device.connectsByItself = known.connectsByItself
            }
            return number
        }
    }

    /// Keeps a device on the board though it is silent, or no longer.
    package func setKnown(_ id: Int, _ isKnown: Bool) {
        state.withLock { $0.entries[id]?.isKnown = isKnown }
    }

    /// Handles that a link has shown that a device is a FlockFinder, or is none.
    package func prove(_ id: Int, isFlockFinder: Bool) {
        state.withLock { state in
            let advertised = state.entries[id]?.seen?.advertised
            let said = advertised.map { HubDevice.Kind($0) } ?? .other
            let offersWiFiSet = advertised?.services.contains(WiFiSetUUID.service) ?? false
            var proven: HubDevice.Kind? = isFlockFinder ? .flockFinder : .other
            // One that was taken for a FlockFinder by its address alone is what it says of itself.
            if proven == .other, said != .flockFinder, said != .other { proven = nil }
            state.entries[id]?.provenKind = proven
            state.entries[id]?.edit { device in
                device.kind = proven ?? said
                device.note = proven == .other ? "Not a FlockFinder" : ""
                device.mayBeWiFiSet = proven == .other && offersWiFiSet
            }
        }
    }

    /// Handles that a link has shown that a device takes Wi-Fi credentials.
    func proveWiFi(_ id: Int) {
        state.withLock { state in
            state.entries[id]?.provenKind = .wifiSet
            state.entries[id]?.edit { ($0.kind, $0.note, $0.mayBeWiFiSet) = (.wifiSet, "", false) }
        }
    }

    /// Handles that somebody uses a device as a bulb, and that it has what a bulb has.
    func proveBulb(_ id: Int) {
        state.withLock { state in
            state.entries[id]?.provenKind = .bulb
            state.entries[id]?.edit { ($0.kind, $0.note, $0.mayBeWiFiSet) = (.bulb, "", false) }
        }
    }

    /// Changes what is known of a device.
    ///
    /// - Returns: The device; `nil` when there is none.
    @discardableResult
    package func update(_ id: Int, _ body: (inout HubDevice) -> Void) -> HubDevice? {
        state.withLock { state in
            state.entries[id]?.edit(body)
            return state.entries[id]?.device
        }
    }

    /// Takes out what has changed since the last time.
    ///
    /// A device that only was heard again is among it every two seconds, one of no special kind every ten.
    package func takeChanges(at now: Timestamp) -> (changed: [HubDevice], gone: [Int]) {
        state.withLock { state in
            for (number, entry) in state.entries where entry.isSilent(limits.silence, at: now) {
                remove(number, &state)
            }
            var due = state.entries.values.filter { $0.isDue(at: now) }
            due.sort { ($0.change.rawValue, $1.device.id) > ($1.change.rawValue, $0.device.id) }
            let changed = due.prefix(limits.changes).map(\.device)
            for device in changed {
                state.entries[device.id]?.change = .none
                state.entries[device.id]?.published = now
            }
            defer { state.gone = [] }
            return (changed, state.gone)
        }
    }

    private func number(of peer: Peer, at now: Timestamp, _ state: inout State) -> Int {
        if let number = state.numbers[peer] { return number }
        if state.entries.count >= limits.devices { makeRoom(&state) }
        state.lastNumber += 1
        let number = state.lastNumber
        state.numbers[peer] = number
        state.entries[number] = Entry(device: HubDevice(id: number, peer: peer), firstHeard: now)
        return number
    }

    private func makeRoom(_ state: inout State) {
        let old = state.entries.values.filter { !$0.isPinned }.sorted {
            ($0.device.lastHeard?.milliseconds ?? 0) < ($1.device.lastHeard?.milliseconds ?? 0)
        }
        for entry in old.prefix(max(1, limits.devices / 10)) { remove(entry.device.id, &state) }
    }

    private func remove(_ number: Int, _ state: inout State) {
        guard let entry = state.entries.removeValue(forKey: number) else { return }
        state.numbers.removeValue(forKey: entry.device.peer)
        // What was never published needs no end.
        if entry.published != nil { state.gone.append(number) }
        if state.isListed, entry.seen != nil { state.goneFromList.append(number) }
    }
}

extension DeviceBoard.Entry {
    /// How long the name of a device may take that shares its service with others, in milliseconds.
    private static var nameDelay: Int64 { 2000 }

    mutating func receive(_ report: HeardReport, at now: Timestamp) {
        let isNew = seen == nil
        var seen = seen ?? SeenDevice(report, at: now)
        let hasChanged = seen.receive(report, at: now)
        self.seen = seen
        signal.receive(report.rssi, isScanResponse: report.isScanResponse, at: now)
        let isProven = provenKind != nil
        if listChange == .none { listChange = .signal }
        if isNew || hasChanged {
            listChange = .facts
            edit { device in
                device.name = seen.advertised.name ?? device.name
                device.isConnectable = seen.isConnectable
                if !isProven {
                    device.kind = HubDevice.Kind(seen.advertised)
                    device.note =
                        device.kind == .other ? HubDevice.note(seen.advertised, of: device.peer) : ""
                }
            }
        } else if change == .none {
            change = .signal
        }
        device.rssi = seen.rssi.map { Int($0) } ?? device.rssi
        device.lastHeard = now
    }

    mutating func edit(_ body: (inout HubDevice) -> Void) {
        let before = device
        body(&device)
        guard device != before else { return }
        change = .facts
        listChange = .facts
    }

    func isSilent(_ limit: Int64, at now: Timestamp) -> Bool {
        !isPinned && abs(now.milliseconds - (device.lastHeard ?? firstHeard).milliseconds) > limit
    }

    func isDue(at now: Timestamp) -> Bool {
        // Its name may come in the scan response.
        if device.kind == .flockFinder, device.name == nil, provenKind == nil,
            abs(now.milliseconds - firstHeard.milliseconds) < Self.nameDelay
        {
            return false
        }
        switch change {
        case .none: return false
        case .facts: return true
        case .signal:
            let interval: Int64 = device.kind == .other ? 10_000 : 2000
            return published.map { abs(now.milliseconds - $0.milliseconds) >= interval } ?? true
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
import WiFiSet

/// All devices that are heard or known, without locks and clocks.
///
/// What has changed is collected, and taken out once a second.
package struct DiscoveredDevices: Sendable {
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

    let limits: Limits
    var entries: [Int: Entry] = [:]
    private var numbers: [Peer: Int] = [:]
    private var lastNumber = 0
    private var gone: [Int] = []
    private var rate = ReportRate()
    /// Whether somebody looks at all that is heard, and what has gone since they were told.
    var isListed = false
    var goneFromList: [Int] = []
    /// How many reports have come.
    package private(set) var reportCount = 0

    /// Makes a list without devices.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes a report; nobody can tell from whom an anonymous one is.
    package mutating func receive(_ report: AdvertisementReport, at now: Timestamp) {
        reportCount += 1
        rate.count(at: now)
        guard !report.peer.isAnonymous else { return }
        let number = number(of: report.peer, at: now)
        entries[number]?.receive(report, at: now)
    }

    /// How many reports have come in the last minute.
    package mutating func reportsPerMinute(at now: Timestamp) -> Int { rate.total(at: now) }

    /// All devices, in the order in which they were heard first.
    package var devices: [HubDevice] { entries.values.map { $0.device }.ordered { $0.id < $1.id } }

    /// The devices that stay when they are silent.
    package var known: [KnownDevice] {
        entries.values.filter { $0.isKnown }.map { $0.device }.ordered { $0.id < $1.id }
            .map { KnownDevice($0) }
    }

    /// Whether a device stays when it is silent.
    package func knows(_ peer: Peer) -> Bool {
        numbers[peer].flatMap { entries[$0]?.isKnown } ?? false
    }

    /// A device.
    package func device(_ id: Int) -> HubDevice? { entries[id]?.device }

    /// The device of a peer, when it is listed.
    package func device(of peer: Peer) -> HubDevice? { numbers[peer].flatMap { entries[$0]?.device } }

    /// The device at an address, as it was heard.
    package func seen(_ peer: Peer) -> SeenDevice? { numbers[peer].flatMap { entries[$0]?.seen } }

    /// What a device says that it offers.
    package func services(_ id: Int) -> [BluetoothUUID] { entries[id]?.seen?.advertised.services ?? [] }

    /// Takes what is known of a device from elsewhere.
    ///
    /// - Returns: The device's number.
    package mutating func know(_ known: KnownDevice, at now: Timestamp) -> Int {
        let number = number(of: known.peer, at: now)
        entries[number]?.isKnown = true
        entries[number]?.provenKind = known.kind == .other ? nil : known.kind
        entries[number]?.edit { device in
            device.kind = known.kind
            device.name = device.name ?? known.name
            device.ownName = known.ownName
            device.connectsByItself = known.connectsByItself
        }
        return number
    }

    /// Keeps a device in the list though it is silent, or no longer.
    package mutating func setKnown(_ id: Int, _ isKnown: Bool) { entries[id]?.isKnown = isKnown }

    /// Handles that a link has shown that a device is a FlockFinder, or is none.
    package mutating func prove(_ id: Int, isFlockFinder: Bool) {
        let advertised = entries[id]?.seen?.advertised
        let said = advertised.map { HubDevice.Kind($0) } ?? .other
        let offersWiFiSet = advertised?.services.contains(WiFiSetUUID.service) ?? false
        var proven: HubDevice.Kind? = isFlockFinder ? .flockFinder : .other
        // One that was taken for a FlockFinder by its address alone is what it says of itself.
        if proven == .other, said != .flockFinder, said != .other { proven = nil }
        entries[id]?.provenKind = proven
        entries[id]?.edit { device in
            device.kind = proven ?? said
            device.note = proven == .other ? "Not a FlockFinder" : ""
            device.mayBeWiFiSet = proven == .other && offersWiFiSet
        }
    }

    /// Handles that a link has shown that a device is of a kind that needs no words beside it.
    package mutating func prove(_ id: Int, is kind: HubDevice.Kind) {
        entries[id]?.provenKind = kind
        entries[id]?.edit { ($0.kind, $0.note, $0.mayBeWiFiSet) = (kind, "", false) }
    }

    /// Changes what is known of a device.
    ///
    /// - Returns: The device; `nil` when there is none.
    @discardableResult
    package mutating func update(_ id: Int, _ body: (inout HubDevice) -> Void) -> HubDevice? {
        entries[id]?.edit(body)
        return entries[id]?.device
    }

    /// Takes out what has changed since the last time.
    ///
    /// A device that only was heard again is among it every two seconds, one of no special kind every ten.
    package mutating func takeChanges(at now: Timestamp) -> (changed: [HubDevice], gone: [Int]) {
        for (number, entry) in entries where entry.isSilent(limits.silence, at: now) { remove(number) }
        var due = entries.values.filter { $0.isDue(at: now) }
        due.order { ($0.change.rawValue, $1.device.id) > ($1.change.rawValue, $0.device.id) }
        let changed = due.prefix(limits.changes).map { $0.device }
        for device in changed {
            entries[device.id]?.change = .none
            entries[device.id]?.published = now
        }
        defer { gone = [] }
        return (changed, gone)
    }

    private mutating func number(of peer: Peer, at now: Timestamp) -> Int {
        if let number = numbers[peer] { return number }
        if entries.count >= limits.devices { makeRoom() }
        lastNumber += 1
        numbers[peer] = lastNumber
        entries[lastNumber] = Entry(device: HubDevice(id: lastNumber, peer: peer), firstHeard: now)
        return lastNumber
    }

    private mutating func makeRoom() {
        let old = entries.values.filter { !$0.isPinned }.ordered {
            ($0.device.lastHeard?.milliseconds ?? 0) < ($1.device.lastHeard?.milliseconds ?? 0)
        }
        for entry in old.prefix(max(1, limits.devices / 10)) { remove(entry.device.id) }
    }

    private mutating func remove(_ number: Int) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        numbers.removeValue(forKey: entry.device.peer)
        // What was never published needs no end.
        if entry.published != nil { gone.append(number) }
        if isListed, entry.seen != nil { goneFromList.append(number) }
    }
}

extension DiscoveredDevices.Entry {
    /// How long the name of a device may take that shares its service with others, in milliseconds.
    private static var nameDelay: Int64 { 2000 }

    mutating func receive(_ report: AdvertisementReport, at now: Timestamp) {
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

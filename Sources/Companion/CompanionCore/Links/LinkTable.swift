// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
package import HubModel

/// The devices around, which of them are remembered, and to which of them there are links.
///
/// A radio has room for few links, and a device for one: a FlockFinder's is kept until somebody ends it, a job's as long as a
/// page is busy with the device. What people want, what devices turn out to be and what jobs do comes in here; what is
/// returned says what the host has to do with its radio and its store.
///
/// ```
/// what is heard ─► devices ─► connectsByItself ─┐
/// connect ──────────────────────────────────────┴─► the host begins a link ─► prove ─► remembered
/// disconnect, prove, withdraw ──────────────────────► the host ends it, and leaves the device alone
/// beginJob ─► openJob ─► endJob
/// ```
package struct LinkTable: Sendable {
    /// What has come of it that a link has shown what a device is.
    package struct Proof: Hashable, Sendable {
        /// Whether what is remembered of devices is another.
        package var isRememberedAnew: Bool
        /// Whether the link is to be ended.
        package var isToEnd: Bool

        package init(isRememberedAnew: Bool = false, isToEnd: Bool = false) {
            (self.isRememberedAnew, self.isToEnd) = (isRememberedAnew, isToEnd)
        }
    }

    /// The devices that are heard or known.
    package var devices: DiscoveredDevices
    /// Links that there may be at once.
    package let limit: Int
    /// The devices to which links are kept.
    private var linked: Set<Int> = []
    /// Devices with which a job is busy.
    private var busy: Set<Int> = []
    /// Devices that somebody has disconnected: they are left alone until somebody connects them.
    private var leftAlone: Set<Int> = []
    /// Devices that somebody has chosen in a browser: they stay, whatever else is known of them.
    private var chosen: Set<Int> = []
    private var isClosed = false

    /// Makes what knows no links.
    package init(_ devices: DiscoveredDevices = DiscoveredDevices(), limit: Int) {
        (self.devices, self.limit) = (devices, limit)
    }

    /// Links that are open or wanted.
    package var count: Int { linked.count + busy.count }

    /// Whether a job is busy with a device.
    package func isBusy(_ id: Int) -> Bool { busy.contains(id) }

    /// Handles that the host is about to end: nothing is begun any more.
    package mutating func close() { isClosed = true }

    // MARK: What people say

    /// Handles that somebody wants a FlockFinder connected, and again when its link is lost.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - obstacle: Why nothing can be connected now, in a sentence; `nil` when nothing is in the way.
    /// - Returns: The device to which the host begins a link; `nil` when it has one.
    /// - Throws: ``HubError`` that says why it cannot be now.
    package mutating func connect(_ id: Int, obstacle: String?) throws(HubError) -> HubDevice? {
        let device = try device(id)
        guard device.kind == .flockFinder else { throw Self.notAFlockFinder }
        if !linked.contains(id) {
            if let obstacle { throw .notNow(obstacle) }
            guard !busy.contains(id) else { throw Self.isBusy }
            try checkRoom()
        }
        leftAlone.remove(id)
        return begin(device)
    }

    /// Handles that somebody wants a device left alone.
    ///
    /// - Parameter id: The device, whose link the host ends.
    /// - Throws: ``HubError/notFound(_:)``.
    package mutating func disconnect(_ id: Int) throws(HubError) {
        _ = try device(id)
        leftAlone.insert(id)
        linked.remove(id)
    }

    /// Changes what is wanted of a device, which is remembered from then on.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - change: What is wanted.
    /// - Throws: ``HubError``.
    package mutating func change(_ id: Int, _ change: DeviceChange) throws(HubError) {
        let old = try device(id)
        if change.connectsByItself == true, old.kind != .flockFinder { throw Self.notAFlockFinder }
        try checkMemory(for: old.peer, ownName: change.ownName)
        let changed = devices.update(id) { device in
            if let ownName = change.ownName { device.ownName = ownName.isEmpty ? nil : ownName }
            if let connectsByItself = change.connectsByItself { device.connectsByItself = connectsByItself }
        }
        guard let changed else { throw .noDevice }
        // What nobody has said anything about need not be remembered, nor an address at which there was never anything.
        let isFlockFinder = changed.kind == .flockFinder && changed.name != nil
        devices.setKnown(
            id,
            changed.ownName != nil || changed.connectsByItself || isFlockFinder || chosen.contains(id))
        if change.connectsByItself == true { leftAlone.remove(id) }
    }

    /// Remembers a device whose address a person knows, whether it was heard or not.
    ///
    /// One that nothing else is known of is taken for a FlockFinder: it is connected as soon as it is heard, which shows what it is.
    ///
    /// - Parameters:
    ///   - address: Its address; when its kind is not said, that of a device that is heard, else what its first bits say.
    ///   - ownName: What its owner calls it; `nil` for nothing.
    ///   - now: The moment.
    /// - Returns: Its number.
    /// - Throws: ``HubError``.
    package mutating func add(
        _ address: DeviceAddress, ownName: String?, at now: Timestamp
    ) throws(HubError) -> Int {
        let heard = devices.devices.first { address.matches($0.peer) }
        var device = heard ?? HubDevice(id: 0, peer: address.likeliest)
        try checkMemory(for: device.peer, ownName: ownName)
        if device.kind == .other { device.kind = .flockFinder }
        device.connectsByItself = device.kind == .flockFinder
        if let ownName, !ownName.isEmpty { device.ownName = ownName }
        let id = devices.know(KnownDevice(device), at: now)
        leftAlone.remove(id)
        return id
    }

    // MARK: What devices are

    /// Handles that a device was heard, or has changed: a FlockFinder that is wanted, or new, is connected to.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - isReachable: Whether it can be connected to, as it is heard.
    /// - Returns: The device to which the host begins a link; `nil` when there is nothing to be done.
    package mutating func connectByItself(_ device: HubDevice, isReachable: Bool) -> HubDevice? {
        let id = device.id
        guard device.kind == .flockFinder, isReachable, !busy.contains(id), !leftAlone.contains(id),
            count < limit
        else { return nil }
        // What somebody has said about a device counts; one that is new is what this is for.
        guard device.connectsByItself || !devices.knows(device.peer) else { return nil }
        return begin(device)
    }

    /// Handles that the link to a device has shown that it is a FlockFinder, or is not.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - isFlockFinder: Whether it is one; the link to another is to be ended, and it is left alone.
    /// - Returns: What comes of it.
    package mutating func prove(_ id: Int, isFlockFinder: Bool) -> Proof {
        devices.prove(id, isFlockFinder: isFlockFinder)
        guard let device = devices.device(id) else { return Proof(isToEnd: !isFlockFinder) }
        let isKnown = devices.knows(device.peer)
        if isFlockFinder {
            // What somebody has said about it counts; one that is new is connected from now on.
            guard !isKnown, devices.known.count < KnownDevice.limit else { return Proof() }
            devices.update(id) { $0.connectsByItself = true }
            devices.setKnown(id, true)
            return Proof(isRememberedAnew: true)
        }
        devices.update(id) { $0.connectsByItself = false }
        leftAlone.insert(id)
        linked.remove(id)
        return Proof(isRememberedAnew: isKnown, isToEnd: true)
    }

    private mutating func begin(_ device: HubDevice) -> HubDevice? {
        guard !isClosed, linked.insert(device.id).inserted else { return nil }
        devices.update(device.id) { $0.link = .connecting }
        return device
    }

    // MARK: Choosing in a browser

    /// Handles that a browser lets its page use a device.
    ///
    /// - Parameters:
    ///   - peer: The device.
    ///   - isByPerson: Whether somebody has chosen it just now, and not at an earlier visit.
    /// - Returns: The device to which the host begins a link; `nil` when it begins none.
    package mutating func permit(_ peer: Peer, isByPerson: Bool) -> HubDevice? {
        guard let device = devices.device(of: peer) else { return nil }
        let id = device.id
        chosen.insert(id)
        devices.setKnown(id, true)
        let wanted = devices.update(id) { device in
            device.reason = nil
            // Also when the page is loaded again before there is a link.
            if isByPerson, device.kind == .flockFinder { device.connectsByItself = true }
        }
        if isByPerson { leftAlone.remove(id) }
        return wanted.flatMap { connectByItself($0, isReachable: true) }
    }

    /// Handles that a browser does not let its page use a device any more.
    ///
    /// - Parameter peer: The device.
    /// - Returns: The device whose link the host ends; `nil` when it is not known.
    package mutating func withdraw(_ peer: Peer) -> Int? {
        guard let id = devices.device(of: peer)?.id else { return nil }
        leftAlone.insert(id)
        linked.remove(id)
        devices.update(id) { $0.connectsByItself = false }
        return id
    }

    // MARK: Jobs

    /// Takes a device for a job.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - obstacle: Why nothing can be connected now, in a sentence; `nil` when nothing is in the way.
    /// - Returns: The device.
    /// - Throws: ``HubError`` that says why it cannot be now.
    package mutating func beginJob(_ id: Int, obstacle: String?) throws(HubError) -> HubDevice {
        if let obstacle { throw .notNow(obstacle) }
        let device = try device(id)
        guard !isClosed else { throw .notNow("The hub is about to stop.") }
        guard !linked.contains(id) else {
            throw .notNow("This device is connected already. Disconnect it first.")
        }
        guard !busy.contains(id) else { throw Self.isBusy }
        try checkRoom()
        busy.insert(id)
        devices.update(id) { ($0.link, $0.reason, $0.nextTry) = (.connecting, nil, nil) }
        return device
    }

    /// Handles that the link of a job is there: a device is what its characteristics say, whatever it is called.
    package mutating func openJob(_ job: DeviceJob, at now: Timestamp) {
        switch job.kind {
        case .wifi: devices.prove(job.device, is: .wifiSet)
        case .bulb: devices.prove(job.device, is: .bulb)
        default: break
        }
        devices.update(job.device) { device in
            (device.link, device.connectedSince, device.lastHeard) = (.connected, now, now)
            device.name = device.name ?? job.name
        }
    }

    /// Handles that a job has ended, and its link with it.
    package mutating func endJob(_ job: DeviceJob) {
        busy.remove(job.device)
        devices.update(job.device) { ($0.link, $0.connectedSince) = (.none, nil) }
    }

    // MARK: Checks

    private func device(_ id: Int) throws(HubError) -> HubDevice {
        guard let device = devices.device(id) else { throw .noDevice }
        return device
    }

    private func checkRoom() throws(HubError) {
        guard count < limit else {
            throw .notNow("All \(limit) connections are in use. Disconnect another device first.")
        }
    }

    /// Makes sure that a device can be remembered, with its name.
    private func checkMemory(for peer: Peer, ownName: String?) throws(HubError) {
        if let ownName, ownName.utf8.count > KnownDevice.longestName {
            throw .badValue("A name has at most \(KnownDevice.longestName) octets.")
        }
        guard devices.knows(peer) || devices.known.count < KnownDevice.limit else {
            throw .badValue("No more than \(KnownDevice.limit) devices are remembered.")
        }
    }

    /// What is said when a job is to begin on a device that has one, or a link to it.
    package static let isBusy = HubError.notNow(
        "Another page is busy with this device. Wait until it has done, or go on there.")
    private static let notAFlockFinder = HubError.notNow(
        "This is not a FlockFinder. Only those are connected here; use the page of the device's own kind.")
}

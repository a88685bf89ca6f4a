// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
package import CompanionCore
import CompanionDevices
import HubModel

extension Hub {
    /// The devices that it hears or knows, in the order in which they were heard first.
    package nonisolated var devices: [HubDevice] { board.devices }

    /// A device.
    ///
    /// - Throws: ``HubFault/notFound(_:)``.
    package nonisolated func device(_ id: Int) throws(HubFault) -> HubDevice {
        guard let device = board.device(id) else { throw .noDevice }
        return device
    }

    /// Changes what is wanted of a device, which is remembered from then on.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - ownName: What its owner calls it, empty for nothing; `nil` leaves it.
    ///   - connectsByItself: Whether the hub connects to it by itself; `nil` leaves it.
    /// - Returns: The device.
    /// - Throws: ``HubFault``.
    package func change(
        device id: Int, ownName: String? = nil, connectsByItself: Bool? = nil
    ) async throws(HubFault) -> HubDevice {
        let old = try device(id)
        if connectsByItself == true, old.kind != .flockFinder { throw Self.notAFlockFinder }
        try checkMemory(for: old.peer, ownName: ownName)
        let device = board.update(id) { device in
            if let ownName { device.ownName = ownName.isEmpty ? nil : ownName }
            if let connectsByItself { device.connectsByItself = connectsByItself }
        }
        guard let device else { throw .noDevice }
        // What nobody has said anything about need not be remembered, nor an address at which there was never anything.
        let isFlockFinder = device.kind == .flockFinder && device.name != nil
        board.setKnown(id, device.ownName != nil || device.connectsByItself || isFlockFinder)
        try await storeKnownDevices()
        if connectsByItself == true { leftAlone.remove(id) }
        return device
    }

    /// Remembers a device whose address a person knows, whether it was heard or not.
    ///
    /// One that nothing else is known of is taken for a FlockFinder: the hub connects to it as soon as it is heard, and sees.
    ///
    /// - Parameters:
    ///   - address: Its address; when its kind is not said, that of a device that is heard, else what its first bits say.
    ///   - ownName: What its owner calls it; `nil` for nothing.
    /// - Returns: The device.
    /// - Throws: ``HubFault``.
    package func add(_ address: DeviceAddress, ownName: String? = nil) async throws(HubFault) -> HubDevice {
        let heard = board.devices.first { address.matches($0.peer) }
        var device = heard ?? HubDevice(id: 0, peer: address.likeliest)
        try checkMemory(for: device.peer, ownName: ownName)
        if device.kind == .other { device.kind = .flockFinder }
        device.connectsByItself = device.kind == .flockFinder
        if let ownName, !ownName.isEmpty { device.ownName = ownName }
        let id = board.know(KnownDevice(device), at: clock.now())
        leftAlone.remove(id)
        try await storeKnownDevices()
        return try self.device(id)
    }

    /// Makes sure that a device can be remembered, with its name.
    private func checkMemory(for peer: Peer, ownName: String?) throws(HubFault) {
        if let ownName, ownName.utf8.count > KnownDevice.longestName {
            throw .badValue("A name has at most \(KnownDevice.longestName) octets.")
        }
        guard board.knows(peer) || board.known.count < KnownDevice.limit
        else { throw .badValue("The hub remembers \(KnownDevice.limit) devices at most.") }
    }

    /// Connects to a FlockFinder and comes back to it when the link is lost, until somebody disconnects it.
    package func connect(_ id: Int) async throws(HubFault) -> HubDevice {
        let device = try device(id)
        guard device.kind == .flockFinder else { throw Self.notAFlockFinder }
        if links[id] == nil {
            guard await radio.state.condition != .missing else {
                throw .notNow("There is no radio to connect with. \(await radio.state.text)")
            }
            guard !devicesWithJob.contains(id) else {
                throw .notNow("A page is busy with this device. Wait until it has done.")
            }
            guard linkCount < source.maximumConnections else {
                throw .notNow(
                    "All \(source.maximumConnections) connections are in use. Disconnect another device first."
                )
            }
        }
        leftAlone.remove(id)
        begin(device)
        return try self.device(id)
    }

    /// Disconnects a device, and leaves it alone until somebody connects it again.
    package func disconnect(_ id: Int) async throws(HubFault) -> HubDevice {
        _ = try device(id)
        leftAlone.insert(id)
        if let link = links.removeValue(forKey: id) { await link.end() }
        return try device(id)
    }

    /// Writes a command to a device and waits for its answer.
    ///
    /// - Parameters:
    ///   - command: PING, STATUS, RESET, stream_on or stream_off.
    ///   - id: The device.
    /// - Returns: The answer.
    /// - Throws: ``HubFault``.
    package func send(_ command: String, to id: Int) async throws(HubFault) -> CommandAnswer {
        let device = try device(id)
        try FlockLink.check(WireText(command))
        guard let link = links[id], device.link == .connected else { throw FlockLink.notConnected }
        return try await link.send(WireText(command))
    }

    private static let notAFlockFinder = HubFault.notNow(
        "This is not a FlockFinder. The hub connects to those only; use the page of the device's own kind.")

    // MARK: Links

    /// Connects to a device that was heard, when that is wanted.
    func connectByItself(_ device: HubDevice) async {
        guard !isLeaving, device.kind == .flockFinder, links[device.id] == nil, device.lastHeard != nil,
            !devicesWithJob.contains(device.id), !leftAlone.contains(device.id),
            linkCount < source.maximumConnections
        else { return }
        // What somebody has said about a device counts; one that is new is what the hub is for.
        guard device.connectsByItself || !board.knows(device.peer) else { return }
        begin(device)
    }

    private func begin(_ device: HubDevice) {
        guard links[device.id] == nil, !isLeaving else { return }
        let link = FlockLinkHost(device, of: self)
        links[device.id] = link
        board.update(device.id) { $0.link = .connecting }
        Task { await link.begin() }
    }

    /// Handles that a device has shown that it is a FlockFinder, or is not.
    func proved(_ id: Int, isFlockFinder: Bool) async {
        if isFlockFinder {
            board.prove(id, isFlockFinder: true)
            guard let device = board.device(id), !board.knows(device.peer),
                board.known.count < KnownDevice.limit
            else { return }
            board.update(id) { $0.connectsByItself = true }
            board.setKnown(id, true)
            // It is remembered the next time, when the database can be written.
            try? await storeKnownDevices()
        } else {
            board.prove(id, isFlockFinder: false)
            board.update(id) { $0.connectsByItself = false }
            leftAlone.insert(id)
            if let link = links.removeValue(forKey: id) { Task { await link.end() } }
            guard let device = board.device(id), board.knows(device.peer) else { return }
            try? await storeKnownDevices()
        }
    }

    /// Says of devices that are looked for in vain that they are.
    func refreshLinks() async {
        var isFull = false
        for link in links.values where await link.refresh() { isFull = true }
        await radio.note(isFull: isFull)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
package import CompanionCore
import CompanionDevices
public import HubModel

extension Hub {
    /// The devices that it hears or knows, in the order in which they were heard first.
    public nonisolated var devices: [HubDevice] { board.devices }

    /// A device.
    ///
    /// - Throws: ``HubError/notFound(_:)``.
    public nonisolated func device(_ id: Int) throws(HubError) -> HubDevice {
        guard let device = board.device(id) else { throw .noDevice }
        return device
    }

    /// Changes what is wanted of a device, which is remembered from then on.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - change: What is wanted.
    /// - Returns: The device.
    /// - Throws: ``HubError``.
    public func change(device id: Int, _ change: DeviceChange) async throws(HubError) -> HubDevice {
        try board.links { links throws(HubError) in try links.change(id, change) }
        try await storeKnownDevices()
        return try device(id)
    }

    /// Remembers a device whose address a person knows, whether it was heard or not.
    ///
    /// One that nothing else is known of is taken for a FlockFinder: the hub connects to it as soon as it is heard, and sees.
    ///
    /// - Parameters:
    ///   - address: Its address; when its kind is not said, that of a device that is heard, else what its first bits say.
    ///   - ownName: What its owner calls it; `nil` for nothing.
    /// - Returns: The device.
    /// - Throws: ``HubError``.
    public func add(_ address: DeviceAddress, ownName: String? = nil) async throws(HubError)
        -> HubDevice
    {
        let now = clock.now()
        let id = try board.links { links throws(HubError) in
            try links.add(address, ownName: ownName, at: now)
        }
        try await storeKnownDevices()
        return try device(id)
    }

    /// Connects to a FlockFinder and comes back to it when the link is lost, until somebody disconnects it.
    public func connect(_ id: Int) async throws(HubError) -> HubDevice {
        let obstacle = await radio.state.obstacle
        begin(try board.links { links throws(HubError) in try links.connect(id, obstacle: obstacle) })
        return try device(id)
    }

    /// Disconnects a device, and leaves it alone until somebody connects it again.
    public func disconnect(_ id: Int) async throws(HubError) -> HubDevice {
        try board.links { links throws(HubError) in try links.disconnect(id) }
        if let link = links.removeValue(forKey: id) { await link.end() }
        return try device(id)
    }

    /// Writes a command to a device and waits for its answer.
    ///
    /// - Parameters:
    ///   - command: PING, STATUS, RESET, stream_on or stream_off.
    ///   - id: The device.
    /// - Returns: The answer.
    /// - Throws: ``HubError``.
    package func send(_ command: String, to id: Int) async throws(HubError) -> CommandAnswer {
        let device = try device(id)
        try FlockLink.check(WireText(command))
        guard let link = links[id], device.link == .connected else { throw FlockLink.notConnected }
        return try await link.send(WireText(command))
    }

    // MARK: Links

    /// Connects to a device that was heard, when that is wanted.
    func connectByItself(_ device: HubDevice) {
        begin(board.links { $0.connectByItself(device, isReachable: device.lastHeard != nil) })
    }

    private func begin(_ device: HubDevice?) {
        guard let device else { return }
        let link = FlockLinkHost(device, of: self)
        links[device.id] = link
        Task { await link.begin() }
    }

    /// Handles that a device has shown that it is a FlockFinder, or is not.
    func proved(_ id: Int, isFlockFinder: Bool) async {
        let proof = board.links { $0.prove(id, isFlockFinder: isFlockFinder) }
        if proof.isToEnd, let link = links.removeValue(forKey: id) { Task { await link.end() } }
        // It is remembered the next time, when the database cannot be written now.
        if proof.isRememberedAnew { try? await storeKnownDevices() }
    }

    /// Says of devices that are looked for in vain that they are.
    func refreshLinks() async {
        var isFull = false
        for link in links.values where await link.refresh() { isFull = true }
        await radio.note(isFull: isFull)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Companion
import CompanionHub
import CompanionStore
import FlockFinder
import FlockFinderSimulated
import Foundation
import HubModel
import Synchronization

/// A hub on the virtual air, in real time, with a database of its own.
final class HubFixture: Sendable {
    let folder: String
    let air: VirtualRadio
    let source: AirSource
    let store: DetectionDatabase
    let hub: Hub
    let events: FollowedEvents
    private let work: Task<Void, Never>

    /// Begins a hub.
    ///
    /// - Parameters:
    ///   - folder: Where its database lies; `nil` for a new one.
    ///   - change: Changes what tells it from others.
    ///   - devices: Makes the devices around it.
    /// - Throws: What making the database and the loop throws.
    init(
        folder: String? = nil, _ change: (inout Hub.Options) -> Void = { _ in },
        devices: @escaping @Sendable () -> [any SimulatedHost] = { [HubFixture.finder()] }
    ) async throws {
        self.folder = folder ?? NSTemporaryDirectory() + "lantern-hub-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: self.folder, withIntermediateDirectories: true)
        air = VirtualRadio(on: try TransportLoop())
        await air.add(devices)
        source = AirSource(air)
        store = try DetectionDatabase(path: self.folder + "/lantern.sqlite", createIfMissing: true)
        var options = Hub.Options(
            name: "test", version: "1", captureFile: self.folder + "/capture.btsnoop")
        options.publishInterval = .milliseconds(50)
        change(&options)
        let hub = Hub(options, store: store, radio: source)
        self.hub = hub
        events = FollowedEvents(hub.feed)
        work = Task { await hub.run() }
    }

    /// Ends the hub and closes its database.
    func stop() async throws {
        work.cancel()
        await work.value
        await events.end()
        try await store.close()
    }

    /// Ends the hub and takes its folder away.
    func remove() async throws {
        try await stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// The FlockFinder, once it is as wanted.
    func finder(where isWanted: (HubDevice) -> Bool) async throws -> HubDevice {
        var found: HubDevice?
        try await eventually {
            found = hub.devices.first { $0.peer == Peer(SimulatedFlockFinder.address) && isWanted($0) }
            return found != nil
        }
        guard let found else { throw NeverHappened() }
        return found
    }

    /// A FlockFinder that notices something twenty times a second.
    static func finder(_ count: Int = 400) -> any SimulatedHost {
        let lines = (1...count).map { number in
            DetectionScript.Line(
                afterMilliseconds: 50,
                Detection(
                    type: .ring, label: "Ring", mac: 0xA483_E7AB_0000 + UInt64(number % 3), ssid: "Doorbell",
                    rssi: -60, confidence: 0.8, ts: nil))
        }
        return SimulatedFlockFinder.make(source: .script(DetectionScript(lines: lines)))
    }
}

/// A radio on a virtual air that may be lost and come back.
final class AirSource: HubRadioSource {
    let name = "air"
    let isSimulated = true
    let maximumConnections = 2
    let capture: (any HubCapturing)? = nil
    private let air: VirtualRadio
    private let state = Mutex<(isGone: Bool, transport: (any Transport)?)>((false, nil))

    init(_ air: VirtualRadio) { self.air = air }

    func open() async throws(RadioError) -> (name: String, radio: Radio) {
        let host = HostRadio(loop: air.loop) { [air, self] (loop) async throws(TransportError) in
            if state.withLock({ $0.isGone }) { throw .cannotOpen("it is gone") }
            let transport = await air.attach(
                VirtualAir.ControllerConfiguration(
                    address: BluetoothAddress(0x00AA_0000_0001, kind: .public)),
                on: loop)
            state.withLock { $0.transport = transport }
            return transport
        }
        do throws(BluetoothError) {
            try await host.start()
        } catch {
            await host.close()
            throw RadioError(.missing, title: "The radio is gone", text: error.description)
        }
        return (name, host.radio)
    }

    /// Pulls the radio out, or plugs it in.
    func set(isGone: Bool) {
        let transport = state.withLock { state in
            state.isGone = isGone
            return state.transport
        }
        if isGone { transport?.close() }
    }
}

/// What a feed has brought.
final class FollowedEvents: Sendable {
    private let task: Task<Void, Never>

    init(_ feed: EventFeed) {
        let subscription = feed.subscribe()
        let box = Box()
        task = Task {
            while let new = await subscription.next() { box.items.withLock { $0 += new } }
        }
        self.box = box
    }

    private final class Box: Sendable { let items = Mutex<[EventFeed.Item]>([]) }
    private let box: Box

    /// Those of a name, as text.
    func named(_ name: String) -> [String] {
        box.items.withLock { $0.filter { $0.name == name } }.map { String(decoding: $0.json, as: UTF8.self) }
    }

    var names: [String] { box.items.withLock { $0.map(\.name) } }

    var ids: [Int64] { box.items.withLock { $0.map(\.id) } }

    /// Waits until the feed has ended.
    func end() async { await task.value }
}

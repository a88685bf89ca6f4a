// SPDX-License-Identifier: Apache-2.0

import BLETransport
import DBus
import Synchronization

@testable import BLEBlueZ

/// As much of bluetoothd as a server meets, on a bus of its own; what clients do is said by the test.
///
/// It reads our objects as bluetoothd does: services with GetManagedObjects, an advertisement with GetAll.
final class FakeBlueZ: Sendable {
    struct Known {
        var application: (owner: String, path: String, objects: DBusObjects)?
        var advertisements: [String: [String: DBusValue]] = [:]
        var ended: [String] = []
        var isDiscovering = false
        /// How often it has begun to.
        var discoveries = 0
        /// Connects that wait for the end of discovery, as in the kernel for up to ten seconds.
        var connecting: [DBusRequest] = []
        var pairing = FakePairing()
        /// Calls that nobody answers any more.
        var lost: [DBusRequest] = []
    }

    static let adapter = "/org/bluez/hci0"
    static let device = adapter + "/dev_00_AA_01_00_00_01"
    let bus: DBusConnection
    let known = Mutex(Known())
    private let loop: TransportLoop
    private let refusal: String?

    /// - Parameters:
    ///   - address: The bus.
    ///   - loop: What it runs on.
    ///   - refusal: Refuses to register with this error.
    /// - Throws: ``DBusError``.
    init(_ address: String, on loop: TransportLoop, refusing refusal: String? = nil) throws {
        bus = try DBusConnection.open(address, on: loop)
        self.loop = loop
        self.refusal = refusal
        bus.serve("/") { [weak self] request in self?.handle(request) }
        forgetAgentsOfWhoGoes()
    }

    /// Begins, as `systemctl start bluetooth` does.
    func begin() async throws { try await own("RequestName", [.string("org.bluez"), .uint32(0)]) }
    /// Is gone from the bus, with all that it knew; a Pair that waits gets no answer.
    func leave() async throws {
        known.withLock { known in
            let lost = known.pairing.pairs + known.lost
            known = Known()
            known.lost = lost
        }
        try await own("ReleaseName", [.string("org.bluez")])
    }

    private func own(_ method: String, _ arguments: [DBusValue]) async throws {
        let name = "org.freedesktop.DBus"
        _ = try await bus.call(DBusCall(name, "/org/freedesktop/DBus", name, method, arguments))
    }

    private func handle(_ request: DBusRequest) {
        switch request.method {
        case "GetManagedObjects":
            let interfaces: DBusValue = .dictionary(
                [.string(BlueZ.adapter): .options(["Powered": .bool(true)])], key: "s", value: "a{sv}")
            request.answer([.dictionary([.path(Self.adapter): interfaces], key: "o", value: "a{sa{sv}}")])
        case "RegisterApplication", "RegisterAdvertisement":
            if let refusal { return request.refuse(refusal, "no") }
            register(request)
        case "UnregisterApplication":
            known.withLock { $0.application = nil }
            end(request)
        case "UnregisterAdvertisement":
            known.withLock { _ = $0.advertisements.removeValue(forKey: request.arguments[0].string ?? "") }
            end(request)
        case "Connect":
            known.withLock { $0.connecting.append(request) }
            connectUnlessDiscovering()
        case "StartDiscovery", "StopDiscovery":
            known.withLock { known in
                known.isDiscovering = request.method == "StartDiscovery"
                known.discoveries += known.isDiscovering ? 1 : 0
            }
            // How strong a device was is known while it listens.
            if request.method == "StopDiscovery" {
                change([:], of: Self.device, BlueZ.device, without: ["RSSI"])
            }
            request.answer()
            connectUnlessDiscovering()
        case "Disconnect":
            request.answer()
            connect(false)
        default: handlePairing(request)
        }
    }

    private func connectUnlessDiscovering() {
        let requests = known.withLock { known in
            guard !known.isDiscovering else { return [DBusRequest]() }
            defer { known.connecting = [] }
            return known.connecting
        }
        for request in requests {
            change(
                ["Connected": .bool(true), "ServicesResolved": .bool(true)], of: Self.device, BlueZ.device)
            request.answer()
        }
    }

    /// The device is heard.
    func hear(_ strength: Int16) { change(["RSSI": .int16(strength)], of: Self.device, BlueZ.device) }

    private func end(_ request: DBusRequest) {
        known.withLock { $0.ended.append(request.method) }
        request.answer()
    }

    private func register(_ request: DBusRequest) {
        let (owner, path) = (request.sender, request.arguments[0].string ?? "")
        let isApplication = request.method == "RegisterApplication"
        let call =
            isApplication
            ? DBusCall(owner, path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
            : DBusCall(
                owner, path, "org.freedesktop.DBus.Properties", "GetAll", [.string(BlueZ.advertisement)])
        bus.send(call) { [weak self] answer in
            guard let self, let values = try? answer.get() else {
                return request.refuse("org.bluez.Error.Failed")
            }
            known.withLock { known in
                if isApplication {
                    known.application = (try? DBusObjects(answer: values)).map { (owner, path, $0) }
                } else {
                    known.advertisements[path] = values.first?.named
                }
            }
            request.answer()
        }
    }

    /// A central connects to an adapter, or is gone.
    func connect(_ isConnected: Bool, to adapter: String = adapter) {
        let device = Self.device.replacing(Self.adapter, with: adapter)
        let manager = "org.freedesktop.DBus.ObjectManager"
        guard isConnected else { return change(["Connected": .bool(false)], of: device, BlueZ.device) }
        let properties: DBusValue = .options([
            "Address": .string("00:AA:01:00:00:01"), "AddressType": .string("public"),
            "Connected": .bool(true),
        ])
        bus.emit(
            DBusSignal(
                path: "/", interface: manager, name: "InterfacesAdded",
                arguments: [
                    .path(device),
                    .dictionary([.string(BlueZ.device): properties], key: "s", value: "a{sv}"),
                ]))
    }

    /// Properties of an object become others.
    func change(
        _ properties: [String: DBusValue], of path: String, _ interface: String, without gone: [String] = []
    ) {
        bus.emit(
            DBusSignal(
                path: path, interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged",
                arguments: [
                    .string(interface), .options(properties), .array(gone.map { .string($0) }, of: "s"),
                ]))
    }

    /// The device disconnects, and the reason is told before or after that, in one go.
    func disconnect(_ reason: String?, isFirst: Bool) {
        loop.execute {
            if let reason, isFirst { self.tell(reason) }
            self.connect(false)
            if let reason, !isFirst { self.tell(reason) }
        }
    }

    /// Says why a device has disconnected, as BlueZ does since 5.82.
    private func tell(_ reason: String) {
        bus.emit(
            DBusSignal(
                path: Self.device, interface: BlueZ.device, name: "Disconnected",
                arguments: [.string("org.bluez.Reason." + reason), .string("")]))
    }

    /// The adapter is plugged in, or pulled out.
    func plug(_ isThere: Bool) {
        let manager = "org.freedesktop.DBus.ObjectManager"
        let interfaces: DBusValue =
            isThere
            ? .dictionary(
                [.string(BlueZ.adapter): .options(["Powered": .bool(true)])], key: "s", value: "a{sv}")
            : .array([.string(BlueZ.adapter)], of: "s")
        bus.emit(
            DBusSignal(
                path: "/", interface: manager, name: isThere ? "InterfacesAdded" : "InterfacesRemoved",
                arguments: [.path(Self.adapter), interfaces]))
    }

    /// Calls a method of the value with this UUID, as bluetoothd does for the connected central.
    func ask(
        _ method: String, of uuid: String, _ value: [UInt8]? = nil, _ options: [String: DBusValue] = [:]
    ) async throws -> [DBusValue] {
        let (owner, path, interface) = try object(uuid)
        var arguments: [DBusValue] = value.map { [.octets($0)] } ?? []
        if ["ReadValue", "WriteValue", "AcquireNotify"].contains(method) {
            let usual: [String: DBusValue] = ["device": .path(Self.device)]
            arguments.append(.options(usual.merging(options) { $1 }))
        }
        return try await bus.call(DBusCall(owner, path, interface, method, arguments))
    }

    struct NoObject: Error {}

    private func object(_ uuid: String) throws -> (owner: String, path: String, interface: String) {
        guard let application = known.withLock({ $0.application }) else { throw NoObject() }
        for interface in [BlueZ.characteristic, BlueZ.descriptor] {
            for (path, properties) in application.objects.all(interface)
            where properties["UUID"]?.string == uuid { return (application.owner, path, interface) }
        }
        throw NoObject()
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLETransport
import BLEWire
import BluetoothLE
import DBus
import Synchronization

/// A link that bluetoothd keeps.
final class BlueZConnection: ConnectionBackend {
    /// Values that wait for a consumer at most; beyond, the device is held up, or the link is closed.
    private static let valueLimit = 1024

    /// What only the loop changes.
    private struct Inside {
        var services: BlueZServices
        /// Notifications that BlueZ gives through a descriptor.
        var acquired: [AttributeHandle: AcquiredValues] = [:]
        /// What BlueZ notifies as changes of a property.
        var started: [String: (AttributeHandle, GATT.ValueKind)] = [:]
        var isClosing = false
        var isEnding = false
        var failure: LinkError?
    }

    let peer: Peer
    let state: LinkState
    private let radio: BlueZRadio
    let path: String
    private let bus: DBusConnection
    private let inside: Mutex<Inside>

    init(
        _ radio: BlueZRadio, _ path: String, _ peer: Peer, _ bus: DBusConnection, _ services: BlueZServices
    ) {
        self.radio = radio
        self.path = path
        self.peer = peer
        self.bus = bus
        inside = Mutex(Inside(services: services))
        let resume = Resuming()
        state = LinkState(mtu: services.mtu ?? ATT.defaultMTU) { resume.body.withLock { $0 }?() }
        resume.body.withLock {
            $0 = { [weak self] in
                guard let self, self.inside.withLock({ !$0.acquired.isEmpty }) else { return }
                self.bus.loop.execute { [weak self] in self?.resume() }
            }
        }
    }

    /// What is called when values were taken out, which is known only after the state.
    private final class Resuming: Sendable {
        let body = Mutex<(@Sendable () -> Void)?>(nil)
    }

    var executor: (any TaskExecutor)? { bus.loop }
    var clock: any RadioClock { LoopClock(loop: bus.loop) }
    /// Whether this side is closing it.
    var isClosing: Bool { inside.withLock { $0.isClosing } }
    /// Whether BlueZ has said that it is gone.
    var isEnding: Bool {
        get { inside.withLock { $0.isEnding } }
        set { inside.withLock { $0.isEnding = newValue } }
    }
    /// Why it is gone, where BlueZ has said so.
    var failure: LinkError? {
        get { inside.withLock { $0.failure } }
        set { inside.withLock { $0.failure = newValue } }
    }
    var lost: BluetoothError { .disconnected(state.ending.reason ?? .closedByUs) }

    // MARK: What is asked

    func disconnect() async { await disconnect(within: .seconds(10)) }

    /// Closes the link.
    ///
    /// - Parameter limit: How long BlueZ may take.
    func disconnect(within limit: Duration) async {
        guard state.ending.reason == nil else { return }
        inside.withLock { $0.isClosing = true }
        bus.send(DBusCall(BlueZ.service, path, BlueZ.device, "Disconnect"), timeout: limit) {
            [state] answer in
            if case .failure = answer { state.end(.closedByUs) }
        }
        _ = try? await state.ending.wait()
    }

    func discoverServices() async throws(BluetoothError) -> [GATT.Service] {
        let found = BlueZServices(await radio.objects, of: path)
        guard state.ending.reason == nil else { throw lost }
        inside.withLock { $0.services = found }
        return found.services
    }

    func read(_ handle: AttributeHandle) async throws(BluetoothError) -> [UInt8] {
        let answer = try await call("ReadValue", [.options([:])], of: handle)
        guard let octets = answer.first?.octets else { throw .badResponse }
        return octets
    }

    func write(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError) {
        // A descriptor knows no kinds.
        let kind: [String: DBusValue] =
            try await object(handle).interface == BlueZ.descriptor ? [:] : ["type": .string("request")]
        _ = try await call("WriteValue", [.octets(value), .options(kind)], of: handle)
    }

    func writeWithoutResponse(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError) {
        let limit = ATT.longestValue(atMTU: state.mtu)
        guard value.count <= limit else { throw .tooLong(octets: value.count, limit: limit) }
        let options = DBusValue.options(["type": .string("command")])
        _ = try await call("WriteValue", [.octets(value), options], of: handle)
    }

    /// What BlueZ calls an attribute; it is asked what there is, when nobody has asked before.
    private func object(_ handle: AttributeHandle) async throws(BluetoothError) -> BlueZServices.Value {
        guard state.ending.reason == nil else { throw lost }
        if inside.withLock({ $0.services.values.isEmpty }) { _ = try await discoverServices() }
        guard let object = inside.withLock({ $0.services.values[handle] }) else {
            throw .refused(.invalidHandle)
        }
        return object
    }

    var security: LinkSecurity? { get async { await radio.security(of: path) } }

    func pair(_ agent: PairingAgent) async throws(BluetoothError) -> LinkSecurity {
        try await radio.pair(agent, on: self)
    }

    func encrypt() async throws(BluetoothError) -> LinkSecurity { try await radio.encrypted(self) }

    /// Calls a method, and once more when the link had to be protected for it.
    private func call(
        _ method: String, _ arguments: [DBusValue], of handle: AttributeHandle
    ) async throws(BluetoothError) -> [DBusValue] {
        // BlueZ may pair by itself meanwhile, and asks then.
        try await radio.agentIsKnown()
        do throws(BluetoothError) {
            return try await callOnce(method, arguments, of: handle)
        } catch {
            guard case .refused(let code) = error, code.asksForSecurity, try await radio.secure(self) else {
                throw error
            }
        }
        return try await callOnce(method, arguments, of: handle)
    }

    private func callOnce(
        _ method: String, _ arguments: [DBusValue], of handle: AttributeHandle
    ) async throws(BluetoothError) -> [DBusValue] {
        let object = try await object(handle)
        do throws(DBusError) {
            // Longer than the 30 seconds that a device has, and a person whom BlueZ asks meanwhile has 30 more.
            return try await bus.call(
                DBusCall(BlueZ.service, object.path, object.interface, method, arguments),
                timeout: .seconds(70))
        } catch {
            if error != .cancelled, state.ending.reason != nil { throw lost }
            let failure = BlueZ.requestFailure(error)
            if BlueZ.mayMeanTheEnd(failure), await radio.sees(theEndOf: self) { throw lost }
            throw failure
        }
    }

    // MARK: Values that the device sends

    func subscribe(
        _ subscription: GATT.Subscription, to characteristic: GATT.Characteristic
    ) async throws(BluetoothError) {
        let handle = characteristic.valueHandle
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
            throw .notOffered("this characteristic sends nothing by itself")
        }
        if subscription.isEmpty { return try await unsubscribe(handle) }
        let object = try await object(handle)
        let isOn = inside.withLock { $0.acquired[handle] != nil || $0.started[object.path] != nil }
        guard !isOn else { return }
        // BlueZ chooses notifications where there are both.
        if characteristic.properties.contains(.notify) {
            if try await acquire(handle) { return }
        }
        let kind: GATT.ValueKind = characteristic.properties.contains(.notify) ? .notify : .indicate
        inside.withLock { $0.started[object.path] = (handle, kind) }
        do throws(BluetoothError) {
            _ = try await call("StartNotify", [], of: handle)
        } catch {
            inside.withLock { $0.started[object.path] = nil }
            throw error
        }
    }

    /// Has BlueZ give notifications through a descriptor.
    ///
    /// - Returns: Whether it does; not where it cannot, or another program has them.
    private func acquire(_ handle: AttributeHandle) async throws(BluetoothError) -> Bool {
        let answer: [DBusValue]
        do throws(BluetoothError) {
            answer = try await call("AcquireNotify", [.options([:])], of: handle)
        } catch .refusedByRadio, .refused, .tooManyRequests, .servicesChanged {
            return false
        }
        guard answer.count == 2, let descriptor = answer[0].descriptor else { throw .badResponse }
        bus.loop.execute { [weak self] in
            guard let self, state.ending.reason == nil else { return }
            let values = AcquiredValues(descriptor, on: bus.loop) { [weak self] in self?.take(handle) }
            inside.withLock { $0.acquired[handle] = values }
        }
        return true
    }

    private func unsubscribe(_ handle: AttributeHandle) async throws(BluetoothError) {
        let object = try await object(handle)
        let wasStarted = inside.withLock { $0.started.removeValue(forKey: object.path) != nil }
        if wasStarted { _ = try await call("StopNotify", [], of: handle) }
        // BlueZ stops when the descriptor is closed.
        bus.loop.execute { [weak self] in
            self?.inside.withLock { $0.acquired.removeValue(forKey: handle) }?.end()
        }
    }

    /// Takes out what waits in a descriptor, as long as somebody takes it out here.
    private func take(_ handle: AttributeHandle) {
        guard let source = inside.withLock({ $0.acquired[handle] }) else { return }
        var values = FIFO<ReceivedValue>()
        var room = Self.valueLimit - state.waitingValues
        source.isHeld = room <= 0
        while room > 0, let value = source.next() {
            values.append(ReceivedValue(handle: handle, value: value, kind: .notify))
            room -= 1
        }
        deliver(&values, of: handle)
    }

    private func resume() {
        for values in inside.withLock({ Array($0.acquired.values) }) where values.isHeld {
            values.isHeld = false
        }
    }

    /// BlueZ tells a value as a change of its property.
    func notified(_ value: [UInt8], by path: String) {
        guard let (handle, kind) = inside.withLock({ $0.started[path] }) else { return }
        var values = FIFO<ReceivedValue>()
        values.append(ReceivedValue(handle: handle, value: value, kind: kind))
        deliver(&values, of: handle)
        guard state.waitingValues > 4 * Self.valueLimit else { return }
        state.end(.consumerTooSlow)
        bus.send(DBusCall(BlueZ.service, self.path, BlueZ.device, "Disconnect")) { _ in }
    }

    private func deliver(_ values: inout FIFO<ReceivedValue>, of handle: AttributeHandle) {
        var wakeUps = StreamWakeUps()
        _ = state.deliver(&values, of: handle, &wakeUps)
        wakeUps.wake()
    }

    // MARK: What changes

    func mtuChanged(_ mtu: Int) {
        guard (ATT.defaultMTU...517).contains(mtu), mtu != state.mtu else { return }
        var wakeUps = StreamWakeUps()
        state.apply(.mtu(mtu), &wakeUps)
        wakeUps.wake()
    }

    /// A service is gone, and so is what listens to it.
    func serviceRemoved(at handle: UInt16) {
        guard
            let service = inside.withLock({ $0.services.services.first { $0.handle.rawValue == handle } })
        else { return }
        var wakeUps = StreamWakeUps()
        state.servicesChanged(ATT.HandleRange(start: service.handle, end: service.endHandle), &wakeUps)
        wakeUps.wake()
    }

    /// The link is gone.
    func ended(_ failure: LinkError) {
        let acquired = inside.withLock { inside in
            defer { (inside.acquired, inside.started) = ([:], [:]) }
            return Array(inside.acquired.values)
        }
        for values in acquired { values.end() }
        state.end(failure)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
public import Foundation
import VirtualPhone

/// A device that was found or connected to.
///
/// There is one object for a device as long as the app, or a link of the app, needs it: an app that lets go of it while it
/// connects, or is connected, lets go of the link.
open class CBPeripheral: CBPeer, _KeyValueCodingAndObserving {
    /// Who observes it.
    public let _observers = _KeyValueObservers()
    /// What is told of the device's services and values.
    open weak var delegate: (any CBPeripheralDelegate)?

    let peer: Peer
    private let lock = NSRecursiveLock()
    private var link: Link = .none
    private var managing: Reference<CBManager>
    private var toldTo: CallbackQueue
    private let app: VirtualPhone.App?
    private var called: String?
    private var told: CBPeripheralState = .disconnected
    private var found: [CBService]?
    private var hasRoom = true
    /// Commands that wait to be sent.
    private var waitingCommands = 0

    private enum Link {
        case none
        /// The task that opens a link, and later goes on with it.
        case wanted(Task<Void, Never>, session: LinkSession?)
    }

    /// Commands that may wait before the app has to.
    static let commandLimit = 16

    init(_ identifier: UUID, _ peer: Peer, _ manager: CBCentralManager) {
        self.peer = peer
        (managing, toldTo, app) = (manager.reference, manager.callbacks, manager.app)
        called = manager.app?.phone.name(of: peer)
        super.init(identifier: identifier)
    }

    deinit {
        if case .wanted(let task, _) = link {
            misused("Cancelling connection for unused peripheral, did you forget to keep a reference to it?")
            task.cancel()
        }
    }

    // MARK: What it is like

    /// What the device is called, as far as that is known.
    open var name: String? {
        _observers.access(\CBPeripheral.name)
        return lock.withLock { called }
    }

    /// Whether it is connected.
    open var state: CBPeripheralState {
        _observers.access(\CBPeripheral.state)
        return lock.withLock { told }
    }

    /// Its services, once they were discovered.
    open var services: [CBService]? {
        _observers.access(\CBPeripheral.services)
        return lock.withLock { found }
    }

    /// Whether there is room for another command.
    open var canSendWriteWithoutResponse: Bool {
        _observers.access(\CBPeripheral.canSendWriteWithoutResponse)
        return lock.withLock { hasRoom }
    }

    /// Whether the device may see the phone's notifications: never, since this phone has none.
    open var ancsAuthorized: Bool { false }

    /// How strong the link was when it was read last: nothing, since ``readRSSI()`` tells its delegate.
    @available(*, deprecated, message: "Use readRSSI().")
    open var rssi: NSNumber? { nil }

    /// Octets of a value that one write carries at most.
    open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        guard let session else { return 20 }
        return type == .withResponse
            ? ATT.maximumValueLength : min(session.connection.mtu - 3, ATT.maximumValueLength)
    }

    var session: LinkSession? {
        lock.withLock { if case .wanted(_, let session) = link { session } else { nil } }
    }

    var callbacks: CallbackQueue { lock.withLock { toldTo } }

    var manager: CBCentralManager? { lock.withLock { managing }.object as? CBCentralManager }

    func setState(_ state: CBPeripheralState) {
        _observers.change(\CBPeripheral.state) { lock.withLock { told = state } }
    }

    func setServices(_ services: [CBService]?) {
        _observers.change(\CBPeripheral.services) { lock.withLock { found = services } }
    }

    /// The device says what it is called.
    func isCalled(_ name: String) {
        guard app?.phone.heard(name: name, of: peer) == true || lock.withLock({ called }) != name else {
            return
        }
        let hadName = lock.withLock { called } != nil
        _observers.change(\CBPeripheral.name) { lock.withLock { called = name } }
        if hadName { delegate?.peripheralDidUpdateName(self) }
    }

    func misused(_ what: String) {
        FileHandle.standardError.write(Data("[CoreBluetooth] API MISUSE: \(what)\n".utf8))
    }

    // MARK: What it offers, which it is asked in the order of the calls

    /// Finds services; with none named all that an app may see.
    open func discoverServices(_ serviceUUIDs: [CBUUID]?) { findServices(serviceUUIDs) }

    /// Finds the services that a service includes.
    open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        findIncludedServices(includedServiceUUIDs, of: service)
    }

    /// Finds characteristics of a service; with none named all.
    open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        findCharacteristics(characteristicUUIDs, of: service)
    }

    /// Finds the descriptors of a characteristic.
    open func discoverDescriptors(for characteristic: CBCharacteristic) {
        findDescriptors(of: characteristic)
    }

    /// Reads the strength of the link.
    open func readRSSI() { askForRSSI() }

    /// Reads a value.
    open func readValue(for characteristic: CBCharacteristic) { read(characteristic) }

    /// Writes a value.
    open func writeValue(
        _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
    ) { write(data, to: characteristic, type) }

    /// Subscribes to a characteristic's values, or no more.
    open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        subscribe(enabled, to: characteristic)
    }

    /// Reads a descriptor.
    open func readValue(for descriptor: CBDescriptor) { read(descriptor) }

    /// Writes a descriptor; not the one that switches notifications.
    open func writeValue(_ data: Data, for descriptor: CBDescriptor) { write(data, to: descriptor) }

    /// Opens a channel for streams of octets.
    ///
    /// - Parameter PSM: The number under which the device lets it be opened.
    open func openL2CAPChannel(_ PSM: CBL2CAPPSM) { openChannel(PSM) }

    // MARK: The link

    func connect(for manager: CBCentralManager, _ options: [String: Any]?) {
        guard let phone = app?.phone else { return }
        let reconnects =
            (options?[CBConnectPeripheralOptionEnableAutoReconnect] as? NSNumber)?.boolValue ?? false
        let delay = (options?[CBConnectPeripheralOptionStartDelayKey] as? NSNumber)?.doubleValue ?? 0
        lock.withLock {
            guard case .none = link else {
                // Asked for again: told again.
                if told == .connected {
                    let (me, callbacks) = (Reference(self), toldTo)
                    callbacks.post { me.object?.tellConnected() }
                }
                return
            }
            (managing, toldTo) = (manager.reference, manager.callbacks)
            setState(.connecting)
            let driver = LinkDriver(
                peripheral: Reference(self), peer: peer, phone: phone, holder: phone.makeNumber(),
                reconnects: reconnects,
                delay: .seconds(delay))
            link = .wanted(
                Task(executorPreference: phone.radio.executor) { [toldTo] in await driver.run(toldTo) },
                session: nil)
        }
    }

    /// The app wants the link no more.
    func cancelConnection() {
        lock.withLock {
            guard case .wanted(let task, let session) = link, told != .disconnecting else { return }
            task.cancel()
            guard session == nil else { return setState(.disconnecting) }
            link = .none
            setState(.disconnected)
            let (me, callbacks) = (Reference(self), toldTo)
            callbacks.post { me.object?.tellDisconnected(nil, isReconnecting: false) }
        }
    }

    /// A link is open; on the queue.
    ///
    /// - Returns: Whether the app still wants it.
    func opened(_ session: LinkSession) -> Bool {
        let isWanted = lock.withLock {
            guard case .wanted(let task, nil) = link, !task.isCancelled else { return false }
            link = .wanted(task, session: session)
            (hasRoom, waitingCommands) = (true, 0)
            return true
        }
        guard isWanted else { return false }
        setState(.connected)
        tellConnected()
        return true
    }

    /// No link could be opened; on the queue.
    func failed(_ error: BluetoothError) {
        let wasWanted = lock.withLock {
            guard case .wanted = link else { return false }
            link = .none
            return true
        }
        guard wasWanted else { return }
        setState(.disconnected)
        if let manager {
            manager.delegate?.centralManager(manager, didFailToConnect: self, error: error.core)
        }
    }

    /// The link is gone; on the queue.
    func ended(_ error: BluetoothError?, isReconnecting: Bool) {
        let wasThere = lock.withLock {
            guard case .wanted(let task, _?) = link else { return false }
            link = isReconnecting ? .wanted(task, session: nil) : .none
            return true
        }
        guard wasThere else { return }
        setState(isReconnecting ? .connecting : .disconnected)
        for one in services?.flatMap({ $0.characteristics ?? [] }) ?? [] { one.isNotifying = false }
        tellDisconnected(error, isReconnecting: isReconnecting)
    }

    private func tellConnected() {
        if let manager { manager.delegate?.centralManager(manager, didConnect: self) }
    }

    private func tellDisconnected(_ error: BluetoothError?, isReconnecting: Bool) {
        guard let manager else { return }
        manager.delegate?.centralManager(
            manager, didDisconnectPeripheral: self, timestamp: CFAbsoluteTimeGetCurrent(),
            isReconnecting: isReconnecting, error: error?.core)
    }

    /// Nobody wants the link any more, and nobody is told.
    func letGo() {
        let task = lock.withLock { () -> Task<Void, Never>? in
            guard case .wanted(let task, _) = link else { return nil }
            link = .none
            return task
        }
        task?.cancel()
        if task != nil { setState(.disconnected) }
    }

    /// Bluetooth is off: the link is gone, and what was found does not count any more.
    func invalidate() {
        letGo()
        setServices(nil)
    }

    /// Another manager goes on with it, after the app was started again.
    func adopt(_ manager: CBCentralManager) { lock.withLock { managing = manager.reference } }

    // MARK: Requests

    /// Makes a request and tells the app what comes of it, in line with what the device sends.
    ///
    /// - Parameters:
    ///   - request: What to do with the link.
    ///   - tell: Tells the app; on the queue.
    func ask<Value: Sendable>(
        _ request: @escaping @Sendable (LinkSession) async throws(BluetoothError) -> Value,
        then tell: @escaping @Sendable (CBPeripheral, Result<Value, BluetoothError>) -> Void
    ) {
        guard state == .connected, let session else {
            return misused("\(self) can only accept commands while in the connected state")
        }
        let me = Reference(self)
        session.ask { session in
            let result: Result<Value, BluetoothError>
            do throws(BluetoothError) { result = .success(try await request(session)) } catch {
                result = .failure(error)
            }
            return { if let peripheral = me.object { tell(peripheral, result) } }
        }
    }

    /// Takes room for a command.
    ///
    /// - Returns: Whether there was any.
    func takeRoom() -> Bool {
        let left = lock.withLock {
            guard waitingCommands < Self.commandLimit else { return -1 }
            waitingCommands += 1
            return Self.commandLimit - waitingCommands
        }
        if left == 0 { setRoom(false) }
        return left >= 0
    }

    /// A command is gone: says so when half of the room is there again.
    func giveRoom() {
        let isReady = lock.withLock {
            waitingCommands -= 1
            return !hasRoom && waitingCommands <= Self.commandLimit / 2
        }
        guard isReady else { return }
        setRoom(true)
        delegate?.peripheralIsReady(toSendWriteWithoutResponse: self)
    }

    private func setRoom(_ hasRoom: Bool) {
        _observers.change(\CBPeripheral.canSendWriteWithoutResponse) {
            lock.withLock { self.hasRoom = hasRoom }
        }
    }
}

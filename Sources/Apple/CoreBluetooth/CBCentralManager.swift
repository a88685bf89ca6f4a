// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
public import Dispatch
public import Foundation
import VirtualPhone

/// Finds devices and connects to them.
open class CBCentralManager: CBManager {
    /// What is told of devices and links.
    open weak var delegate: (any CBCentralManagerDelegate)?
    /// Those that the app or the system holds.
    private var peripherals: [UUID: Reference<CBPeripheral>] = [:]
    private var scan: CentralScan?
    private var events: ConnectionEvents?

    /// Makes a manager that tells nobody, until it has a delegate.
    public convenience init() { self.init(delegate: nil, queue: nil) }

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - delegate: What is told.
    ///   - queue: Where; `nil` is the main queue.
    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - delegate: What is told.
    ///   - queue: Where; `nil` is the main queue.
    ///   - options: `CBCentralManagerOption…Key`.
    public init(
        delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
    ) {
        super.init(
            _queue: queue, restoreIdentifier: options?[CBCentralManagerOptionRestoreIdentifierKey] as? String)
        self.delegate = delegate
        if let restoreIdentifier, let kept = app?.takeKept(restoreIdentifier) as? KeptCentral {
            restore(kept)
        }
        begin()
    }

    deinit {
        scan?.stop()
        events?.stop()
        for peripheral in known { peripheral.letGo() }
    }

    /// Whether this system has what is asked for.
    open class func supports(_ features: CBCentralManager.Feature) -> Bool { false }

    override func stateChanged(_ state: CBManagerState) {
        if state != .poweredOn {
            setScan(nil)
            for peripheral in known { peripheral.invalidate() }
        }
        delegate?.centralManagerDidUpdateState(self)
    }

    /// Those of its peripherals that still are.
    private var known: [CBPeripheral] {
        lock.withLock { peripherals.values.compactMap(\.object) }.sorted {
            $0.identifier.uuidString < $1.identifier.uuidString
        }
    }

    /// The object for a device: the same for as long as anybody holds it.
    func peripheral(_ peer: Peer, on phone: VirtualPhone) -> CBPeripheral {
        let identifier = UUID(phone.identifier(of: peer))
        return lock.withLock {
            if let known = peripherals[identifier]?.object { return known }
            peripherals = peripherals.filter { $0.value.object != nil }
            let peripheral = CBPeripheral(identifier, peer, self)
            peripherals[identifier] = Reference(peripheral)
            return peripheral
        }
    }

    // MARK: Scanning

    /// Whether the app scans.
    open var isScanning: Bool {
        _observers.access(\CBCentralManager.isScanning)
        return lock.withLock { scan != nil }
    }

    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        guard isReady(), let app else { return }
        let scan = CentralScan(serviceUUIDs, options, app, reference, callbacks)
        setScan(scan)
        scan.start()
    }

    open func stopScan() { setScan(nil) }

    private func setScan(_ new: CentralScan?) {
        guard new != nil || isScanning else { return }
        let before = _observers.change(\CBCentralManager.isScanning) {
            lock.withLock {
                defer { scan = new }
                return scan
            }
        }
        before?.stop()
    }

    /// A scan has ended by itself.
    func ended(_ ended: CentralScan) {
        if lock.withLock({ scan === ended }) { setScan(nil) }
    }

    /// Whether a scan is the one that the app wants now.
    func isCurrent(_ scan: CentralScan) -> Bool { lock.withLock { self.scan === scan } }

    override func placeChanged() { lock.withLock { scan }?.placeChanged() }

    // MARK: Links

    open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard isReady() else { return }
        peripheral.connect(for: self, options)
    }

    open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard isReady() else { return }
        peripheral.cancelConnection()
    }

    open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard isReady(), let phone = app?.phone else { return [] }
        return identifiers.compactMap { phone.peer(CBUUID(nsuuid: $0).value) }.map {
            peripheral($0, on: phone)
        }
    }

    open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        guard isReady(), let phone = app?.phone else { return [] }
        return phone.links.connected(offering: serviceUUIDs.map(\.value)).map { peripheral($0, on: phone) }
    }

    open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
        guard let app else { return }
        let new = options.map { ConnectionEvents($0, app, reference, callbacks) }
        let before = lock.withLock {
            defer { events = new }
            return events
        }
        before?.stop()
        new?.start()
    }

    // MARK: Restoration

    override func ended(isRestorable: Bool) -> (identifier: String, kept: any Sendable)? {
        let all = known
        let (scan, events) = lock.withLock {
            defer { (self.scan, self.events, peripherals) = (nil, nil, [:]) }
            return (self.scan, self.events)
        }
        events?.stop()
        delegate = nil
        for peripheral in all { peripheral.delegate = nil }
        guard isRestorable, let restoreIdentifier else {
            scan?.stop()
            for peripheral in all { peripheral.letGo() }
            return super.ended(isRestorable: isRestorable)
        }
        let callbacks = detachCallbacks()
        let held = all.filter { $0.state == .connected || $0.state == .connecting }
        for peripheral in all where !held.contains(peripheral) { peripheral.letGo() }
        return (
            restoreIdentifier,
            KeptCentral(reference: reference, callbacks: callbacks, peripherals: held, scan: scan)
        )
    }

    private func restore(_ kept: KeptCentral) {
        var state: [String: Any] = [:]
        for peripheral in kept.peripherals {
            peripheral.adopt(self)
            peripherals[peripheral.identifier] = Reference(peripheral)
        }
        if !kept.peripherals.isEmpty { state[CBCentralManagerRestoredStatePeripheralsKey] = kept.peripherals }
        if let scan = kept.scan {
            self.scan = scan
            state[CBCentralManagerRestoredStateScanServicesKey] = scan.serviceUUIDs
            state[CBCentralManagerRestoredStateScanOptionsKey] = scan.options
        }
        let told = Carried(state)
        goOn(kept.reference, kept.callbacks) { [reference = kept.reference] in
            guard let manager = reference.object as? CBCentralManager else { return }
            manager.delegate?.centralManager(manager, willRestoreState: told.value)
        }
    }
}

/// What the system keeps of a central manager for the day on which it starts the app again.
struct KeptCentral: @unchecked Sendable {
    let reference: Reference<CBManager>
    let callbacks: CallbackQueue
    let peripherals: [CBPeripheral]
    let scan: CentralScan?
}

extension UUID {
    init(_ uuid: BluetoothUUID) { self = NSUUID(uuidBytes: uuid.writtenOctets) as UUID }
}

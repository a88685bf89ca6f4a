// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

/// A radio on Core Bluetooth: Apple's framework, or our own module of that name.
///
/// The actor runs on the queue on which its managers call their delegates. Who waits, and who resumes or ends it:
///
/// | who | by what |
/// |---|---|
/// | whoever opens the radio | the first state that is settled, the close |
/// | a scan | its consumer, a state other than on, the close |
/// | an attempt to connect | the link, a failure, its time limit, a state other than on, the close |
/// | a request of a link (``CoreBluetoothConnection``) | its callback, the end of the link, services that have changed |
/// | a service or advertisement that is being put up | its callback, a state other than on, the close |
/// | a value that waits for room | room, the end of the server, a state other than on, the close |
///
/// and each of them by the cancellation of its task.
actor CoreBluetoothRadio: RadioBackend {
    nonisolated let queue: QueueExecutor
    nonisolated let surroundings: Surroundings
    private(set) var central: CBCentralManager?
    private var delegate: CentralDelegate?
    private let closed: @Sendable () async -> Void
    private var isClosed = false
    private var stateStreams = RadioStates()
    private var settling: [Waiter<Void>] = []
    var scanning = Scanning()
    var namedScanner: NamedScanner?
    /// Devices that Core Bluetooth has shown, the one used last at the end: it forgets one that nobody holds.
    var known = RecencyDictionary<Peer, OnQueue<CBPeripheral>>(limit: 4096)
    var attempts: [Peer: Waiter<CoreBluetoothConnection>] = [:]
    var links: [Peer: CoreBluetoothConnection] = [:]
    /// What the system has kept, as long as nobody has taken it up.
    var kept = KeptLinks()
    var peripheral = PeripheralSide()

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
    nonisolated var executor: (any TaskExecutor)? { queue }
    nonisolated var clock: any RadioClock { queue.clock }

    /// What Core Bluetooth lets an app do; timing, modulation, pairing and addresses it keeps to itself.
    nonisolated var capabilities: RadioCapabilities {
        get async { [.readRSSI, .channels, .peripheral, .dynamicServices] }
    }

    /// Makes one that is not open yet.
    ///
    /// - Parameter closed: Closes what it stands on.
    init(_ closed: @escaping @Sendable () async -> Void) {
        self.closed = closed
        surroundings = Surroundings()
        queue = QueueExecutor(surroundings.clock)
    }

    nonisolated var restoredState: RestoredState { get async { await kept.state } }

    nonisolated func onQueue<Value: Sendable>(_ body: (isolated CoreBluetoothRadio) -> Value) -> Value {
        assumeIsolated(body)
    }

    // MARK: Whether it can be used

    /// Begins, and waits until the system has said whether Bluetooth can be used, which may be until a person was asked.
    ///
    /// - Parameter identifier: Under which name the system keeps links and scans while the app does not run; `nil`: it does not.
    /// - Throws: Why it cannot be used.
    func start(restoring identifier: String?) async throws(BluetoothError) {
        let delegate = CentralDelegate(self)
        self.delegate = delegate
        let queue = queue.queue
        let options = identifier.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
        central = surroundings.make { CBCentralManager(delegate: delegate, queue: queue, options: options) }
        while !isClosed {
            if let state {
                if state != .ready { throw obstacle }
                return
            }
            let waiter = Waiter<Void>()
            settling.append(waiter)
            try await self.queue.wait(for: waiter)
        }
        throw obstacle
    }

    /// Whether it can be used; `nil` while that is not settled.
    var state: RadioState? {
        switch central?.state {
        case .poweredOn: .ready
        case .unauthorized: .unauthorized
        case .poweredOff, .unsupported, nil: .off
        default: nil
        }
    }

    /// Why it cannot be used, and what to do.
    var obstacle: BluetoothError {
        switch central?.state {
        case .unauthorized: .unauthorized("allow it in Settings, under Privacy & Security, Bluetooth")
        case .unsupported: .radioUnavailable(surroundings.absence)
        case .poweredOff: .radioUnavailable("Bluetooth is switched off; switch it on in Settings")
        case nil: .radioUnavailable("it was closed")
        default: .radioUnavailable("the system's Bluetooth is starting; try again in a moment")
        }
    }

    func stateChanged() {
        let waiting = settling
        settling = []
        for waiter in waiting { waiter.end(.success(())) }
        let state = state
        stateStreams.tell(state ?? .off)
        guard state != .ready else { return adjustScan() }
        // What the system had is gone.
        let obstacle = obstacle
        endScans(obstacle)
        for attempt in attempts.values { attempt.end(.failure(obstacle)) }
        let ended = links.values + kept.takeAll()
        links = [:]
        for link in ended { link.ended(.radioLost) }
        endPeripheral(obstacle)
    }

    nonisolated func states() async -> RadioStateStream { await makeStates() }

    private func makeStates() -> RadioStateStream {
        stateStreams.follow(isClosed ? nil : state ?? .off)
    }

    // MARK: The end

    nonisolated func close() async { await finish() }

    private func finish() async {
        guard !isClosed else { return }
        isClosed = true
        endScans(nil)
        for attempt in attempts.values { attempt.end(.failure(obstacle)) }
        // The system closes what it does not within three seconds when its managers are let go.
        for link in links.values + kept.takeAll() { await link.disconnect(within: .seconds(3)) }
        if let server = peripheral.serving?.server { stop(server) }
        endPeripheral(nil)
        (central, delegate, namedScanner) = (nil, nil, nil)
        (peripheral.manager, peripheral.delegate) = (nil, nil)
        let waiting = settling
        settling = []
        for waiter in waiting { waiter.end(.success(())) }
        stateStreams.end()
        await closed()
    }
}

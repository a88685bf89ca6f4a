// SPDX-License-Identifier: Apache-2.0

public import BLETransport
import BLEWire
public import BluetoothLE
public import DBus

/// The adapter of a Linux machine through bluetoothd: a radio that needs no privileges.
///
/// A central, and a peripheral. The actor runs on a loop beside the connection to D-Bus and keeps a mirror of BlueZ's objects. When
/// bluetoothd ends or the adapter goes, or is switched off, every link is gone and ``Radio/states()`` says
/// ``RadioState/off`` until it is there again. A radio that was started lives until ``close()``.
public actor BlueZRadio {
    /// The thread that it runs on, and its clock.
    public nonisolated let loop: TransportLoop
    let address: String
    /// The adapter that was asked for, as in `hci0`; `nil` takes the first that is powered.
    private let name: String?
    private(set) var bus: DBusConnection?
    private(set) var objects = DBusObjects()
    /// The path of the adapter in use, which is powered.
    private(set) var adapter: String?
    private var isClosed = false
    /// Whether it was started before there had to be an adapter.
    private var isWaiting = false
    /// Whether BlueZ has told its objects.
    private var isListed = false
    private var stateStreams = RadioStates()
    private var changeWaiters: [Ending<Void>] = []
    /// When the bus is connected to again.
    private var reopening: LoopTimer?
    var discovery = Discovery()
    var links: [String: BlueZConnection] = [:]
    var pairings = BlueZPairings()
    var serving: Serving?
    /// Servers that there were, each of which has a path of its own.
    var serverCount = 0
    /// Links of centrals that there were.
    var linkCount: UInt32 = 0
    /// Devices to which a link is being opened.
    var opening: Set<String> = []

    /// Runs on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a radio that is not open yet.
    public init(
        adapter: String? = nil, bus address: String = DBusConnection.systemAddress, loop: TransportLoop
    ) {
        name = adapter
        self.address = address
        self.loop = loop
    }

    /// The radio as apps use it.
    public nonisolated var radio: Radio { Radio(self) }

    /// Connects to bluetoothd.
    ///
    /// - Throws: ``BluetoothError/radioUnavailable(_:)`` when there is no D-Bus, no bluetoothd or no adapter that is
    ///   powered: the text says which, and what to do; it may be started again then.
    public func start() async throws(BluetoothError) {
        guard bus == nil, !isClosed else { throw .invalidArgument("The radio was started before.") }
        do throws(BluetoothError) {
            try open()
            let deadline = loop.now.advanced(bySeconds: 10)
            while !isListed, bus != nil, try await nextChange(before: deadline) {}
            guard adapter != nil else { throw .radioUnavailable(obstacle) }
        } catch {
            bus?.close()
            bus = nil
            throw error
        }
    }

    /// Starts as soon as there is D-Bus, bluetoothd and an adapter that is powered: ``Radio/states()`` says when.
    ///
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when it was started before.
    public func startWaiting() throws(BluetoothError) {
        guard bus == nil, !isClosed, !isWaiting else {
            throw .invalidArgument("The radio was started before.")
        }
        isWaiting = true
        openAgain()
    }

    private func open() throws(BluetoothError) {
        let connection: DBusConnection
        do throws(DBusError) {
            connection = try DBusConnection.open(address, on: loop) { [weak self] why in
                self?.onLoop { $0.busEnded(why) }
            }
        } catch {
            throw .radioUnavailable(error.description)
        }
        bus = connection
        let owner = "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'"
        connection.handleSignals(owner) { [weak self] signal in self?.onLoop { $0.ownerChanged(signal) } }
        for interface in ["ObjectManager", "Properties"] {
            let rule = "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.\(interface)'"
            connection.handleSignals(rule) { [weak self] signal in self?.onLoop { $0.received(signal) } }
        }
        let disconnections =
            "type='signal',sender='org.bluez',interface='\(BlueZ.device)',member='Disconnected'"
        connection.handleSignals(disconnections) { [weak self] signal in
            self?.onLoop { $0.disconnected(signal) }
        }
        // Asking bluetoothd itself would start it, or wait for one that does not start.
        connection.send(DBusCall.hasOwner(of: BlueZ.service)) { [weak self] answer in
            self?.onLoop { radio in
                guard (try? answer.get().first?.bool) == true else { return radio.listed(.success([])) }
                radio.list()
            }
        }
    }

    /// Asks for all objects; the answer comes in order with the signals.
    private func list() {
        bus?.send(DBusObjects.list(of: BlueZ.service)) { [weak self] answer in
            self?.onLoop { $0.listed(answer) }
        }
    }

    nonisolated func onLoop(_ body: (isolated BlueZRadio) -> Void) { assumeIsolated(body) }

    // MARK: What comes

    private func listed(_ answer: Result<[DBusValue], DBusError>) {
        isListed = true
        // Without bluetoothd there are no objects.
        objects = (try? DBusObjects(answer: answer.get())) ?? DBusObjects()
        changed()
    }

    private func ownerChanged(_ signal: Result<DBusSignal, DBusError>) {
        guard let owner = try? signal.get().arguments.last?.string else { return }
        objects = DBusObjects()
        changed()
        if !owner.isEmpty { list() }
    }

    private func received(_ signal: Result<DBusSignal, DBusError>) {
        guard let signal = try? signal.get(), let changes = try? objects.apply(signal) else { return }
        for change in changes {
            switch change {
            case .added(let path, BlueZ.device): heard(path)
            case .changed(let path, BlueZ.device, let news):
                if let isPaired = news["Paired"]?.bool { pairedChanged(path, isPaired) }
                if !BlueZ.heard.isDisjoint(with: news.keys) { heard(path) }
            case .removed(let path, BlueZ.device): pairedChanged(path, false)
            case .changed(let path, BlueZ.characteristic, let news):
                if let value = news["Value"]?.octets { notified(value, by: path) }
                if let mtu = news["MTU"]?.integer { link(of: path)?.mtuChanged(mtu) }
            case .removed(let path, BlueZ.gattService):
                if let handle = BlueZ.handle(path, after: "service") {
                    link(of: path)?.serviceRemoved(at: handle)
                }
            default: break
            }
        }
        changed()
    }

    private func busEnded(_ why: DBusError) {
        bus = nil
        isListed = false
        objects = DBusObjects()
        changed()
        guard !isClosed, isWaiting || !stateStreams.isEmpty || !links.isEmpty else { return }
        let timer = loop.makeTimer { [weak self] in self?.onLoop { $0.openAgain() } }
        timer.set(loop.now.advanced(bySeconds: 2))
        reopening = timer
    }

    private func openAgain() {
        guard bus == nil, !isClosed else { return }
        reopening = nil
        do { try open() } catch { busEnded(.lost("it cannot be reached")) }
    }

    /// Something about the objects is not what it was.
    private func changed() {
        let before = adapter
        adapter = choose()
        if before != adapter {
            if before != nil { radioLost() }
            stateStreams.tell(adapter == nil ? .off : .ready)
            servingAdapterChanged()
        }
        for (path, link) in links {
            let device = objects.properties(path, BlueZ.device).map { BlueZDevice(properties: $0) }
            if device?.isConnected != true { linkEnded(path, link) }
        }
        lookForGuests()
        adjustAgent()
        let waiters = changeWaiters
        changeWaiters = []
        for waiter in waiters { waiter.end(()) }
        adjustDiscovery()
    }

    private func radioLost() {
        discovery.isOn = false
        discovery.isChanging = false
        endScans(.radioUnavailable(obstacle))
        for (path, link) in links {
            link.isEnding = true
            link.ended(.radioLost)
            linkWithPairingEnded(path, .radioLost)
        }
        links = [:]
        pairings.authenticated = []
    }

    /// Since BlueZ 5.82: why a device has disconnected, told before or after that it has.
    private func disconnected(_ signal: Result<DBusSignal, DBusError>) {
        guard let signal = try? signal.get(), let reason = signal.arguments.first?.string else { return }
        links[signal.path]?.failure = BlueZ.linkFailure(reason)
    }

    private func linkEnded(_ path: String, _ link: BlueZConnection) {
        guard !link.isEnding else { return }
        link.isEnding = true
        // The reason, if one is told, has come before the answer.
        let ping = DBusCall(BlueZ.service, "/", "org.freedesktop.DBus.Peer", "Ping")
        guard let bus else { return forget(path, link) }
        bus.send(ping, timeout: .seconds(2)) { [weak self] _ in self?.onLoop { $0.forget(path, link) } }
    }

    private func forget(_ path: String, _ link: BlueZConnection) {
        if links[path] === link { links[path] = nil }
        let failure = link.isClosing ? .closedByUs : link.failure ?? .closedByPeer
        link.ended(failure)
        linkWithPairingEnded(path, failure)
        adjustAgent()
    }

    /// The adapter to use: the one that was asked for, or the first, if it is powered.
    private func choose() -> String? {
        let powered = objects.all(BlueZ.adapter).filter { path, properties in
            properties["Powered"]?.bool == true && (name == nil || path.hasSuffix("/" + (name ?? "")))
        }
        // The one that is in use, as long as it can be.
        return powered.first { $0.path == adapter }?.path ?? powered.first?.path
    }

    /// Why no adapter can be used.
    private var obstacle: String {
        let adapters = objects.all(BlueZ.adapter)
        if bus == nil { return "the connection to D-Bus is gone" }
        if objects.objects.isEmpty { return BlueZ.absence }
        guard let name else {
            if adapters.isEmpty { return "BlueZ has no adapter: plug one in" }
            return "the adapter is switched off; `bluetoothctl power on` switches it on"
        }
        guard adapters.contains(where: { $0.path.hasSuffix("/" + name) }) else {
            return "BlueZ has no adapter \(name); `bluetoothctl list` shows those that there are"
        }
        return "the adapter \(name) is switched off; `bluetoothctl power on` switches it on"
    }

    // MARK: Waiting

    /// Waits until something about the objects has changed.
    ///
    /// - Returns: Whether it has; not when the deadline has passed.
    func nextChange(before deadline: HostInstant) async throws(BluetoothError) -> Bool {
        guard loop.now < deadline else { return false }
        let ending = Ending<Void>()
        changeWaiters.append(ending)
        let timer = loop.makeTimer { ending.end(()) }
        timer.set(deadline)
        defer { timer.set(nil) }
        try await ending.wait()
        return true
    }

    /// Waits half a second for the end of a link.
    ///
    /// - Returns: Whether it has come.
    func sees(theEndOf link: BlueZConnection) async -> Bool {
        let deadline = loop.now.advanced(byMicroseconds: 500_000)
        while !link.isEnding {
            guard (try? await nextChange(before: deadline)) == true else { break }
        }
        guard link.isEnding else { return false }
        return (try? await link.state.ending.wait()) != nil
    }

    func link(of path: String) -> BlueZConnection? {
        links.first { path.hasPrefix($0.key + "/") }?.value
    }
}

extension BlueZRadio: RadioBackend {
    package nonisolated var executor: (any TaskExecutor)? { loop }
    package nonisolated var clock: any RadioClock { LoopClock(loop: loop) }
    /// Little of what a radio may lack: bluetoothd keeps links, their timing and their channels to itself.
    package nonisolated var capabilities: RadioCapabilities {
        get async {
            [
                .peripheral, .clientPresence, .confirmations, .disconnectingClients, .pairing,
                .chosenAdvertisement,
            ]
        }
    }
    package nonisolated func states() async -> RadioStateStream { await makeStates() }

    private func makeStates() -> RadioStateStream {
        stateStreams.follow(isClosed ? nil : adapter == nil ? .off : .ready)
    }

    package nonisolated func close() async { await finish() }

    private func finish() async {
        guard !isClosed else { return }
        isClosed = true
        reopening = nil
        if let server = serving?.server { await stop(server) }
        endScans(nil)
        // BlueZ keeps links of clients that have gone; discovery ends with the client.
        for link in links.values { await link.disconnect(within: .seconds(3)) }
        for (path, link) in links {
            link.ended(.closedByUs)
            linkWithPairingEnded(path, .closedByUs)
        }
        links = [:]
        pairings.agent = nil
        adjustAgent()
        stateStreams.end()
        bus?.close()
        bus = nil
    }
}

/// The clock of a loop.
struct LoopClock: RadioClock {
    let loop: TransportLoop
    var now: HostInstant { loop.now }
    func sleep(until deadline: HostInstant) async throws { try await loop.sleep(until: deadline) }
}

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
public import BLEHost
import BLESMP
public import BLETransport
public import BLEWire
public import BluetoothLE

/// Our own host stack on a transport: the radio that needs nothing of the platform.
///
/// The actor runs on the loop of its transport and does three things: it feeds the stack with what arrives and with time,
/// carries out what the stack wants, and resumes whoever waits. It never stops reading: what consumers have not taken
/// out is reported to the stack, which holds the air up or ends the link (`HostLimits.unconsumedEvents`). When the transport
/// is lost, every link is gone, ``Radio/states()`` says ``RadioState/off``, and the radio tries to open it again after
/// 1, 2, 4, 8, 10 s. A radio that was started lives until ``close()``.
public actor HostRadio {
    private enum Life {
        case new
        case open
        case closing
        case closed
    }

    /// The thread that it runs on, and its clock.
    public nonisolated let loop: TransportLoop
    /// What is remembered of peers' services.
    let cache: any ServiceCache
    private let openTransport: @Sendable (TransportLoop) async throws(TransportError) -> any Transport
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var stack: HostStack
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var life = Life.new
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var transport: (any Transport)?
    /// Why the last transport has ended.
    private var transportEnd: TransportError?
    /// Why the host is off, until it is on again.
    private var failure: BluetoothError?
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var timer: LoopTimer?
    /// When the transport is opened again, and how many seconds later if that fails.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var reopening: (at: HostInstant, delay: UInt64)?
    private var reopenDelay: UInt64 = 1
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var closeLimit: HostInstant?

    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var waiters = Waiters<WaitKey, WaitResult>()
    /// What waits for room.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var sendLines: [SendLine: FIFO<(Int, Sending)>] = [:]
    /// Consumers of streams to wake when everything that came together has been given out.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var wakeUps = StreamWakeUps()
    var lastNumber = 0
    private var stateStreams = RadioStates()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var scans = Scans()
    var connecting: [ConnectAttempt] = []
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var links: [LinkID: HostLink] = [:]
    /// What came together and is given out together.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var gathered = DeliveryBatch()
    var channels = ChannelTable()
    var serving = Serving.off
    /// Whether the host can make keys.
    let hasCryptography: Bool
    /// What keeps bonds from run to run.
    let bondStore: (any BondStore)?
    /// Whether kept bonds were read, or there is nothing to read or nothing to use them for.
    var hasLoadedBonds: Bool
    /// Why kept bonds could not be read.
    var bondFault: BondStoreError?
    /// Who pairs when others ask for it.
    var agent: PairingAgent?
    /// Keeps the bond that was made last, after those before.
    var saving: Task<BondStoreError?, Never>?
    /// How often this program has changed what is kept.
    var bondChanges = 0
    /// What the own changing addresses are made with, once they were wanted without a store.
    var ownKey: SMP.Secret?
    /// Whether the controller has not answered yet what it was told to advertise.
    var isAdvertisingChanging = false

    /// Runs on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a radio that is not open yet.
    ///
    /// - Parameters:
    ///   - configuration: How the host behaves.
    ///   - cache: What remembers peers' services from one connection to the next.
    ///   - bonds: What keeps bonds from run to run; `nil` keeps them as long as the radio lives.
    ///   - loop: What it runs on.
    ///   - open: Opens the transport on the loop; called again when it was lost.
    public init(
        _ configuration: HostConfiguration = HostConfiguration(),
        cache: any ServiceCache = MemoryServiceCache(),
        bonds: (any BondStore)? = nil,
        loop: TransportLoop,
        open: @escaping @Sendable (TransportLoop) async throws(TransportError) -> any Transport
    ) {
        var configuration = configuration
        if configuration.limits.unconsumedEvents == nil {
            configuration.limits.unconsumedEvents = HostLimits.hub.unconsumedEvents
        }
        // Until somebody answers for this side.
        configuration.pairing.isPairable = false
        hasCryptography = configuration.cryptography != nil
        bondStore = bonds.map { HeldBondStore(store: $0, loop: loop) }
        hasLoadedBonds = bonds == nil || configuration.cryptography == nil
        stack = HostStack(configuration)
        self.cache = cache
        self.loop = loop
        openTransport = open
    }

    /// The radio as apps use it.
    public nonisolated var radio: Radio { Radio(self) }

    /// The address that this side uses; `nil` when the radio is off.
    public var ownAddress: BluetoothAddress? { stack.isReady ? stack.controller.ownAddress : nil }

    /// What start-up has found out of the controller; `nil` when the radio is off.
    public var controller: ControllerInformation? { stack.isReady ? stack.controller : nil }

    /// Opens the transport and starts the controller.
    ///
    /// - Returns: What the controller can do.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)`` when the transport cannot be opened or the controller does not
    ///   start, ``BluetoothError/unauthorized(_:)`` when this program may not open it; it may be started again then if
    ///   nothing was opened.
    @discardableResult
    public func start() async throws(BluetoothError) -> ControllerInformation {
        try prepare()
        do throws(TransportError) {
            guard try await open() else { throw .lost("it was closed") }
        } catch {
            if case .open = life { life = .new }
            timer = nil
            throw BluetoothError(error)
        }
        let arrived = try await wait { radio in
            radio.stack.start(at: radio.loop.now)
            return .waiting(.ready)
        }
        guard case .ready(let information) = arrived else { throw .badResponse }
        return information
    }

    /// Starts as soon as the transport opens and the controller answers: ``Radio/states()`` says when.
    ///
    /// Until then whatever needs the radio throws why it is off.
    ///
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when it was started before.
    public func startWaiting() throws(BluetoothError) {
        try prepare()
        failure = .radioUnavailable("it is being opened")
        Task(executorPreference: loop) { await self.openAgain() }
    }

    private func prepare() throws(BluetoothError) {
        guard case .new = life else { throw .invalidArgument("The radio was started before.") }
        life = .open
        timer = loop.makeTimer(deadline: { self.onLoop(()) { radio, _ in radio.nextDeadline } }) {
            self.onLoop(()) { radio, _ in radio.timerRang() }
        }
    }

    /// Opens the transport.
    ///
    /// - Returns: Whether it is used; not when the radio was closed meanwhile.
    private func open() async throws(TransportError) -> Bool {
        let transport = try await openTransport(loop)
        guard case .open = life else {
            transport.close()
            return false
        }
        self.transport = transport
        let id = ObjectIdentifier(transport)
        transport.start { input in self.onLoop((input, id)) { $0.received($1.0, from: $1.1) } }
        return true
    }

    private func received(_ input: TransportInput, from id: ObjectIdentifier) {
        guard let transport, ObjectIdentifier(transport) == id else { return }
        switch input {
        case .octets(let octets):
            stack.receive(octets, at: loop.now)
            drain()
        case .ended(let why):
            self.transport = nil
            transportEnd = why
            stack.transportClosed(at: loop.now)
            if case .open = life { reopen() }
            drain()
        }
    }

    /// Has the transport opened again, later each time.
    private func reopen() {
        reopening = (loop.now.advanced(bySeconds: reopenDelay), reopenDelay)
        reopenDelay = min(reopenDelay * 2, 10)
    }

    private func openAgain() async {
        guard case .open = life, transport == nil else { return }
        do throws(TransportError) {
            guard try await open() else { return }
            stack.start(at: loop.now)
        } catch {
            if case .open = life {
                failure = BluetoothError(error)
                reopen()
            }
        }
        drain()
    }

    /// Carries out everything that the stack wants and sets the timer.
    func drain() {
        repeat {
            while let output = stack.nextOutput() {
                switch output {
                case .send(let packet): transport?.send(packet)
                case .event(.value(let link, let handle, let value, let kind)):
                    received(ReceivedValue(handle: handle, value: value, kind: kind), on: link)
                case .event(.advertisement(let report)): heard(report)
                case .event(let event):
                    flush()
                    handle(event)
                }
            }
        } while flush()
        wakeUps.wake()
        timer?.setAtTurnEnd()
    }

    private var nextDeadline: HostInstant? {
        let answerLimit = connecting.lazy.compactMap(\.answerLimit).min()
        return HostInstant.earliest(
            HostInstant.earliest(stack.nextDeadline, answerLimit),
            HostInstant.earliest(reopening?.at, closeLimit))
    }

    private func timerRang() {
        let now = loop.now
        if let limit = closeLimit, limit <= now { stopped() }
        if let reopening, reopening.at <= now {
            self.reopening = nil
            Task(executorPreference: loop) { await self.openAgain() }
        }
        giveUpUnanswered(at: now)
        if let due = stack.nextDeadline, due <= now { stack.deadlineReached(at: now) }
        drain()
    }

    /// The host is on.
    func isReady(_ information: ControllerInformation) {
        reopenDelay = 1
        failure = nil
        guard hasLoadedBonds else { return loadBonds(for: information) }
        waiters.resume(.ready, .success(.ready(information)))
        stateStreams.tell(.ready, &wakeUps)
    }

    /// The host is off: nothing of what anybody waits for comes any more.
    func hasFailed(_ failure: HostError) {
        var error = BluetoothError.radioUnavailable(failure.words)
        if failure == .transportClosed, let end = transportEnd, case .adapter = end {
            error = BluetoothError(end)
        }
        if case .open = life { self.failure = error }
        stopped()
        endServing(error)
        endScans(error)
        connecting = []
        sendLines = [:]
        waiters.fail(error) { _ in true }
        stateStreams.tell(.off, &wakeUps)
        // The end that follows has it opened again.
        if failure != .transportClosed { transport?.close() }
    }

    /// The host has left the air, or took too long.
    func stopped() {
        closeLimit = nil
        waiters.resume(.stopped, .success(.nothing))
    }

    /// Closes every link, leaves the air and lets the transport go; all streams end.
    ///
    /// A peer that is out of range and a controller that does not answer hold it up for a second at most; a task that is
    /// cancelled does not wait for them.
    public func close() async {
        switch life {
        case .closed: return
        case .closing:
            // Only its end matters.
            _ = try? await wait { $0.isOver ? .nothing : .waiting(.stopped) }
            return
        case .new:
            life = .closed
            finish()
            return
        case .open: break
        }
        life = .closing
        reopening = nil
        stateStreams.end()
        endScans(nil)
        endServing(nil)
        for (_, listener) in channels.listeners.sorted(by: { $0.key < $1.key }) { stop(listener) }
        // As above.
        _ = try? await wait { radio in
            radio.closeLimit = radio.loop.now.advanced(bySeconds: 1)
            radio.stack.stop(at: radio.loop.now)
            return .waiting(.stopped)
        }
        _ = await saving?.value
        life = .closed
        finish()
    }

    private func finish() {
        stack.transportClosed(at: loop.now)
        drain()
        waiters.fail(.radioUnavailable("it was closed")) { _ in true }
        stateStreams.end()
        timer = nil
        transport?.close()
        transport = nil
    }

    /// Throws why the host is off.
    func checkIsReady() throws(BluetoothError) {
        guard stack.isReady else { throw failure ?? .radioUnavailable("it is off") }
    }

    private var isOver: Bool {
        if case .closed = life { true } else { false }
    }

    /// Whether nothing can be asked of it any more.
    var isClosed: Bool {
        switch life {
        case .new, .open: false
        case .closing, .closed: true
        }
    }

    /// How many tasks wait for something, for tests.
    package var waitingTasks: Int { waiters.count }
}

extension HostRadio: RadioBackend {
    package nonisolated func states() async -> RadioStateStream { await makeStates() }

    private func makeStates() -> RadioStateStream {
        stateStreams.follow(isClosed ? nil : stack.isReady ? .ready : .off)
    }
}

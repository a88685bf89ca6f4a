// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEHost
public import BLETransport
import BLEWire
public import BluetoothLE

/// Our own host stack on a transport: the backend of ``Radio`` that needs nothing of the platform.
///
/// The actor does three things and no more: it feeds the stack with what the transport brings and with time,
/// carries out what the stack wants, and resumes whoever waits. When the transport is lost every link is
/// reported as gone, the state is ``RadioState/off``, and the radio tries to open it again. A radio that was started
/// lives until ``close()``.
public actor HostRadio: Radio {
    /// How many advertisements wait in a scan stream before the oldest is dropped.
    static let advertisementLimit = 512

    typealias Waiter<Value> = CheckedContinuation<Value, Never>

    struct OperationKey: Hashable {
        let link: LinkID
        let id: GATT.OperationID
    }

    let clock = MonotonicClock()
    /// What is remembered of peers' services.
    let cache: any ServiceCache
    let openTransport: @Sendable () async throws(TransportError) -> any OctetTransport
    var stack: HostStack
    var transport: (any OctetTransport)?
    private var isStarted = false
    var isClosed = false

    var writes: AsyncStream<[UInt8]>.Continuation?
    var tasks: [Task<Void, Never>] = []
    private var alarm: Alarm
    var readyWaiters: [Waiter<Result<ControllerInformation, BluetoothError>>] = []
    var stateStreams: [Int: AsyncStream<RadioState>.Continuation] = [:]
    var scans: [Int: ScanListener] = [:]
    /// What the stack was told to scan.
    var scanning: ScanParameters?
    /// Consumers of streams to wake when everything that came together has been given out.
    var wakeUps = StreamWakeUps()
    var lastStream = 0
    var connecting: [Attempt] = []
    var connections: [LinkID: HostConnection] = [:]
    var operations: [OperationKey: Waiter<Result<GATT.Answer, RequestFailure>>] = [:]
    var procedures: [ProcedureKey: Waiter<Result<LinkProcedure.Answer, LinkProcedure.Failure>>] = [:]
    var roomWaiters: [LinkID: [Waiter<Void>]] = [:]
    var channels = ChannelTable()
    var server: HostServer?
    var advertisingWaiter: Waiter<BluetoothError?>?
    var readerGate: Waiter<Void>?
    var stopWaiter: Waiter<Void>?
    /// Advertisements that were dropped because a scan stream was full.
    public internal(set) var droppedAdvertisements = 0

    /// Makes a radio that is not open yet.
    ///
    /// - Parameters:
    ///   - configuration: How the host behaves.
    ///   - cache: What remembers peers' services from one connection to the next.
    ///   - open: Opens the transport; called again when it was lost.
    public init(
        _ configuration: HostConfiguration = HostConfiguration(),
        cache: any ServiceCache = MemoryServiceCache(),
        open: @escaping @Sendable () async throws(TransportError) -> any OctetTransport
    ) {
        stack = HostStack(configuration)
        self.cache = cache
        openTransport = open
        alarm = Alarm(clock)
    }

    /// Opens the transport and starts the controller.
    ///
    /// - Returns: What the controller can do.
    /// - Throws: ``BluetoothError`` when the transport cannot be opened or the controller does not start.
    @discardableResult
    public func start() async throws(BluetoothError) -> ControllerInformation {
        guard !isStarted, !isClosed else { throw .invalidArgument("The radio was started before.") }
        isStarted = true
        do throws(TransportError) {
            guard try await open() else { throw .lost("it was closed") }
        } catch {
            isStarted = false
            throw .radioUnavailable(error.reason)
        }
        return try await ready().get()
    }

    /// Opens the transport.
    ///
    /// - Returns: Whether it is used; not when the radio was closed meanwhile.
    private func open() async throws(TransportError) -> Bool {
        let transport = try await openTransport()
        guard !isClosed else {
            await transport.close()
            return false
        }
        run(on: transport)
        return true
    }

    private func ready() async -> Result<ControllerInformation, BluetoothError> {
        await withCheckedContinuation { waiter in
            readyWaiters.append(waiter)
            stack.start(at: clock.now)
            drain()
        }
    }

    /// Whether the radio can be used, now and whenever that changes.
    public func states() -> AsyncStream<RadioState> {
        let (stream, continuation) = AsyncStream<RadioState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        guard !isClosed else {
            continuation.finish()
            return stream
        }
        lastStream += 1
        let id = lastStream
        stateStreams[id] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.dropStates(id) } }
        continuation.yield(stack.isReady ? .ready : .off)
        return stream
    }

    private func dropStates(_ id: Int) { stateStreams[id] = nil }

    /// Closes every link, leaves the air and lets the transport go.
    ///
    /// A peer that is out of range and a controller that does not answer hold it up for a second at most.
    public func close() async {
        guard !isClosed, stopWaiter == nil else { return }
        for stream in stateStreams.values { stream.finish() }
        for scan in scans.values { scan.stream.finish() }
        (stateStreams, scans) = ([:], [:])
        let limit = Task {
            try await Task.sleep(for: .seconds(1))
            stopped()
        }
        await withCheckedContinuation { waiter in
            stopWaiter = waiter
            openGate()
            server?.end()
            server = nil
            for listener in channels.listeners.values { stopListening(listener) }
            stack.stop(at: clock.now)
            drain()
        }
        limit.cancel()
        isClosed = true
        stack.transportClosed(at: clock.now)
        drain()
        writes?.finish()
        alarm.cancel()
        await transport?.close()
        for task in tasks { task.cancel() }
    }

    /// The host has left the air, or took too long.
    func stopped() {
        stopWaiter?.resume()
        stopWaiter = nil
    }

    /// Starts the tasks that read and write a transport.
    func run(on transport: any OctetTransport) {
        self.transport = transport
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        writes = continuation
        let writer = Task {
            for await octets in stream {
                do throws(TransportError) {
                    try await transport.send(octets)
                } catch {
                    // The reader notices, too, and tells.
                    await transport.close()
                    return
                }
            }
        }
        // Where the octets arrive, so that what answers them at once is done with no change of threads.
        let reader = Task(executorPreference: transport.executor) { await self.read(transport) }
        tasks = [writer, reader]
    }

    /// Takes what the transport brings until it brings no more.
    private func read(_ transport: any OctetTransport) async {
        do throws(TransportError) {
            while let octets = try await transport.receive() { await received(octets) }
        } catch {
            // Lost, which the links are told like any other end.
        }
        await transportEnded()
    }

    /// Feeds the stack, then waits as long as too many values wait for their consumers.
    private func received(_ octets: [UInt8]) async {
        stack.receive(octets, at: clock.now)
        drain()
        while isBacklogged {
            await withCheckedContinuation { readerGate = $0 }
        }
    }

    /// Whether reading should wait: not while somebody awaits an answer, which only reading can bring.
    private var isBacklogged: Bool {
        guard operations.isEmpty, procedures.isEmpty, !channels.isAwaited, !isClosed, stopWaiter == nil
        else { return false }
        return connections.values.contains { $0.isFull } || server?.isFull ?? false
    }

    /// Lets the reader look again whether it may go on.
    func openGate() {
        readerGate?.resume()
        readerGate = nil
    }

    /// The transport is gone: tells everybody, then tries to get it back.
    private func transportEnded() async {
        guard !isClosed else { return }
        stack.transportClosed(at: clock.now)
        drain()
        writes?.finish()
        await transport?.close()
        var delay: UInt64 = 1
        while !isClosed {
            try? await Task.sleep(for: .seconds(delay))  // Cancelled means closed, which ends the loop.
            guard !isClosed else { return }
            do throws(TransportError) {
                guard try await open() else { return }
                stack.start(at: clock.now)
                drain()
                return
            } catch {
                delay = min(delay * 2, 10)
            }
        }
    }

    /// Carries out everything that the stack wants and sets the timer.
    func drain() {
        var octets: [UInt8] = []
        while let output = stack.nextOutput() {
            switch output {
            case .send(let packet):
                if octets.isEmpty { octets = packet } else { octets += packet }
            case .event(let event): take(event)
            }
        }
        if !octets.isEmpty, transport?.post(octets) != true { writes?.yield(octets) }
        wakeUps.wake()
        let deadline = stack.nextDeadline
        guard alarm.isLate(for: deadline) else { return }
        alarm.set(deadline) { [weak self] deadline in await self?.deadlineReached(deadline) }
    }

    private func deadlineReached(_ deadline: HostInstant) {
        guard alarm.rang(deadline) else { return }
        let now = clock.now
        if let due = stack.nextDeadline, due <= now { stack.deadlineReached(at: now) }
        drain()
    }
}

extension TransportError {
    /// The reason alone, without the sentence around it.
    var reason: String {
        switch self {
        case .badName(let why), .cannotOpen(let why), .lost(let why): why
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
public import BluetoothLE

/// Runs a client session on a radio: carries out its actions and brings back what came of them.
///
/// Everything that happens goes through one bounded mailbox and is taken in, in order, by one task. While the
/// handler suspends, the mailbox fills, then values wait in their streams, and the radio holds the device up or ends the
/// link: nothing is lost in silence.
///
/// The session, and the handler unless it is given an executor of its own, run where octets arrive (``Radio/executor``), so
/// that a value costs no change of threads. There a handler that blocks holds up all links of the radio; one that may
/// block, or computes for long, wants another executor.
public actor ClientRunner<Session: ClientSession & ~Copyable> {
    enum Message: Sendable {
        case input(ClientInput)
        case deadline
        /// A command was given to the session: look at its outputs.
        case wake
    }

    /// What the session has asked for with one `connect`, until the link is gone; the number tells a late end from others.
    private struct Attempt {
        let number: Int
        let task: Task<Void, Never>
    }

    /// What there is of the link of the last attempt.
    private enum Link {
        case none
        /// Being opened; whoever has it in hand asks ``handOver(_:_:)`` whether it is still wanted.
        case opening(Attempt, isWanted: Bool)
        case open(Attempt, Connection, requests: AsyncStream<ClientAction>.Continuation)

        var attempt: Attempt? {
            switch self {
            case .none: nil
            case .opening(let attempt, _), .open(let attempt, _, _): attempt
            }
        }
    }

    private var session: Session
    private let radio: Radio
    private let phys: Set<PHY>
    private let isFast: Bool
    private let protection: LinkProtection?
    /// Why a link that had to be encrypted was not, which has ended the run.
    public private(set) var protectionFailure: BluetoothError?
    private let mailbox = Mailbox<Message>(limit: 1024)
    private var link = Link.none
    private var lastAttempt = 0
    private var states: Task<Void, Never>?
    private var state: RadioState?
    private var scan: Task<Void, Never>?
    private var scanRetry: Task<Void, Never>?
    /// How long to wait before a scan that was refused is tried again, in seconds.
    private var scanDelay: UInt64 = 1
    private var alarm: Alarm

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - session: The session; nothing has happened to it yet.
    ///   - radio: The radio, started.
    ///   - phys: On what to scan and to connect, as far as the radio can.
    ///   - isFast: Whether links begin with the shortest interval; for short tasks.
    ///   - protection: Has each link encrypted before the session knows of it; `nil` leaves that to the device.
    public init(
        _ session: consuming sending Session, on radio: Radio, phys: Set<PHY> = [.le1M, .leCoded],
        isFast: Bool = false, protection: LinkProtection? = nil
    ) {
        self.session = session
        self.radio = radio
        self.phys = phys
        self.isFast = isFast
        self.protection = protection
        alarm = Alarm(radio)
    }

    /// Runs until the session has finished, the radio is closed or the task is cancelled.
    ///
    /// - Parameters:
    ///   - executor: Where the handler runs, such as `globalConcurrentExecutor`; `nil` where octets arrive, where it must
    ///     not block.
    ///   - handler: Called for each event of the session, in order; the session waits for it. What an actor passes runs on
    ///     that actor, such as the main actor.
    public func run(
        handlingOn executor: (any TaskExecutor)? = nil,
        @_inheritActorContext _ handler: @escaping @Sendable (Session.Event) async -> Void
    ) async {
        let handler = preferring(executor, handler)
        await withTaskExecutorPreference(radio.executor) { await self.runHere(handler) }
    }

    private func runHere(_ handler: @escaping @Sendable (Session.Event) async -> Void) async {
        states = Task(executorPreference: radio.executor) { [radio, mailbox, weak self] in
            for await state in await radio.states() {
                await self?.note(state)
                await mailbox.post(.input(.radio(state)))
            }
            mailbox.close()
        }
        await withTaskCancellationHandler {
            while let message = await mailbox.next() {
                handle(message)
                guard await drain(handler) else { break }
            }
        } onCancel: {
            mailbox.close()
        }
        await stop()
    }

    /// Does something with the session, such as giving it a command.
    ///
    /// - Parameter body: What to do, with the moment.
    public func update(_ body: @Sendable (inout Session, HostInstant) -> Void) {
        body(&session, radio.now)
        mailbox.push(.wake)
    }

    /// The link that is open; what sessions do not ask for may be asked of it.
    public var connection: Connection? {
        if case .open(_, let connection, _) = link { connection } else { nil }
    }

    /// How strong the device is received on the link.
    ///
    /// - Returns: The strength in dBm; `nil` when there is no link, or the radio does not say.
    public func strength() async -> Int8? { try? await connection?.readRSSI() }

    private func note(_ state: RadioState) { self.state = state }

    private func handle(_ message: Message) {
        switch message {
        case .input(let input): session.receive(input, at: radio.now)
        case .deadline:
            let now = radio.now
            if let due = session.nextDeadline, due <= now { session.deadlineReached(at: now) }
        case .wake: break
        }
    }

    /// Carries out everything that the session wants.
    ///
    /// - Returns: Whether the session goes on.
    private func drain(_ handler: @Sendable (Session.Event) async -> Void) async -> Bool {
        while let output = session.nextOutput() {
            switch output {
            case .action(let action): perform(action)
            case .event(let event): await handler(event)
            case .finished: return false
            }
        }
        alarm.set(session.nextDeadline) { [weak self] deadline in await self?.alarmRang(deadline) }
        return true
    }

    private func perform(_ action: ClientAction) {
        switch action {
        case .startScan: startScan()
        case .stopScan: scan?.cancel()
        case .connect(let peer): connect(to: peer)
        case .disconnect: disconnect()
        case .discover, .request:
            if case .open(_, _, let requests) = link { requests.yield(action) }
        }
    }

    private func alarmRang(_ deadline: HostInstant) {
        if alarm.rang(deadline) { mailbox.push(.deadline) }
    }

    private func stop() async {
        states?.cancel()
        scan?.cancel()
        scanRetry?.cancel()
        alarm.cancel()
        mailbox.close()
        if case .open(_, let connection, let requests) = link {
            requests.finish()
            await connection.disconnect()
        } else {
            disconnect()
        }
    }
}

// MARK: Scanning

extension ClientRunner where Session: ~Copyable {
    private func startScan() {
        scan?.cancel()
        scanRetry?.cancel()
        scan = Task(executorPreference: radio.executor) { [radio, phys, mailbox, weak self] in
            var known = AdvertisementMerger()
            do throws(BluetoothError) {
                for try await advertisement in try await radio.scan(ScanOptions(phys: phys)) {
                    await mailbox.post(.input(.advertisement(known.merge(advertisement))))
                }
            } catch {
                await self?.scanFailed(error)
            }
        }
    }

    /// A session that scans knows of nothing but a radio that cannot be used, and begins anew when it can.
    private func scanFailed(_ error: BluetoothError) async {
        guard error != .cancelled, !Task.isCancelled else { return }
        let state = if case .unauthorized = error { RadioState.unauthorized } else { RadioState.off }
        await mailbox.post(.input(.radio(state)))
        let deadline = radio.now.advanced(bySeconds: scanDelay)
        scanDelay = min(scanDelay * 2, 30)
        // A task of its own: what the session does first is to stop this scan.
        scanRetry = Task(executorPreference: radio.executor) { [radio, weak self] in
            do {
                try await radio.sleep(until: deadline)
            } catch {
                return
            }
            await self?.letScanAgain()
        }
    }

    private func letScanAgain() async {
        // A radio that is off tells by itself when it is on.
        if state == .ready { await mailbox.post(.input(.radio(.ready))) }
    }
}

// MARK: The link

extension ClientRunner where Session: ~Copyable {
    private func connect(to peer: Peer) {
        scanDelay = 1
        giveUpLink()
        lastAttempt += 1
        let number = lastAttempt
        let task = Task(executorPreference: radio.executor) {
            [radio, phys, isFast, protection, mailbox, weak self] in
            let connection: Connection
            do throws(BluetoothError) {
                connection = try await radio.connect(
                    to: peer, ConnectOptions(timeout: .seconds(30), phys: phys, isFast: isFast))
            } catch {
                await self?.end(number, .connectFailed(peer, error.linkFailure))
                return
            }
            do throws(BluetoothError) {
                try await protection?.protect(connection, of: peer)
            } catch {
                await connection.disconnect()
                // A link that was lost meanwhile, or given up, may be tried again.
                if error.isAboutProtection { await self?.end(for: error) }
                await self?.end(number, .connectFailed(peer, error.linkFailure))
                return
            }
            // Asked for before anybody can subscribe, so that no value is missed.
            let values = connection.allValues()
            guard let requests = await self?.handOver(connection, number) else {
                await connection.disconnect()
                await self?.end(number, .connectFailed(peer, .closedByUs))
                return
            }
            await mailbox.post(.input(.connected(peer, mtu: connection.mtu)))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await Self.carryOut(requests, on: connection, mailbox) }
                group.addTask { await Self.watchServices(of: connection, mailbox) }
                group.addTask { await Self.watchMTU(of: connection, mailbox) }
                do throws(BluetoothError) {
                    for try await value in values {
                        await mailbox.post(.input(.value(value.handle, value.value, value.kind)))
                    }
                } catch {
                    // The link's own end says why.
                }
                // What was under way ends before the link, as sessions see it.
                await self?.closed(number)
            }
            await self?.end(number, .disconnected(connection.disconnectReason ?? .closedByUs))
        }
        link = .opening(Attempt(number: number, task: task), isWanted: true)
    }

    /// Ends the run, as links cannot be protected as they have to be.
    private func end(for error: BluetoothError) {
        protectionFailure = error
        mailbox.close()
    }

    /// Lets a link go for whose end the session waits no more; nothing of it is reported.
    private func giveUpLink() {
        disconnect()
        if case .open(_, _, let requests) = link { requests.finish() }
        link.attempt?.task.cancel()
        link = .none
    }

    /// Takes over a link that has just been opened.
    ///
    /// - Returns: What is to be done on it; `nil` when nobody wants it any more.
    private func handOver(_ connection: Connection, _ number: Int) -> AsyncStream<ClientAction>? {
        guard case .opening(let attempt, isWanted: true) = link, attempt.number == number else { return nil }
        let (actions, requests) = AsyncStream<ClientAction>.makeStream()
        link = .open(attempt, connection, requests: requests)
        return actions
    }

    /// Handles that an attempt, or the link that it has opened, is over; only the last one is reported.
    private func end(_ number: Int, _ input: ClientInput) async {
        guard number == lastAttempt else { return }
        closed(number)
        await mailbox.post(.input(input))
    }

    private func closed(_ number: Int) {
        guard link.attempt?.number == number else { return }
        if case .open(_, _, let requests) = link { requests.finish() }
        link = .none
    }

    private func disconnect() {
        switch link {
        case .none: break
        case .opening(let attempt, _):
            // The task reports that it failed, also if it has succeeded just now.
            link = .opening(attempt, isWanted: false)
            attempt.task.cancel()
        case .open(_, let connection, _):
            Task(executorPreference: radio.executor) { await connection.disconnect() }
        }
    }

    private static func carryOut(
        _ actions: AsyncStream<ClientAction>, on connection: Connection, _ mailbox: Mailbox<Message>
    ) async {
        for await action in actions {
            if let input = await result(of: action, on: connection) { await mailbox.post(.input(input)) }
        }
    }

    private static func watchServices(of connection: Connection, _ mailbox: Mailbox<Message>) async {
        for await range in connection.serviceChanges() {
            await mailbox.post(.input(.servicesChanged(range)))
        }
    }

    private static func watchMTU(of connection: Connection, _ mailbox: Mailbox<Message>) async {
        for await case .mtu(let mtu) in connection.changes() { await mailbox.post(.input(.mtuChanged(mtu))) }
    }

    private static func result(of action: ClientAction, on connection: Connection) async -> ClientInput? {
        switch action {
        case .discover:
            do throws(BluetoothError) {
                let found = try await connection.findServices()
                return .discovered(found.services, faults: found.faults)
            } catch {
                return .discoveryFailed(error.requestFailure)
            }
        case .request(let id, let request):
            do throws(BluetoothError) {
                let value = try await carryOut(request, on: connection)
                return .completed(
                    id: id, .success(value.octets), cutShortBy: value.cutShortBy?.requestFailure)
            } catch {
                return .completed(id: id, .failure(error.requestFailure))
            }
        case .startScan, .stopScan, .connect, .disconnect: return nil
        }
    }

    private static func carryOut(
        _ request: ClientRequest, on connection: Connection
    ) async throws(BluetoothError) -> ReadValue {
        switch request {
        case .read(let handle): return try await connection.readAsFarAsPossible(handle)
        case .write(let handle, let value): try await connection.write(value, to: handle)
        case .writeWithoutResponse(let handle, let value):
            try await connection.writeWithoutResponse(value, to: handle)
        case .subscribe(let characteristic, let subscription):
            try await connection.subscribe(subscription, to: characteristic)
        }
        return ReadValue([])
    }
}

/// A handler that runs on an executor, or as it is.
func preferring<Event: Sendable>(
    _ executor: (any TaskExecutor)?, _ handler: @escaping @Sendable (Event) async -> Void
) -> @Sendable (Event) async -> Void {
    guard let executor else { return handler }
    return { event in await withTaskExecutorPreference(executor) { await handler(event) } }
}

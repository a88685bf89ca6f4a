// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
public import BLEGATT
public import BLEWire
public import BluetoothLE

/// Runs a client session on a radio: carries out its actions and brings back what came of them.
///
/// Everything that happens goes through one bounded mailbox and is taken in, in order, by one task. While the
/// handler suspends, the mailbox fills, then the radio is not read any more: nothing is lost.
public actor ClientRunner<Session: ClientSession & ~Copyable> {
    enum Message: Sendable {
        case input(ClientInput)
        case deadline
        /// A command was given to the session: look at its outputs.
        case wake
    }

    private var session: Session
    private let radio: any Radio
    private let clock = MonotonicClock()
    private let mailbox = Mailbox<Message>(limit: 1024)
    private var connection: (any Connection)?
    private var states: Task<Void, Never>?
    private var scan: Task<Void, Never>?
    private var link: Task<Void, Never>?
    private var requests: AsyncStream<ClientAction>.Continuation?
    private var requestTask: Task<Void, Never>?
    private var alarm: Alarm

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - session: The session; nothing has happened to it yet.
    ///   - radio: The radio, started.
    public init(_ session: consuming sending Session, on radio: any Radio) {
        self.session = session
        self.radio = radio
        alarm = Alarm(clock)
    }

    /// Runs until the session has finished, the radio is closed or the task is cancelled.
    ///
    /// - Parameter handler: Called for each event of the session, in order; the radio waits for it.
    public func run(_ handler: @escaping @Sendable (Session.Event) async -> Void) async {
        states = Task { [radio, mailbox] in
            for await state in await radio.states() { await mailbox.post(.input(.radio(state))) }
            mailbox.close()
        }
        await withTaskCancellationHandler {
            while let message = await mailbox.next() {
                take(message)
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
        body(&session, clock.now)
        mailbox.push(.wake)
    }

    private func take(_ message: Message) {
        switch message {
        case .input(let input): session.receive(input, at: clock.now)
        case .deadline:
            let now = clock.now
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
        case .disconnect:
            guard let connection else {
                // Opening it is given up; the task reports that it failed.
                link?.cancel()
                return
            }
            Task { await connection.disconnect() }
        case .discover, .request: requests?.yield(action)
        }
    }

    private func startScan() {
        scan?.cancel()
        scan = Task { [radio, mailbox] in
            var known = AdvertiserMemory()
            do throws(BluetoothError) {
                for await advertisement in try await radio.scan(ScanOptions()) {
                    await mailbox.post(.input(.advertisement(known.merge(advertisement))))
                }
            } catch {
                await mailbox.post(.input(.radio(error == .unauthorized ? .unauthorized : .off)))
            }
        }
    }

    private func connect(to peer: Peer) {
        guard let address = peer.address else {
            // This radio gives its devices addresses.
            mailbox.push(.input(.connectFailed(peer, .connectTimeout)))
            return
        }
        let (actions, continuation) = AsyncStream<ClientAction>.makeStream()
        requests = continuation
        link = Task { [radio, mailbox, weak self] in
            let connection: any Connection
            do throws(BluetoothError) {
                connection = try await radio.connect(to: address, ConnectOptions(timeout: .seconds(30)))
            } catch {
                await mailbox.post(.input(.connectFailed(peer, error.linkFailure)))
                return
            }
            // Asked for before anybody can subscribe, so that no value is missed.
            let values = await connection.values()
            let changes = await connection.serviceChanges()
            let watch = Task {
                for await range in changes { await mailbox.post(.input(.servicesChanged(range))) }
            }
            defer { watch.cancel() }
            // Read once: a change between two looks would be told to nobody.
            let mtu = await connection.mtu
            await self?.opened(connection, mtu: mtu, actions)
            await mailbox.post(.input(.connected(peer, mtu: mtu)))
            for await value in values {
                await mailbox.post(.input(.value(value.handle, value.value, value.kind)))
            }
            let failure = await connection.disconnected()
            // What was under way ends before the link, as sessions see it.
            await self?.closed(connection)
            await mailbox.post(.input(.disconnected(failure)))
        }
    }

    private func opened(_ connection: any Connection, mtu: Int, _ actions: AsyncStream<ClientAction>) {
        self.connection = connection
        requestTask = Task { [mailbox] in
            var mtu = mtu
            for await action in actions {
                let input = await Self.result(of: action, on: connection)
                let agreed = await connection.mtu
                if agreed != mtu {
                    mtu = agreed
                    await mailbox.post(.input(.mtuChanged(mtu)))
                }
                if let input { await mailbox.post(.input(input)) }
            }
        }
    }

    private func closed(_ connection: any Connection) async {
        guard self.connection === connection else { return }
        self.connection = nil
        requests?.finish()
        await requestTask?.value
    }

    private static func result(of action: ClientAction, on connection: any Connection) async -> ClientInput? {
        switch action {
        case .discover:
            do throws(BluetoothError) {
                return .discovered(try await connection.discover())
            } catch {
                return .discoveryFailed(error.requestFailure)
            }
        case .request(let id, let request):
            do throws(BluetoothError) {
                return .completed(id: id, .success(try await carryOut(request, on: connection)))
            } catch {
                return .completed(id: id, .failure(error.requestFailure))
            }
        case .startScan, .stopScan, .connect, .disconnect: return nil
        }
    }

    private static func carryOut(
        _ request: ClientRequest, on connection: any Connection
    ) async throws(BluetoothError) -> [UInt8] {
        switch request {
        case .read(let handle): return try await connection.read(handle)
        case .write(let handle, let value): try await connection.write(value, to: handle)
        case .writeWithoutResponse(let handle, let value):
            try await connection.writeWithoutResponse(value, to: handle)
        case .subscribe(let characteristic, let subscription):
            try await connection.subscribe(subscription, to: characteristic)
        }
        return []
    }

    private func alarmRang(_ deadline: HostInstant) {
        if alarm.rang(deadline) { mailbox.push(.deadline) }
    }

    private func stop() async {
        states?.cancel()
        scan?.cancel()
        alarm.cancel()
        mailbox.close()
        requests?.finish()
        if let connection { await connection.disconnect() } else { link?.cancel() }
        requestTask?.cancel()
    }
}

extension BluetoothError {
    /// The error as a session sees it when a link could not be opened.
    var linkFailure: LinkFailure {
        switch self {
        case .link(let failure): failure
        case .cancelled: .closedByUs
        default: .radioLost
        }
    }

    /// The error as a session sees it when a request failed.
    var requestFailure: RequestFailure {
        switch self {
        case .request(let failure): failure
        case .invalidArgument, .unsupported: .unsupported
        case .tooLong: .tooLong
        default: .disconnected
        }
    }
}

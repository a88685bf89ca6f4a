// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEGATT
public import BLEWire
public import BluetoothLE

/// Runs a device session as a peripheral on a radio.
///
/// Values wait for each client by themselves. Only one that has fallen ``queueLimit`` values behind holds the session
/// up, and is cut off when it takes nothing for its `stallTimeout`.
///
/// The session, and the watcher and the handler unless they are given an executor of their own, run where octets arrive
/// (``Radio/executor``): one that blocks there holds up all links of the radio.
public actor DeviceRunner<Session: DeviceSession & ~Copyable> {
    enum Message: Sendable {
        case event(ServerEvent)
        case deadline
        /// Something was done to the session: look at its outputs.
        case wake
    }

    /// Values on their way to one client, from when it comes until it goes.
    private struct Outbox {
        let client: Server.Client
        let values: AsyncStream<Value>.Continuation
        let task: Task<Void, Never>
        var waiting = 0
        var sent = 0
    }

    private struct Value: Sendable {
        let handle: AttributeHandle
        let octets: [UInt8]
        let kind: GATT.ValueKind
    }

    /// How many values may wait for one client before the session must wait, too.
    public static var queueLimit: Int { 64 }

    private var session: Session
    private var outboxes: [LinkID: Outbox] = [:]
    private var roomWaiter: CheckedContinuation<Void, Never>?
    private var failure: BluetoothError?
    private let stallTimeout: Duration
    private let radio: Radio
    private let mailbox = Mailbox<Message>(limit: 1024)
    private var alarm: Alarm

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - session: The session; it has not been started.
    ///   - radio: The radio, started.
    ///   - stallTimeout: How long the session waits for a client that takes nothing.
    public init(_ session: consuming sending Session, on radio: Radio, stallTimeout: Duration = .seconds(10))
    {
        self.session = session
        self.radio = radio
        self.stallTimeout = stallTimeout
        alarm = Alarm(radio)
    }

    /// Advertises and serves until the radio is closed or the task is cancelled.
    ///
    /// - Parameters:
    ///   - executor: Where the three below run, such as `globalConcurrentExecutor`; `nil` where octets arrive, where they
    ///     must not block. What an actor passes runs on that actor, such as the main actor.
    ///   - advertising: Called once the device is on the air.
    ///   - watcher: Called for what clients do, before the session takes it in.
    ///   - handler: Called for each event of the session, in order.
    /// - Throws: ``BluetoothError`` when the radio refuses to serve or is lost.
    public func run(
        handlingOn executor: (any TaskExecutor)? = nil,
        @_inheritActorContext advertising: @escaping @Sendable () async -> Void = {},
        @_inheritActorContext watcher: @escaping @Sendable (ServerEvent) async -> Void = { _ in },
        @_inheritActorContext _ handler: @escaping @Sendable (Session.Event) async -> Void
    ) async throws(BluetoothError) {
        let advertising = preferring(executor) { (_: Void) in await advertising() }
        let (watcher, handler) = (preferring(executor, watcher), preferring(executor, handler))
        let result: Result<Void, BluetoothError> = await withTaskExecutorPreference(radio.executor) {
            do throws(BluetoothError) {
                return .success(try await self.runHere({ await advertising(()) }, watcher, handler))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func runHere(
        _ advertising: @escaping @Sendable () async -> Void,
        _ watcher: @escaping @Sendable (ServerEvent) async -> Void,
        _ handler: @escaping @Sendable (Session.Event) async -> Void
    ) async throws(BluetoothError) {
        let server = try await radio.serve(
            ServerDescription(
                name: session.name, appearance: session.appearance, services: session.services,
                advertisement: session.advertisement))
        session.start(handles: await server.database.valueHandles, at: radio.now)
        let events = Task(executorPreference: radio.executor) { [mailbox, weak self] in
            do throws(BluetoothError) {
                for try await event in server.events() { await mailbox.post(.event(event)) }
            } catch {
                await self?.fail(error)
            }
            mailbox.close()
        }
        await advertising()
        await withTaskCancellationHandler {
            do throws(BluetoothError) {
                try await drain(server, handler)
                while let message = await mailbox.next() {
                    if case .event(let event) = message { await watcher(event) }
                    await handle(message, server)
                    try await drain(server, handler)
                }
            } catch {
                fail(error)
            }
        } onCancel: {
            mailbox.close()
            Task(executorPreference: radio.executor) { await self.resumeRoomWaiter() }
        }
        events.cancel()
        alarm.cancel()
        for link in Array(outboxes.keys) { close(link) }
        await server.stop()
        if let failure, !Task.isCancelled { throw failure }
    }

    /// Does something with the session, such as pressing its button.
    ///
    /// - Parameter body: What to do, with the moment.
    public func update(_ body: @Sendable (inout Session, HostInstant) -> Void) {
        body(&session, radio.now)
        mailbox.push(.wake)
    }

    private func fail(_ error: BluetoothError) { if failure == nil { failure = error } }

    private func handle(_ message: Message, _ server: Server) async {
        let now = radio.now
        switch message {
        case .deadline:
            if let due = session.nextDeadline, due <= now { session.deadlineReached(at: now) }
        case .wake: break
        case .event(let event): await handle(event, server, at: now)
        }
    }

    private func handle(_ event: ServerEvent, _ server: Server, at now: HostInstant) async {
        switch event {
        case .connected(let client):
            open(client, server)
            session.receive(.connected(client.link, client.peer), at: now)
        case .disconnected(let client, _):
            close(client.link)
            session.receive(.disconnected(client.link), at: now)
        case .mtuChanged(let client, let mtu): session.receive(.mtuChanged(client.link, mtu), at: now)
        case .subscribed(let client, let handle, let subscription):
            session.receive(.subscribed(client.link, handle, subscription), at: now)
        case .unsubscribed(let client, let handle):
            session.receive(.subscribed(client.link, handle, []), at: now)
        case .readRequest(let request):
            switch session.answerRead(of: request.handle, on: request.client.link, at: now) {
            case .success(let value): await server.respond(to: request, with: value)
            case .failure(let code): await server.refuse(request, with: code)
            }
        case .writeRequest(let request):
            let result = session.answerWrite(
                of: request.value, to: request.handle, on: request.client.link, at: now)
            switch result {
            case .success: await server.respond(to: request)
            case .failure(let code): await server.refuse(request, with: code)
            }
        case .valueWritten, .indicationConfirmed, .secured, .pairingFailed, .advertisingStopped,
            .advertisingResumed:
            break
        }
    }

    /// Sends and reports everything that the session has; waits while too much waits for a client.
    private func drain(
        _ server: Server, _ handler: @Sendable (Session.Event) async -> Void
    ) async throws(BluetoothError) {
        while let output = session.nextOutput() {
            switch output {
            case .send(let link, let handle, let value, let kind):
                await send(Value(handle: handle, octets: value, kind: kind), to: link, server)
            case .advertisementChanged: try await server.advertise(session.advertisement)
            case .event(let event): await handler(event)
            }
        }
        alarm.set(session.nextDeadline) { [weak self] deadline in await self?.alarmRang(deadline) }
    }

    private func alarmRang(_ deadline: HostInstant) {
        if alarm.rang(deadline) { mailbox.push(.deadline) }
    }
}

// MARK: Values on their way

extension DeviceRunner where Session: ~Copyable {
    private func send(_ value: Value, to link: LinkID, _ server: Server) async {
        guard let outbox = outboxes[link] else { return }
        outbox.values.yield(value)
        outboxes[link]?.waiting += 1
        while let outbox = outboxes[link], outbox.waiting >= Self.queueLimit, !Task.isCancelled {
            let limit = radio.now + stallTimeout
            let watch = Task(executorPreference: radio.executor) { [radio] in
                try await radio.sleep(until: limit)
                await self.giveUp(link, unlessPast: outbox.sent, server)
            }
            await withCheckedContinuation { roomWaiter = $0 }
            watch.cancel()
        }
    }

    private func open(_ client: Server.Client, _ server: Server) {
        let (values, continuation) = AsyncStream<Value>.makeStream()
        let task = Task(executorPreference: radio.executor) { [weak self] in
            for await value in values {
                do throws(BluetoothError) {
                    switch value.kind {
                    case .notify: try await server.notify(value.octets, of: value.handle, to: client)
                    case .indicate: try await server.indicate(value.octets, of: value.handle, to: client)
                    }
                } catch {
                    return
                }
                await self?.sent(client.link)
            }
        }
        outboxes[client.link] = Outbox(client: client, values: continuation, task: task)
    }

    private func sent(_ link: LinkID) {
        outboxes[link]?.waiting -= 1
        outboxes[link]?.sent += 1
        resumeRoomWaiter()
    }

    private func giveUp(_ link: LinkID, unlessPast sent: Int, _ server: Server) async {
        guard let outbox = outboxes[link], outbox.sent == sent else { return }
        close(link)
        // Where a platform cannot close it, its values go nowhere from now on.
        try? await server.disconnect(outbox.client)
    }

    private func close(_ link: LinkID) {
        guard let outbox = outboxes.removeValue(forKey: link) else { return }
        outbox.values.finish()
        outbox.task.cancel()
        resumeRoomWaiter()
    }

    private func resumeRoomWaiter() {
        roomWaiter?.resume()
        roomWaiter = nil
    }
}

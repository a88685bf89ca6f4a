// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEGATT
public import BLEWire
public import BluetoothLE

/// Runs a device session as a peripheral on a radio.
///
/// Values wait for each client by themselves. Only one that has fallen ``queueLimit`` values behind holds the session
/// up, and is cut off when it takes nothing for as long as the runner has patience.
public actor DeviceRunner<Session: DeviceSession & ~Copyable> {
    enum Message: Sendable {
        case event(ServerEvent)
        case deadline
        /// Something was done to the session: look at its outputs.
        case wake
    }

    /// Values on their way to one client.
    private struct Outbox {
        let values: AsyncStream<Value>.Continuation
        let task: Task<Void, Never>
        var waiting = 0
        var taken = 0
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
    private let patience: Duration
    private let radio: any Radio
    private let clock = MonotonicClock()
    private let mailbox = Mailbox<Message>(limit: 1024)
    private var alarm: Alarm

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - session: The session; it has not been started.
    ///   - radio: The radio, started.
    ///   - patience: How long the session waits for a client that takes nothing.
    public init(
        _ session: consuming sending Session, on radio: any Radio, patience: Duration = .seconds(10)
    ) {
        self.session = session
        self.radio = radio
        self.patience = patience
        alarm = Alarm(clock)
    }

    /// Advertises and serves until the radio is gone or the task is cancelled.
    ///
    /// - Parameters:
    ///   - advertising: Called once the device is on the air.
    ///   - watcher: Called for what clients do, before the session takes it in.
    ///   - handler: Called for each event of the session, in order.
    /// - Throws: ``BluetoothError`` when the radio refuses to serve or is lost.
    public func run(
        advertising: @escaping @Sendable () async -> Void = {},
        watcher: @escaping @Sendable (ServerEvent) async -> Void = { _ in },
        _ handler: @escaping @Sendable (Session.Event) async -> Void
    ) async throws(BluetoothError) {
        let server = try await radio.serve(
            ServerDescription(
                name: session.name, appearance: session.appearance, services: session.services,
                advertisement: session.advertisement))
        session.start(database: await server.database, at: clock.now)
        let events = Task { [mailbox] in
            for await event in await server.events() { await mailbox.post(.event(event)) }
            mailbox.close()
        }
        await advertising()
        var failure: BluetoothError?
        await withTaskCancellationHandler {
            do throws(BluetoothError) {
                try await drain(server, handler)
                while let message = await mailbox.next() {
                    if case .event(let event) = message { await watcher(event) }
                    await take(message, server)
                    try await drain(server, handler)
                }
            } catch {
                failure = error
            }
        } onCancel: {
            mailbox.close()
            Task { await self.resumeRoomWaiter() }
        }
        events.cancel()
        alarm.cancel()
        for link in Array(outboxes.keys) { close(link) }
        await server.stop()
        if let failure { throw failure }
        if !Task.isCancelled { throw .radioUnavailable("the connection to it was lost") }
    }

    /// Does something with the session, such as pressing its button.
    ///
    /// - Parameter body: What to do, with the moment.
    public func update(_ body: @Sendable (inout Session, HostInstant) -> Void) {
        body(&session, clock.now)
        mailbox.push(.wake)
    }

    private func take(_ message: Message, _ server: any Server) async {
        let now = clock.now
        switch message {
        case .deadline:
            if let due = session.nextDeadline, due <= now { session.deadlineReached(at: now) }
        case .wake: break
        case .event(let event):
            switch event {
            case .connected(let link, let peer): session.receive(.connected(link, Peer(peer)), at: now)
            case .disconnected(let link, _):
                close(link)
                session.receive(.disconnected(link), at: now)
            case .mtuChanged(let link, let mtu): session.receive(.mtuChanged(link, mtu), at: now)
            case .subscribed(let link, let handle, let subscription):
                session.receive(.subscribed(link, handle, subscription), at: now)
            case .read(let link, let handle):
                await server.answer(session.answerRead(of: handle, on: link, at: now), on: link)
            case .write(let link, let handle, let value, let answered):
                let result = session.answerWrite(of: value, to: handle, on: link, at: now)
                if answered { await server.answer(result, on: link) }
            case .stored, .confirmed: break
            }
        }
    }

    /// Sends and tells everything that the session has; waits while too much waits for a client.
    private func drain(
        _ server: any Server, _ handler: @Sendable (Session.Event) async -> Void
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

    private func send(_ value: Value, to link: LinkID, _ server: any Server) async {
        var outbox = outboxes[link] ?? open(link, server)
        outbox.values.yield(value)
        outbox.waiting += 1
        outboxes[link] = outbox
        while let outbox = outboxes[link], outbox.waiting >= Self.queueLimit, !Task.isCancelled {
            let limit = Task { [patience] in
                try await Task.sleep(for: patience)
                await giveUp(link, unlessPast: outbox.taken, server)
            }
            await withCheckedContinuation { roomWaiter = $0 }
            limit.cancel()
        }
    }

    private func open(_ link: LinkID, _ server: any Server) -> Outbox {
        let (values, continuation) = AsyncStream<Value>.makeStream()
        let task = Task { [weak self] in
            for await value in values {
                _ = await server.send(value.octets, of: value.handle, as: value.kind, to: link)
                await self?.sent(link)
            }
        }
        return Outbox(values: continuation, task: task)
    }

    private func sent(_ link: LinkID) {
        outboxes[link]?.waiting -= 1
        outboxes[link]?.taken += 1
        resumeRoomWaiter()
    }

    private func giveUp(_ link: LinkID, unlessPast taken: Int, _ server: any Server) async {
        guard outboxes[link]?.taken == taken else { return }
        close(link)
        await server.disconnect(link)
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

    private func alarmRang(_ deadline: HostInstant) {
        if alarm.rang(deadline) { mailbox.push(.deadline) }
    }
}

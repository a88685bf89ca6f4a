// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEGATT
public import BLEWire
public import BluetoothLE

/// Runs a device session as a peripheral on a radio.
public actor DeviceRunner<Session: DeviceSession & ~Copyable> {
    enum Message: Sendable {
        case event(ServerEvent)
        case deadline
        /// Something was done to the session: look at its outputs.
        case wake
    }

    private var session: Session
    private let radio: any Radio
    private let clock = MonotonicClock()
    private let mailbox = Mailbox<Message>(limit: 1024)
    private var alarm: Alarm

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - session: The session; it has not been started.
    ///   - radio: The radio, started.
    public init(_ session: consuming sending Session, on radio: any Radio) {
        self.session = session
        self.radio = radio
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
        }
        events.cancel()
        alarm.cancel()
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
            case .connected(let link, let peer): session.receive(.connected(link, peer), at: now)
            case .disconnected(let link, _): session.receive(.disconnected(link), at: now)
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

    /// Sends and tells everything that the session has; waits while a link has no room.
    private func drain(
        _ server: any Server, _ handler: @Sendable (Session.Event) async -> Void
    ) async throws(BluetoothError) {
        while let output = session.nextOutput() {
            switch output {
            case .send(let link, let handle, let value, let kind):
                _ = await server.send(value, of: handle, as: kind, to: link)
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

// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLESessions
public import BLEWire
public import BluetoothLE
public import Companion

/// A connection of a client session to one device, for one piece of work: requests in, events out, an error at its end.
///
/// ```
/// let state = try await ClientConnection.open(NightlightClient(options: options), on: radio) { connection in
///     try await connection.lamp()
/// }
/// ```
///
/// ``open(_:on:_:notices:_:)`` finds the device, connects and closes the link, however the work ends. When the task is
/// cancelled, the link is closed and ``next()`` throws; when the link ends or the radio is gone, ``next()`` throws once
/// all events before that were read. Up to 1024 unread events wait; then the session waits, and with it the device and
/// no other.
public struct ClientConnection<Session: ConnectableSession & ~Copyable> {
    /// Faults of the device that are passed on; one that only sends nonsense must not fill a screen.
    private static var faultLimit: Int { 20 }

    private let radio: Radio
    private let runner: ClientRunner<Session>
    private let queue: EventQueue<Session.Event>
    private let pending: PendingAnswer
    private let notices: (ConnectionNotice) -> Void
    private var waiting = FIFO<Session.Event>()
    private var last: DeviceLink.Report?
    private var characteristics: [BluetoothUUID] = []
    private var wasFound = false
    private var faults = 0

    /// Finds the device, does some work and closes the link, also when the work fails.
    ///
    /// - Parameters:
    ///   - session: The session; it looks for this device and does not come back to it.
    ///   - radio: The radio.
    ///   - options: How to look for it, and for how long.
    ///   - notices: Called with what happens meanwhile, while the work reads events, and where it does.
    ///   - body: The work; it runs where the caller does.
    /// - Returns: What the body returns.
    /// - Throws: ``ConnectionError/timeLimit(_:)`` when the time is over, and what the body throws.
    public nonisolated(nonsending) static func open<Value: Sendable>(
        _ session: consuming sending Session, on radio: Radio, _ options: ConnectionOptions = .init(),
        notices: @escaping (ConnectionNotice) -> Void = { _ in },
        _ body: nonisolated(nonsending) (inout ClientConnection) async throws -> Value
    ) async throws -> Value {
        let runner = ClientRunner(
            session, on: radio, phys: options.phys, isFast: true, protection: options.protection)
        let queue = EventQueue<Session.Event>(capacity: 1024)
        let pending = PendingAnswer()
        // A task of its own: cancelling the caller must not tear the link, but close it.
        let radioWork = Task(executorPreference: radio.executor) {
            await runner.run { await queue.append($0) }
            await queue.finish()
            pending.end()
        }
        let search = Task(executorPreference: radio.executor) {
            try await radio.sleep(until: radio.now + options.patience)
            await runner.update { client, now in
                if client.state == .scanning || client.state == .connecting { client.close(at: now) }
            }
        }
        let end = Task(executorPreference: radio.executor) {
            guard let limit = options.limit else { return false }
            try await radio.sleep(until: radio.now + limit)
            await runner.update { $0.close(at: $1) }
            return true
        }
        var connection = ClientConnection(
            radio: radio, runner: runner, queue: queue, pending: pending, notices: notices)
        let result: Result<Value, any Error> = await withTaskCancellationHandler {
            do { return .success(try await body(&connection)) } catch { return .failure(error) }
        } onCancel: {
            Task(executorPreference: radio.executor) { await runner.update { $0.close(at: $1) } }
        }
        search.cancel()
        end.cancel()
        await runner.update { $0.close(at: $1) }
        await queue.abandon()
        await radioWork.value
        if case .failure = result, (try? await end.value) == true, let limit = options.limit {
            throw ConnectionError.timeLimit(limit)
        }
        return try result.get()
    }

    private init(
        radio: Radio, runner: ClientRunner<Session>, queue: EventQueue<Session.Event>, pending: PendingAnswer,
        notices: @escaping (ConnectionNotice) -> Void
    ) {
        self.radio = radio
        self.runner = runner
        self.queue = queue
        self.pending = pending
        self.notices = notices
    }

    /// Makes a request of the session.
    ///
    /// - Parameter body: The request, with the moment.
    public nonisolated(nonsending) func update(_ body: @Sendable (inout Session, HostInstant) -> Void) async {
        await runner.update(body)
    }

    /// The next event of the session.
    ///
    /// - Returns: The event.
    /// - Throws: ``ConnectionError`` that says why there are no more, ``BluetoothError`` when the radio is gone, and
    ///   `CancellationError` once the task is cancelled.
    public nonisolated(nonsending) mutating func next() async throws -> Session.Event {
        while true {
            // What comes after the caller was cancelled is only how it ends.
            try Task.checkCancellation()
            if let event = waiting.popFirst() {
                try note(event)
                return event
            }
            try await waitForMore()
        }
    }

    /// The next event of the session, or nothing when somebody calls ``wake`` meanwhile.
    ///
    /// - Returns: The event; `nil` when it was woken.
    /// - Throws: As ``next()``.
    public nonisolated(nonsending) mutating func nextUnlessWoken() async throws -> Session.Event? {
        try Task.checkCancellation()
        if waiting.isEmpty { try await waitForMore() }
        guard let event = waiting.popFirst() else { return nil }
        try note(event)
        return event
    }

    /// Ends the wait of ``nextUnlessWoken()``, the present one or the next; anybody may call it.
    public var wake: @Sendable () async -> Void { { [queue] in await queue.wake() } }

    /// Drops events for a while, and throws when they end meanwhile.
    ///
    /// - Parameter duration: How long.
    /// - Throws: As ``next()``.
    public nonisolated(nonsending) mutating func wait(for duration: Duration) async throws {
        let end = radio.now + duration
        let alarm = Task(executorPreference: radio.executor) { [queue, radio] in
            try await radio.sleep(until: end)
            await queue.wake()
        }
        defer { alarm.cancel() }
        while true {
            while let event = waiting.popFirst() { try note(event) }
            guard radio.now < end else { return try Task.checkCancellation() }
            try await waitForMore()
        }
    }

    /// Waits for an answer of a person or another task, as long as the link lasts.
    ///
    /// - Parameter body: Gets the answer; it returns nothing soon after it is cancelled.
    /// - Returns: The answer; `nil` when there is none.
    /// - Throws: As ``next()``, when the link ends meanwhile or the task is cancelled.
    public nonisolated(nonsending) mutating func whileConnected<Answer: Sendable>(
        @_inheritActorContext _ body: @escaping @Sendable () async -> Answer?
    ) async throws -> Answer? {
        let answer = await pending.value(body)
        try Task.checkCancellation()
        if answer == nil, pending.hasEnded {
            while true { _ = try await next() }
        }
        return answer
    }

    private nonisolated(nonsending) mutating func waitForMore() async throws {
        guard let more = await queue.next() else {
            try Task.checkCancellation()
            if let error = await runner.protectionFailure { throw error }
            throw failure
        }
        for event in more { waiting.append(event) }
    }

    /// Learns from an event.
    ///
    /// - Throws: ``BluetoothError`` when the radio is gone: what was asked for is not done when it comes back.
    private mutating func note(_ event: Session.Event) throws(BluetoothError) {
        if let report = Session.report(in: event) {
            last = report
            notices(.state(report.state))
            switch report.state {
            case .bluetoothOff: throw .disconnected(.radioLost)
            case .unauthorized: throw .unauthorized("allow it in the system's settings")
            case .discovering: wasFound = true
            default: break
            }
        } else if let uuids = Session.characteristics(in: event) {
            characteristics = uuids
        } else if let fault = Session.fault(in: event), faults < Self.faultLimit {
            faults += 1
            notices(.fault(fault))
        }
    }

    /// Why there are no more events.
    private var failure: ConnectionError {
        switch last?.reason {
        case .wrongDevice(let missing)?: .wrongDevice(missing: missing, having: characteristics)
        case let reason? where reason != .closed: .failed(reason)
        default: wasFound ? .linkLost : .notFound
        }
    }
}

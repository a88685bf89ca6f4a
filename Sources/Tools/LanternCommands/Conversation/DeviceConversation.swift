// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLESessions
import BLEWire
import BluetoothLE
import CompanionDevices

/// A client session that a command can hold a conversation with.
protocol ConversableSession: ClientSession, ~Copyable {
    /// How far the link is.
    var state: DeviceLink.State { get }

    /// Ends the session.
    mutating func close(at now: HostInstant)

    /// The change of the link's state that an event tells, if it is one.
    static func report(in event: Event) -> DeviceLink.Report?

    /// The sentence for a device of another kind, and what to do then.
    static func wrongDevice(_ target: DeviceAddress, missing: [BluetoothUUID]) -> String

    /// The same for sessions that tell what a device has, and so what else it may be.
    static func wrongDevice(
        _ target: DeviceAddress, missing: [BluetoothUUID], having: [BluetoothUUID]
    ) -> String

    /// The characteristics of the device that an event tells, if it does.
    static func characteristics(in event: Event) -> [BluetoothUUID]?

    /// What was wrong with something that the device sent, if an event tells that.
    static func fault(in event: Event) -> String?
}

extension ConversableSession where Self: ~Copyable {
    static func wrongDevice(
        _ target: DeviceAddress, missing: [BluetoothUUID], having: [BluetoothUUID]
    ) -> String { wrongDevice(target, missing: missing) }

    static func characteristics(in event: Event) -> [BluetoothUUID]? { nil }

    static func fault(in event: Event) -> String? { nil }
}

/// A client session with one device, as a command leads it: say something, then listen to what comes.
struct DeviceConversation<Session: ConversableSession & ~Copyable> {
    /// The device's address as the person gave it.
    let target: DeviceAddress
    /// Where to say how far it is.
    let progress: Progress
    /// Faults of the device that are told; one that only sends nonsense must not fill the screen.
    private static var faultLimit: Int { 20 }

    private let runner: ClientRunner<Session>
    private let queue: EventQueue<Session.Event>
    private let prompt: Prompt
    private var waiting = FIFO<Session.Event>()
    private var last: DeviceLink.Report?
    private var characteristics: [BluetoothUUID] = []
    private var wasFound = false
    private var faults = 0

    /// Finds the device, holds the conversation and closes the link, however it ends.
    ///
    /// - Parameters:
    ///   - session: The session; it looks for this device and does not come back to it.
    ///   - target: The device.
    ///   - radio: On what.
    ///   - phys: On what to look for it and to connect.
    ///   - limit: How long everything may take; `nil` for as long as it takes.
    ///   - progress: Where to say how far it is.
    ///   - body: What to say and to listen to.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` when the time is over, and what the body throws.
    static func hold<Value: Sendable>(
        _ session: consuming sending Session, with target: DeviceAddress, on radio: Radio,
        phys: Set<PHY> = PHYOptions.all, limit: Seconds? = nil, showing progress: Progress = .none,
        _ body: (inout DeviceConversation) async throws -> Value
    ) async throws -> Value {
        let runner = ClientRunner(session, on: radio, phys: phys)
        // How many events may wait for the person; then the radio waits.
        let queue = EventQueue<Session.Event>(capacity: 1024)
        let prompt = Prompt()
        // A task of its own: cancelling the command must not tear the link, but close it.
        let radioWork = Task {
            await runner.run { await queue.append($0) }
            await queue.finish()
            prompt.end()
        }
        let search = Task {
            try await radio.sleep(
                until: radio.now.advanced(byMilliseconds: UInt64(PeerLink.patience / .milliseconds(1))))
            await runner.update { client, now in
                if client.state == .scanning || client.state == .connecting { client.close(at: now) }
            }
        }
        let end = Task {
            guard let limit else { return false }
            try await Task.sleep(for: limit.duration)
            await runner.update { $0.close(at: $1) }
            return true
        }
        progress.show("Looking for \(target)…")
        var conversation = DeviceConversation(
            target: target, progress: progress, runner: runner, queue: queue, prompt: prompt)
        let result: Result<Value, any Error> = await withTaskCancellationHandler {
            do { return .success(try await body(&conversation)) } catch { return .failure(error) }
        } onCancel: {
            Task { await runner.update { $0.close(at: $1) } }
        }
        search.cancel()
        end.cancel()
        await runner.update { $0.close(at: $1) }
        await queue.abandon()
        await radioWork.value
        progress.clear()
        if case .failure = result, (try? await end.value) == true, let limit {
            throw CommandError.nothingFound("It was not done within \(limit.text): try again with more time.")
        }
        return try result.get()
    }

    private init(
        target: DeviceAddress, progress: Progress, runner: ClientRunner<Session>,
        queue: EventQueue<Session.Event>, prompt: Prompt
    ) {
        self.target = target
        self.progress = progress
        self.prompt = prompt
        self.runner = runner
        self.queue = queue
    }

    /// Gives the session a command.
    ///
    /// - Parameter body: The command.
    func say(_ body: @Sendable (inout Session, HostInstant) -> Void) async { await runner.update(body) }

    /// The next thing that the session tells.
    ///
    /// - Returns: The event.
    /// - Throws: ``CommandError`` that says why there are no more, ``BluetoothError`` when the radio is gone, and
    ///   `CancellationError` once the person has ended the command.
    mutating func next() async throws -> Session.Event {
        while true {
            // What comes after the person has ended it is only how it ends.
            try Task.checkCancellation()
            if let event = waiting.popFirst() {
                try note(event)
                return event
            }
            try await waitForMore()
        }
    }

    /// Listens to what comes for a while; the events are of no interest, but that they end is.
    ///
    /// - Parameter duration: How long.
    /// - Throws: As ``next()``.
    mutating func listen(for duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        let alarm = Task { [queue] in
            try await Task.sleep(until: end, clock: .continuous)
            await queue.wake()
        }
        defer { alarm.cancel() }
        while true {
            while let event = waiting.popFirst() { try note(event) }
            guard ContinuousClock.now < end else { return try Task.checkCancellation() }
            try await waitForMore()
        }
    }

    private mutating func waitForMore() async throws {
        guard let more = await queue.takeAll() else {
            try Task.checkCancellation()
            throw ending
        }
        for event in more { waiting.append(event) }
    }

    /// Learns from an event.
    ///
    /// - Throws: ``BluetoothError`` when the radio is gone: what was asked for is not done when it comes back.
    private mutating func note(_ event: Session.Event) throws(BluetoothError) {
        if let report = Session.report(in: event) {
            last = report
            switch report.state {
            case .bluetoothOff: throw .disconnected(.radioLost)
            case .unauthorized: throw .unauthorized
            case .discovering: wasFound = true
            default: break
            }
        } else if let uuids = Session.characteristics(in: event) {
            characteristics = uuids
        } else if let fault = Session.fault(in: event), faults < Self.faultLimit {
            faults += 1
            progress.clear()
            // A note beside the output; that it cannot be read ends nothing.
            try? Output.standardError().line(
                "lantern: the device sent something unusable: \(TerminalText.escaped(fault)).")
        }
    }

    /// Asks the person, as long as the link lasts.
    ///
    /// - Parameter body: Asks; it returns nothing when it is cancelled.
    /// - Returns: The answer; `nil` when the input has ended.
    /// - Throws: ``CommandError`` when the link ends meanwhile, and `CancellationError`.
    mutating func ask<Answer: Sendable>(
        _ body: @escaping @Sendable () async -> Answer?
    ) async throws -> Answer? {
        progress.clear()
        let answer = await prompt.run(body)
        try Task.checkCancellation()
        if answer == nil, prompt.hasEnded {
            while true { _ = try await next() }
        }
        return answer
    }

    /// Why the session tells nothing more.
    private var ending: CommandError {
        switch last?.reason {
        case .wrongDevice(let missing)?:
            .failed(Session.wrongDevice(target, missing: missing, having: characteristics))
        case let reason? where reason != .closed: .failed("It did not work: \(reason). Try again.")
        default:
            wasFound
                ? .failed("The link to \(target) has ended. Try again.")
                : .nothingFound(
                    "The device \(target) was not found. Check that it is near, switched on and not connected to "
                        + "something else.")
        }
    }
}

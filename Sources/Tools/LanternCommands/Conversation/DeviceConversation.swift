// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLESessions
import BLEWire
import BluetoothLE

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
}

/// A client session with one device, as a command leads it: say something, then listen to what comes.
struct DeviceConversation<Session: ConversableSession & ~Copyable> {
    /// The device's address as the person gave it.
    let target: DeviceAddress
    private let runner: ClientRunner<Session>
    private let queue: EventQueue<Session.Event>
    private var waiting = FIFO<Session.Event>()
    private var last: DeviceLink.Report?
    private var wasFound = false

    /// Finds the device, holds the conversation and closes the link, however it ends.
    ///
    /// - Parameters:
    ///   - session: The session; it looks for this device and does not come back to it.
    ///   - target: The device.
    ///   - radio: On what.
    ///   - limit: How long everything may take; `nil` for as long as it takes.
    ///   - body: What to say and to listen to.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` when the time is over, and what the body throws.
    static func hold<Value: Sendable>(
        _ session: consuming sending Session, with target: DeviceAddress, on radio: any Radio,
        limit: Seconds? = nil, _ body: (inout DeviceConversation) async throws -> Value
    ) async throws -> Value {
        let runner = ClientRunner(session, on: radio)
        // How many events may wait for the person; then the radio waits.
        let queue = EventQueue<Session.Event>(capacity: 1024)
        // A task of its own: cancelling the command must not tear the link, but close it.
        let radioWork = Task {
            await runner.run { await queue.append($0) }
            await queue.finish()
        }
        let search = Task {
            try await Task.sleep(for: PeerLink.patience)
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
        var conversation = DeviceConversation(target: target, runner: runner, queue: queue)
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
        if case .failure = result, (try? await end.value) == true, let limit {
            throw CommandError.nothingFound("It was not done within \(limit.text): try again with more time.")
        }
        return try result.get()
    }

    private init(
        target: DeviceAddress, runner: ClientRunner<Session>, queue: EventQueue<Session.Event>
    ) {
        self.target = target
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
    /// - Throws: ``CommandError`` that says why there are no more.
    mutating func next() async throws -> Session.Event {
        while true {
            if let event = waiting.popFirst() {
                if let report = Session.report(in: event) {
                    last = report
                    if report.state == .discovering { wasFound = true }
                }
                return event
            }
            guard let more = await queue.takeAll() else {
                try Task.checkCancellation()
                throw ending
            }
            for event in more { waiting.append(event) }
        }
    }

    /// Why the session tells nothing more.
    private var ending: CommandError {
        switch last?.reason {
        case .wrongDevice(let missing)?: .failed(Session.wrongDevice(target, missing: missing))
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

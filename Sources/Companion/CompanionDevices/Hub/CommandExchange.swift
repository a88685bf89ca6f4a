// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import FlockFinder
import Synchronization

/// A command that was written to a FlockFinder, and what comes back.
///
/// The device answers on its live stream with a status; to `stream_on` and `stream_off` it says nothing unless it does not
/// know them.
final class CommandExchange: Sendable {
    /// How long the device may take to take the command.
    private static let writing = Duration.seconds(10)
    /// How long its answer may take after that.
    private static let answering = Duration.seconds(2)
    /// How long a refusal may take of what is not answered.
    private static let refusing = Duration.milliseconds(400)

    private struct State {
        var waiting: CheckedContinuation<Result<String, HubFault>, Never>?
        var result: Result<String, HubFault>?
        var timer: Task<Void, Never>?
        var isWritten = false
    }

    let command: WireText
    private let clock: HubClock
    private let begun = ContinuousClock.now
    private let state = Mutex(State())

    init(_ command: WireText, clock: HubClock) {
        self.command = command
        self.clock = clock
        end(with: .failure(.noAnswer("The device did not take the command. Try again.")), after: Self.writing)
    }

    /// Whether the live stream is to be on or off, if that is what the command is about.
    var streamWish: Bool? {
        switch command {
        case FlockFinderCommand.streamOn: true
        case FlockFinderCommand.streamOff: false
        default: nil
        }
    }

    /// Handles what has become of a command.
    func receive(_ event: FlockCommandWritten) {
        guard event.command == command else { return }
        if let failure = event.failure {
            end(with: .failure(.notNow("The command could not be written: \(failure).")))
            return
        }
        state.withLock { $0.isWritten = true }
        if let streamWish {
            end(with: .success("The live stream is \(streamWish ? "on" : "off")."), after: Self.refusing)
        } else {
            end(with: .success("It took the command and said nothing."), after: Self.answering)
        }
    }

    /// Handles what the device says; it may overtake the word that the command was written.
    func receive(_ event: FlockStreamObject) {
        if let refusal = event.refusal {
            end(with: .failure(.notNow("The device does not know the command: \(refusal.shortened).")))
        } else if streamWish == nil, let status = event.status {
            end(with: .success(status))
        }
    }

    /// Waits for the answer.
    func answer() async throws(HubFault) -> CommandAnswer {
        let result = await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiting = continuation }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
        let text = try result.get()
        return CommandAnswer(text: text, milliseconds: Int((ContinuousClock.now - begun) / .milliseconds(1)))
    }

    /// Ends the wait.
    func end(with result: Result<String, HubFault>) {
        let waiting = state.withLock { state in
            guard state.result == nil else {
                return nil as CheckedContinuation<Result<String, HubFault>, Never>?
            }
            state.result = result
            state.timer?.cancel()
            return state.waiting.take()
        }
        waiting?.resume(returning: result)
    }

    private func end(with result: Result<String, HubFault>, after delay: Duration) {
        let timer = Task { [weak self, clock] in
            do { try await clock.sleep(delay) } catch { return }
            self?.end(with: result)
        }
        state.withLock { state in
            state.timer?.cancel()
            state.timer = timer
        }
    }
}

extension FlockStreamObject {
    /// What the device says of itself, if that is what the object is.
    fileprivate var status: String? {
        guard let object = try? JSONReader.read(object), let kind = try? object.member("evt"),
            kind.value == .text("status")
        else { return nil }
        if let message = try? object.member("msg"), case .text(let text) = message.value {
            return text.shortened
        }
        return String(decoding: self.object, as: UTF8.self).shortened
    }
}

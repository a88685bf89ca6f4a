// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire

/// Links that are being opened: one at a time, the others wait.
///
/// ```
///          its turn          taken up               link, failure
///   idle ──────────▶ asked ──────────▶ initiating ────────────────▶ idle
///                     │ ▲                   │ time, given up         ▲
///        controller   ▼ │ the end of        ▼                        │
///        still at   blocked the one      cancelling ─────────────────┘ link, failure, 2 s
///        another             before
/// ```
///
/// A controller that does not say what became of an attempt within 2 s still owes that. What it then says before it
/// has taken up the next one is about the old one; and when it refuses the next one because it is still at the old
/// one, the next one waits for that.
struct Initiator: ~Copyable {
    /// How long the controller may take to give up, in seconds.
    static let cancelSeconds: UInt64 = 2

    struct Attempt: Equatable {
        let number: UInt32
        /// To whom; the first who is heard, if there are several.
        let addresses: [BluetoothAddress]
        let parameters: ConnectParameters

        /// The address that tells what becomes of it.
        var name: BluetoothAddress { addresses.first ?? BluetoothAddress(0, kind: .anonymous) }
    }

    enum Command: Equatable {
        case clearList
        case addToList(BluetoothAddress)
        case create(Attempt)
        case cancel
    }

    enum Step: Equatable {
        /// What comes before the link is asked for.
        case prepare
        case create
        case cancel
    }

    enum Output: Equatable {
        case command(Command, Step, attempt: UInt32)
        case failed(BluetoothAddress, LinkError)
    }

    enum State: Equatable {
        case idle
        /// The controller has not answered yet.
        case asked(Attempt, deadline: HostInstant)
        case initiating(Attempt, deadline: HostInstant)
        /// The controller was told to give up; it reports that, or the link after all, before the deadline.
        case cancelling(Attempt, because: LinkError, deadline: HostInstant)
        /// Refused because the controller is still at an attempt that was given up.
        case blocked(Attempt, deadline: HostInstant)
    }

    private(set) var state = State.idle
    private var waiting = FIFO<Attempt>()
    private var lastAttempt: UInt32 = 0
    /// Whether the controller owes the end of an attempt that was given up.
    private(set) var owesEnd = false
    private var outputs = FIFO<Output>()
    /// Whether those that wait are not to begin.
    var isHeld = false

    mutating func nextOutput() -> Output? { outputs.popFirst() }

    var isBusy: Bool {
        if case .idle = state { return false }
        return true
    }

    var nextDeadline: HostInstant? {
        switch state {
        case .idle: nil
        case .asked(_, let deadline), .initiating(_, let deadline), .cancelling(_, _, let deadline),
            .blocked(_, let deadline):
            deadline
        }
    }

    /// How many attempts wait for their turn.
    var waitingCount: Int { waiting.count }

    mutating func connect(
        _ addresses: [BluetoothAddress], _ parameters: ConnectParameters, at now: HostInstant
    ) {
        lastAttempt &+= 1
        waiting.append(Attempt(number: lastAttempt, addresses: addresses, parameters: parameters))
        beginNext(at: now)
    }

    /// Gives up an attempt; one that is given up already stays so.
    mutating func cancel(_ name: BluetoothAddress, at now: HostInstant) {
        var others = FIFO<Attempt>()
        var isFound = false
        while let attempt = waiting.popFirst() {
            if !isFound, attempt.name == name {
                isFound = true
                outputs.append(.failed(name, .closedByUs))
            } else {
                others.append(attempt)
            }
        }
        waiting = others
        if !isFound, let current, current.name == name { giveUp(.closedByUs, at: now) }
    }

    /// Gives up all attempts.
    mutating func cancelAll(at now: HostInstant) {
        while let attempt = waiting.popFirst() { outputs.append(.failed(attempt.name, .closedByUs)) }
        giveUp(.closedByUs, at: now)
    }

    /// Takes the answer to a command.
    mutating func completed(
        _ step: Step, attempt number: UInt32, _ status: HCI.Status, at now: HostInstant
    ) {
        switch step {
        case .prepare:
            guard status != .success, current?.number == number else { return }
            giveUp(.controller(status: status.rawValue), at: now)
        case .create: created(number, status, at: now)
        // What becomes of the attempt is reported by itself.
        case .cancel: break
        }
    }

    private mutating func created(_ number: UInt32, _ status: HCI.Status, at now: HostInstant) {
        switch state {
        case .asked(let attempt, let deadline) where attempt.number == number:
            if status == .success {
                owesEnd = false
                state = .initiating(attempt, deadline: deadline)
            } else if status == .commandDisallowed, owesEnd {
                state = .blocked(attempt, deadline: deadline)
            } else {
                end(attempt, .controller(status: status.rawValue), at: now)
            }
        case .cancelling(let attempt, let because, _) where attempt.number == number:
            if status != .success { end(attempt, because, at: now) }
        default:
            // A link to the same peer came about in another way: nobody waits for this one any more.
            guard status == .success else { return }
            owesEnd = true
            outputs.append(.command(.cancel, .cancel, attempt: number))
        }
    }

    /// Handles that an attempt has ended without a link.
    mutating func connectionFailed(_ status: HCI.Status, at now: HostInstant) {
        switch state {
        // It is about one that was given up before.
        case .idle, .asked: owesEnd = false
        case .blocked(let attempt, let deadline):
            owesEnd = false
            create(attempt, deadline: deadline)
        case .initiating(let attempt, _):
            // The device was heard and did not take the link up, or was never heard.
            let isUnanswered = status == .connectionFailedToBeEstablished
            end(attempt, isUnanswered ? .connectTimeout : .controller(status: status.rawValue), at: now)
        case .cancelling(let attempt, let because, _): end(attempt, because, at: now)
        }
    }

    /// Handles that a link in the central role is open; it may be one that nobody waits for.
    ///
    /// - Parameters:
    ///   - peer: To whom, as the controller says.
    ///   - identity: Who that is; `nil` as the controller says.
    ///   - now: The moment.
    mutating func connectionOpened(
        _ peer: BluetoothAddress, identity: BluetoothAddress? = nil, at now: HostInstant
    ) {
        if let current, current.addresses.contains(peer) || current.addresses.contains(identity ?? peer) {
            state = .idle
            beginNext(at: now)
            return
        }
        switch state {
        case .idle, .asked: owesEnd = false
        case .blocked(let attempt, let deadline):
            owesEnd = false
            create(attempt, deadline: deadline)
        case .initiating, .cancelling: break
        }
    }

    /// Gives up what can never be: a device that has opened a link itself is not connected a second time.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.5.
    mutating func peerConnected(_ peer: BluetoothAddress, identity: BluetoothAddress, at now: HostInstant) {
        guard let current, current.addresses.allSatisfy({ $0 == peer || $0 == identity }) else { return }
        giveUp(.controller(status: HCI.Status.connectionAlreadyExists.rawValue), at: now)
    }

    mutating func deadlineReached(at now: HostInstant) {
        guard let nextDeadline, nextDeadline <= now else { return }
        switch state {
        case .idle: break
        case .asked, .initiating, .blocked: giveUp(.connectTimeout, at: now)
        case .cancelling(let attempt, let because, _):
            // The attempt had ended already, or the controller takes its time.
            owesEnd = true
            end(attempt, because, at: now)
        }
    }

    /// Forgets everything.
    ///
    /// - Returns: What was to be opened, by name.
    mutating func removeAll() -> [BluetoothAddress] {
        var names: [BluetoothAddress] = []
        if let current { names.append(current.name) }
        while let attempt = waiting.popFirst() { names.append(attempt.name) }
        state = .idle
        owesEnd = false
        isHeld = false
        outputs = FIFO()
        return names
    }

    /// Goes on after ``isHeld``.
    mutating func release(at now: HostInstant) {
        isHeld = false
        beginNext(at: now)
    }

    /// The attempt whose turn it is.
    var current: Attempt? {
        switch state {
        case .idle: nil
        case .asked(let attempt, _), .initiating(let attempt, _), .cancelling(let attempt, _, _),
            .blocked(let attempt, _):
            attempt
        }
    }

    private mutating func giveUp(_ because: LinkError, at now: HostInstant) {
        switch state {
        case .idle, .cancelling: break
        case .blocked(let attempt, _): end(attempt, because, at: now)
        case .asked(let attempt, _), .initiating(let attempt, _):
            state = .cancelling(
                attempt, because: because, deadline: now.advanced(bySeconds: Self.cancelSeconds))
            outputs.append(.command(.cancel, .cancel, attempt: attempt.number))
        }
    }

    private mutating func end(_ attempt: Attempt, _ because: LinkError, at now: HostInstant) {
        state = .idle
        outputs.append(.failed(attempt.name, because))
        beginNext(at: now)
    }

    private mutating func beginNext(at now: HostInstant) {
        guard case .idle = state, !isHeld, let attempt = waiting.popFirst() else { return }
        create(attempt, deadline: now.advanced(byMilliseconds: attempt.parameters.timeoutMilliseconds))
    }

    private mutating func create(_ attempt: Attempt, deadline: HostInstant) {
        state = .asked(attempt, deadline: deadline)
        if attempt.addresses.count > 1 {
            outputs.append(.command(.clearList, .prepare, attempt: attempt.number))
            for address in attempt.addresses {
                outputs.append(.command(.addToList(address), .prepare, attempt: attempt.number))
            }
        }
        outputs.append(.command(.create(attempt), .create, attempt: attempt.number))
    }
}

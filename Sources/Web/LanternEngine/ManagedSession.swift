// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

/// A client session that the engine runs, whatever its product.
protocol RunningSession: AnyObject {
    /// Whether it wants nothing any more.
    var isFinished: Bool { get }

    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { get }

    /// Takes what has happened.
    func receive(_ input: ClientInput, at now: HostInstant)

    /// Does what is due at ``nextDeadline``.
    func deadlineReached(at now: HostInstant)

    /// The next thing that it asks of the radio; what it reports on the way goes to its owner.
    func nextAction(at now: HostInstant) -> ClientAction?
}

/// Any kit's client session, with its owner.
final class ManagedSession<Session: ClientSession & ~Copyable>: RunningSession {
    private(set) var isFinished = false
    private var session: Session
    private let handler: (Session.Event, HostInstant) -> Void

    /// Takes over a session to which nothing has happened yet.
    init(_ session: consuming Session, _ handler: @escaping (Session.Event, HostInstant) -> Void) {
        self.session = session
        self.handler = handler
    }

    var nextDeadline: HostInstant? { session.nextDeadline }

    func receive(_ input: ClientInput, at now: HostInstant) { session.receive(input, at: now) }

    func deadlineReached(at now: HostInstant) {
        if let due = session.nextDeadline, due <= now { session.deadlineReached(at: now) }
    }

    func nextAction(at now: HostInstant) -> ClientAction? {
        while let output = session.nextOutput() {
            switch output {
            case .action(let action): return action
            case .event(let event): handler(event, now)
            case .finished: isFinished = true
            }
        }
        return nil
    }

    /// Gives the session a command; what it then wants is done with its next turn.
    func update(_ body: (inout Session) -> Void) { body(&session) }
}

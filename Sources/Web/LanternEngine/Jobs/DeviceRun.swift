// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionText

/// Why a run on a device is over.
enum RunEnd {
    /// The device was not found in time.
    case notFound
    /// The device is of another kind; which characteristics it has, as far as that is known.
    case wrongDevice(having: [BluetoothUUID])
    /// The link could not be opened or used.
    case failed(DeviceLink.Reason)
    /// The link has ended.
    case linkLost

    /// What it means to a person.
    var sentence: String {
        switch self {
        case .notFound: JobText.notHeard
        case .wrongDevice: JobText.wrongDevice
        case .failed(let reason): JobText.failed(reason)
        case .linkLost: JobText.linkLost
        }
    }
}

/// A kit's client session on one device, for one piece of work: it looks for the device, and does not come back to it.
final class DeviceRun<Session: ConnectableSession & ~Copyable>: RunningSession {
    /// How long the device is looked for, in seconds.
    private static var patience: UInt64 { 10 }

    private(set) var isFinished = false
    private var session: Session
    private let handler: (Session.Event) -> Void
    private let ended: (RunEnd) -> Void
    private var searchEnd: HostInstant?
    private var reason: DeviceLink.Reason?
    private var characteristics: [BluetoothUUID] = []
    private var wasFound = false

    /// Takes over a session to which nothing has happened yet.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - now: The moment.
    ///   - handler: Gets its events.
    ///   - ended: Told when it is over, with why.
    init(
        _ session: consuming Session, at now: HostInstant, _ handler: @escaping (Session.Event) -> Void,
        ended: @escaping (RunEnd) -> Void
    ) {
        self.session = session
        self.handler = handler
        self.ended = ended
        searchEnd = now.advanced(bySeconds: Self.patience)
    }

    var nextDeadline: HostInstant? { .earliest(session.nextDeadline, searchEnd) }

    func receive(_ input: ClientInput, at now: HostInstant) { session.receive(input, at: now) }

    func deadlineReached(at now: HostInstant) {
        if let due = session.nextDeadline, due <= now { session.deadlineReached(at: now) }
        guard let end = searchEnd, end <= now else { return }
        searchEnd = nil
        if session.state == .scanning || session.state == .connecting { session.close(at: now) }
    }

    func nextAction(at now: HostInstant) -> ClientAction? {
        while let output = session.nextOutput() {
            switch output {
            case .action(let action): return action
            case .event(let event):
                note(event)
                handler(event)
            case .finished:
                isFinished = true
                ended(end)
            }
        }
        return nil
    }

    /// Gives the session a command; what it then wants is done with its next turn.
    func update(_ body: (inout Session) -> Void) { body(&session) }

    /// Ends the session.
    func close(at now: HostInstant) { session.close(at: now) }

    private func note(_ event: Session.Event) {
        if let report = Session.report(in: event) {
            reason = report.reason ?? reason
            if report.state == .discovering { (wasFound, searchEnd) = (true, nil) }
        } else if let uuids = Session.characteristics(in: event) {
            characteristics = uuids
        }
    }

    private var end: RunEnd {
        switch reason {
        case .wrongDevice?: .wrongDevice(having: characteristics)
        case let reason? where reason != .closed: .failed(reason)
        default: wasFound ? .linkLost : .notFound
        }
    }
}

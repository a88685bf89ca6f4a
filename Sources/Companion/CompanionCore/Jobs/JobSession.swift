// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionText

/// Why it is over.
enum JobSessionEnd: Hashable {
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

/// A kit's client session on one device, for one job: it looks for the device, and does not come back to it.
///
/// ```
/// looking, for so long at most ─► connecting ─► listening ─► ended, with a sentence that says why
/// ```
struct JobSession<Session: ConnectableSession & ~Copyable>: ~Copyable {
    /// What comes out of it.
    enum Output {
        case action(ClientAction)
        case event(Session.Event)
        /// The link is gone, or never came.
        case ended(JobSessionEnd)
    }

    /// How long the device is looked for, in seconds.
    private let patience: UInt64
    private var session: Session
    private var searchEnd: HostInstant?
    /// Whether the radio was there, by which it looks.
    private var hasBegun = false
    private var reason: DeviceLink.Reason?
    private var characteristics: [BluetoothUUID] = []
    private var wasFound = false
    private(set) var isOver = false

    /// Takes over a session to which nothing has happened yet, for a device that is looked for so many seconds.
    init(_ session: consuming Session, lookingFor patience: UInt64) {
        self.session = session
        self.patience = patience
    }

    var nextDeadline: HostInstant? { isOver ? nil : .earliest(session.nextDeadline, searchEnd) }

    mutating func receive(_ input: ClientInput, at now: HostInstant) {
        if case .radio(.ready) = input, !hasBegun {
            hasBegun = true
            searchEnd = now.advanced(bySeconds: patience)
        }
        session.receive(input, at: now)
    }

    mutating func deadlineReached(at now: HostInstant) {
        if let due = session.nextDeadline, due <= now { session.deadlineReached(at: now) }
        guard let end = searchEnd, end <= now else { return }
        searchEnd = nil
        if !wasFound { session.close(at: now) }
    }

    mutating func nextOutput() -> Output? {
        guard !isOver, let output = session.nextOutput() else { return nil }
        switch output {
        case .action(let action): return .action(action)
        case .event(let event):
            note(event)
            guard wasFound, let state = Session.report(in: event)?.state,
                state == .bluetoothOff || state == .unauthorized
            else { return .event(event) }
            // It does not come back to the device when the radio does.
            isOver = true
            return .ended(.linkLost)
        case .finished:
            isOver = true
            return .ended(end)
        }
    }

    /// Gives the session a command; what it then wants is among the next outputs.
    mutating func update<Value>(_ body: (inout Session) -> Value) -> Value { body(&session) }

    /// Ends the session.
    mutating func close(at now: HostInstant) { if !isOver { session.close(at: now) } }

    private mutating func note(_ event: Session.Event) {
        if let report = Session.report(in: event) {
            reason = report.reason ?? reason
            if report.state == .discovering { (wasFound, searchEnd) = (true, nil) }
        } else if let uuids = Session.characteristics(in: event) {
            characteristics = uuids
        }
    }

    private var end: JobSessionEnd {
        switch reason {
        case .wrongDevice?: .wrongDevice(having: characteristics)
        case let reason? where reason != .closed: .failed(reason)
        default: wasFound ? .linkLost : .notFound
        }
    }
}

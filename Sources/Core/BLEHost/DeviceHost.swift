// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEGATT
import BLEHCI
public import BLEWire

/// A device session on a host of its own: what runs on a chip, and what a simulated device is.
///
/// It has the shape of ``HostStack`` and moves what happens between the two.
///
/// Values wait for each link by themselves. Only a link that has fallen ``queueLimit`` values behind holds the
/// session up, and is cut off when it takes nothing for ``stallSeconds`` seconds.
public struct DeviceHost<Session: DeviceSession & ~Copyable>: ~Copyable {
    /// What the device wants sent or reported.
    public enum Output: Sendable {
        /// Octets for the controller: one whole H4 packet.
        case send([UInt8])
        /// Something for whoever watches.
        case event(Session.Event)
        /// Advertising is on the air.
        case advertising
        /// The host went off, or the controller refuses to advertise.
        case failed(HostError)
    }

    /// The session.
    public private(set) var session: Session
    private var stack: HostStack
    private var outputs = FIFO<Output>()
    private var waiting: [Waiting] = []

    /// How many values may wait for one link before the session must wait, too.
    public static var queueLimit: Int { 64 }
    /// How long the session waits for a link that takes nothing, in seconds.
    public static var stallSeconds: UInt64 { 10 }

    private struct Value {
        let handle: AttributeHandle
        let octets: [UInt8]
        let kind: GATT.ValueKind
    }

    /// Values that wait because their link has no room.
    private struct Waiting {
        let link: LinkID
        var values = FIFO<Value>()
        /// When the link has last taken one, or the first began to wait.
        var since: HostInstant

        var isFull: Bool { values.count >= queueLimit }
        var deadline: HostInstant { since.advanced(bySeconds: stallSeconds) }
    }

    /// Puts a session on a host.
    ///
    /// - Parameters:
    ///   - session: The session; it has not been started.
    ///   - maximumMTU: The largest ATT PDU that the device can receive, in octets.
    ///   - randomAddress: The random address to use; `nil` takes the public one, else makes one up.
    public init(_ session: consuming Session, maximumMTU: Int = 517, randomAddress: BluetoothAddress? = nil) {
        stack = HostStack(
            HostConfiguration(
                name: session.name, appearance: session.appearance, services: session.services,
                maximumMTU: maximumMTU, randomAddress: randomAddress))
        self.session = session
    }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        // A session that is held up cannot go on until the link takes something or is given up.
        var limit = session.nextDeadline
        if isHeldUp {
            limit = nil
            for queue in waiting where queue.isFull { limit = HostInstant.earliest(limit, queue.deadline) }
        }
        return HostInstant.earliest(stack.nextDeadline, limit)
    }

    private var isHeldUp: Bool { waiting.contains { $0.isFull } }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    /// Starts the controller, then the session.
    ///
    /// - Parameter now: The moment.
    public mutating func start(at now: HostInstant) {
        session.start(database: stack.database, at: now)
        stack.start(at: now)
        drain(at: now)
    }

    /// Takes octets from the controller.
    ///
    /// - Parameters:
    ///   - octets: H4 packets, cut in any way.
    ///   - now: The moment.
    public mutating func receive(_ octets: [UInt8], at now: HostInstant) {
        stack.receive(octets, at: now)
        drain(at: now)
    }

    /// Handles ``nextDeadline`` once it has come.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        if let deadline = stack.nextDeadline, deadline <= now { stack.deadlineReached(at: now) }
        for queue in waiting where queue.isFull && queue.deadline <= now {
            stack.disconnect(queue.link, at: now)
            waiting.removeAll { $0.link == queue.link }
        }
        if !isHeldUp, let deadline = session.nextDeadline, deadline <= now {
            session.deadlineReached(at: now)
        }
        drain(at: now)
    }

    /// Handles that the transport is gone: every link is lost, and the host is off until ``start(at:)``.
    ///
    /// - Parameter now: The moment.
    public mutating func transportClosed(at now: HostInstant) {
        stack.transportClosed(at: now)
        drain(at: now)
    }

    /// Does something with the session, for example presses its button.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - body: What to do.
    public mutating func update(at now: HostInstant, _ body: (inout Session) -> Void) {
        body(&session)
        drain(at: now)
    }

    private mutating func drain(at now: HostInstant) {
        var isMoving = true
        while isMoving {
            isMoving = false
            while let output = stack.nextOutput() {
                isMoving = true
                switch output {
                case .send(let octets): outputs.append(.send(octets))
                case .event(let event): handle(event, at: now)
                }
            }
            if sendWaiting(at: now) { isMoving = true }
            while !isHeldUp, let output = session.nextOutput() {
                isMoving = true
                perform(output, at: now)
            }
        }
    }

    private mutating func handle(_ event: HostStack.Event, at now: HostInstant) {
        switch event {
        case .ready: advertise(at: now)
        case .failed(let failure): outputs.append(.failed(failure))
        case .advertisingStarted: outputs.append(.advertising)
        case .advertisingFailed(let status):
            outputs.append(.failed(.refused(.leSetAdvertisingEnable, status)))
        case .connected(let link, .peripheral, let peer):
            session.receive(.connected(link, Peer(peer)), at: now)
        case .disconnected(let link, _):
            waiting.removeAll { $0.link == link }
            session.receive(.disconnected(link), at: now)
        case .mtuChanged(let link, let mtu): session.receive(.mtuChanged(link, mtu), at: now)
        case .subscribed(let link, let handle, let subscription):
            session.receive(.subscribed(link, handle, subscription), at: now)
        case .readRequested(let link, let handle):
            stack.answer(session.answerRead(of: handle, on: link, at: now), on: link, at: now)
        case .writeRequested(let link, let handle, let value, let answered):
            let result = session.answerWrite(of: value, to: handle, on: link, at: now)
            if answered { stack.answer(result, on: link, at: now) }
        case .stopped, .connected, .connectFailed, .advertisement, .scanFailed, .completed, .value, .stored,
            .servicesChanged, .confirmed, .writable, .channel, .parametersChanged, .phyChanged,
            .dataLengthChanged, .procedureCompleted, .channelsChosen, .malformed, .securityRequested,
            .security, .servingStopped, .addressChanged, .addressRefused:
            break
        }
    }

    private mutating func perform(_ output: DeviceOutput<Session.Event>, at now: HostInstant) {
        switch output {
        case .send(let link, let handle, let value, let kind):
            let value = Value(handle: handle, octets: value, kind: kind)
            if let index = waiting.firstIndex(where: { $0.link == link }) {
                waiting[index].values.append(value)
            } else if stack.hasRoom(link) {
                send(value, on: link, at: now)
            } else {
                waiting.append(Waiting(link: link, since: now))
                waiting[waiting.count - 1].values.append(value)
            }
        case .advertisementChanged: advertise(at: now)
        case .event(let event): outputs.append(.event(event))
        }
    }

    /// Sends values that wait, as far as their links have room.
    ///
    /// - Returns: Whether there were any.
    private mutating func sendWaiting(at now: HostInstant) -> Bool {
        var hasSent = false
        for index in waiting.indices {
            let link = waiting[index].link
            while stack.hasRoom(link), let value = waiting[index].values.popFirst() {
                send(value, on: link, at: now)
                waiting[index].since = now
                hasSent = true
            }
        }
        waiting.removeAll { $0.values.isEmpty }
        return hasSent
    }

    /// Sends a value; one that nobody wants any more is dropped.
    private mutating func send(_ value: Value, on link: LinkID, at now: HostInstant) {
        _ = stack.send(value.octets, of: value.handle, as: value.kind, on: link, at: now)
    }

    private mutating func advertise(at now: HostInstant) {
        guard stack.isReady else { return }
        let advertisement = session.advertisement
        stack.startAdvertising(
            AdvertisingParameters(data: advertisement.data, scanResponse: advertisement.scanResponse), at: now
        )
    }
}

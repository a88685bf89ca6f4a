// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEGATT
import BLEHCI
public import BLEWire

/// A device session on a host of its own: what runs on a chip, and what a simulated device is.
///
/// It has the shape of ``HostStack`` and moves what happens between the two.
public struct DeviceHost<Session: DeviceSession & ~Copyable>: ~Copyable {
    /// What the device wants sent or told.
    public enum Output: Sendable {
        /// Octets for the controller: one whole H4 packet.
        case send([UInt8])
        /// Something for whoever watches.
        case event(Session.Event)
        /// Advertising is on the air.
        case advertising
        /// The host went off, or the controller refuses to advertise.
        case failed(HostFailure)
    }

    /// The session.
    public private(set) var session: Session
    private var stack: HostStack
    private var outputs = FIFO<Output>()
    /// A value that waits because its link has no room.
    private var held: (link: LinkID, handle: AttributeHandle, value: [UInt8], kind: GATT.ValueKind)?

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
        // A session that has output held back cannot go on until the link takes it.
        held == nil
            ? HostInstant.earliest(stack.nextDeadline, session.nextDeadline) : stack.nextDeadline
    }

    /// The next thing to send or to tell.
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

    /// Takes in that ``nextDeadline`` has come.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        if let deadline = stack.nextDeadline, deadline <= now { stack.deadlineReached(at: now) }
        if held == nil, let deadline = session.nextDeadline, deadline <= now {
            session.deadlineReached(at: now)
        }
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
                case .event(let event): take(event, at: now)
                }
            }
            if sendHeld(at: now) { isMoving = true }
            while held == nil, let output = session.nextOutput() {
                isMoving = true
                take(output, at: now)
            }
        }
    }

    private mutating func take(_ event: HostStack.Event, at now: HostInstant) {
        switch event {
        case .ready: advertise(at: now)
        case .failed(let failure): outputs.append(.failed(failure))
        case .advertisingStarted: outputs.append(.advertising)
        case .advertisingFailed(let status):
            outputs.append(.failed(.refused(.leSetAdvertisingEnable, status)))
        case .connected(let link, .peripheral, let peer): session.receive(.connected(link, peer), at: now)
        case .disconnected(let link, _):
            if held?.link == link { held = nil }
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
            .confirmed, .writable, .channel, .parametersChanged, .phyChanged, .dataLengthChanged,
            .procedureCompleted, .channelsChosen:
            break
        }
    }

    private mutating func take(_ output: DeviceOutput<Session.Event>, at now: HostInstant) {
        switch output {
        case .send(let link, let handle, let value, let kind):
            held = (link, handle, value, kind)
            _ = sendHeld(at: now)
        case .advertisementChanged: advertise(at: now)
        case .event(let event): outputs.append(.event(event))
        }
    }

    /// Sends the value that waits, if its link has room; a value that nobody wants any more is dropped.
    private mutating func sendHeld(at now: HostInstant) -> Bool {
        guard let value = held, stack.hasRoom(value.link) else { return false }
        held = nil
        _ = stack.send(value.value, of: value.handle, as: value.kind, on: value.link, at: now)
        return true
    }

    private mutating func advertise(at now: HostInstant) {
        guard stack.isReady else { return }
        let advertisement = session.advertisement
        stack.startAdvertising(
            AdvertisingParameters(data: advertisement.data, scanResponse: advertisement.scanResponse), at: now
        )
    }
}

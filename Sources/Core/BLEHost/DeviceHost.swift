// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// A device session on a host of its own: what runs on a chip, and what a simulated device is.
///
/// It has the shape of ``HostStack`` and moves what happens between the two.
///
/// Values wait for each link by themselves. Only a link that has fallen ``queueLimit`` values behind holds the
/// session up, and is cut off when it takes nothing for ``stallSeconds`` seconds.
public struct DeviceHost<Session: DeviceSession & ~Copyable>: DeviceHosting, ~Copyable {
    /// What the device wants sent or reported.
    public typealias Output = DeviceHostOutput<Session.Event, HostError>

    /// The session.
    public private(set) var session: Session
    private var stack: DeviceStack
    private var outputs = FIFO<Output>()

    /// How many values may wait for one link before the session must wait, too.
    public static var queueLimit: Int { DeviceStack.queueLimit }
    /// How long the session waits for a link that takes nothing, in seconds.
    public static var stallSeconds: UInt64 { DeviceStack.stallSeconds }

    /// Puts a session on a host.
    ///
    /// - Parameters:
    ///   - session: The session; it has not been started.
    ///   - maximumMTU: The largest ATT PDU that the device can receive, in octets.
    ///   - randomAddress: The random address to use; `nil` takes the public one, else makes one up.
    public init(_ session: consuming Session, maximumMTU: Int = 517, randomAddress: BluetoothAddress? = nil) {
        stack = DeviceStack(
            HostConfiguration(
                name: session.name, appearance: session.appearance, services: session.services,
                maximumMTU: maximumMTU, randomAddress: randomAddress))
        self.session = session
    }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        // A session that is held up cannot go on until the link takes something or is given up.
        HostInstant.earliest(stack.nextDeadline, stack.stallDeadline ?? session.nextDeadline)
    }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    /// Starts the controller, then the session.
    ///
    /// - Parameter now: The moment.
    public mutating func start(at now: HostInstant) {
        session.start(handles: stack.database.valueHandles, at: now)
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
        stack.deadlineReached(at: now)
        if !stack.isHeldUp, let deadline = session.nextDeadline, deadline <= now {
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
            while let step = stack.nextStep() {
                isMoving = true
                handle(step, at: now)
            }
            if stack.sendWaiting(at: now) { isMoving = true }
            while !stack.isHeldUp, let output = session.nextOutput() {
                isMoving = true
                switch output {
                case .send(let link, let handle, let value, let kind):
                    stack.send(value, of: handle, as: kind, on: link, at: now)
                case .advertisementChanged: stack.advertise(session.advertisement, at: now)
                case .event(let event): outputs.append(.event(event))
                }
            }
        }
    }

    private mutating func handle(_ step: DeviceStack.Step, at now: HostInstant) {
        switch step {
        case .send(let octets): outputs.append(.send(octets))
        case .ready: stack.advertise(session.advertisement, at: now)
        case .advertising: outputs.append(.advertising)
        case .failed(let failure): outputs.append(.failed(failure))
        case .input(let input): session.receive(input, at: now)
        case .read(let link, let handle):
            stack.answer(session.answerRead(of: handle, on: link, at: now), on: link, at: now)
        case .write(let link, let handle, let value, let answered):
            let result = session.answerWrite(of: value, to: handle, on: link, at: now)
            if answered { stack.answer(result, on: link, at: now) }
        }
    }
}

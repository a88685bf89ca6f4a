// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What every client session needs beside its protocol: the link, the requests, the device's name, the MTU, the outputs.
///
/// The session passes each input on and then carries out ``nextStep(at:)`` until there is none. Whatever becomes of
/// the link, the steps keep this order:
///
/// ```
///  discovered ─► fits ─► (completed, value, named, …) ─► lost ─► finished
///      ▲                                                  │
///      └──────── link lost, or services changed ◄─────────┘
/// ```
///
/// Between `fits` and `lost` the session sets the device up, calls ``ready(at:)`` and speaks its protocol. After
/// `lost` nothing of the old device is left: `fits` begins anew, on another link or on the same one.
///
/// Requests are asked for one after the other, so that what is read is never older than what was written, and so that
/// at most one of them can meet services that have just changed. Each ends once: with `completed`, or with `lost`.
/// One that has no answer after ``requestSeconds`` ends the link.
///
/// A device that is being set up and has no answer for its name after ``nameSeconds``, or ends the link for it, is connected to
/// once more, whether or not links are kept, and not asked for its name again.
public struct ClientCore<Request: Sendable, Event: Sendable>: ~Copyable, Sendable {
    /// What the session has to deal with.
    public enum Step: Sendable {
        /// The link's state has changed.
        case report(DeviceLink.Report)
        /// What the device has, whether it fits or not.
        case discovered([GATT.Service])
        /// The device fits: set it up. The characteristics stand in the order of the requirements.
        case fits([GATT.Characteristic])
        /// The MTU is now this, in octets; comes once when the link is open, and when it changes.
        case mtu(Int)
        /// The name was asked for and is known as far as it can be.
        case named
        /// The device has sent a value by itself.
        case value(AttributeHandle, [UInt8])
        /// A request has ended: what was read, or nothing, or why not; `disconnected` only when there was no device
        /// to ask.
        case completed(Request, Result<[UInt8], GATTRequestError>)
        /// The device that fitted is gone, or its services have changed; what was asked and has not ended, oldest
        /// first.
        case lost([Request])
        /// The session is over: say what is left to say. Why, when that was not the user.
        case finished(DeviceLink.Reason?)
    }

    /// How many requests may wait; those beyond fail with ``GATTRequestError/queueFull``.
    public static var maximumRequests: Int { ClientLedger.maximumRequests }
    /// How long a request may take, in seconds: longer than the 30 s of ATT.
    public static var requestSeconds: UInt64 { ClientLedger.requestSeconds }
    /// How long the name of a device that is being set up may take, in seconds.
    public static var nameSeconds: UInt64 { ClientLedger.nameSeconds }

    /// A request that has not ended, or whose end the session has not been given yet.
    private struct Entry {
        let number: UInt32
        let request: Request
    }

    private var ledger: ClientLedger
    private var requests: [Entry] = []
    private var lastNumber: UInt32 = 0
    private var outputs = FIFO<ClientOutput<Event>>()
    private var hasFinished = false

    /// Makes a core that waits for the radio.
    ///
    /// - Parameter configuration: Which device to look for and how to hold on to it.
    public init(_ configuration: DeviceLink.Configuration) { ledger = ClientLedger(configuration) }

    /// The device's own name, once it was read; what a device advertises that does not answer for it.
    public var name: WireText? { ledger.name }

    /// What the device calls itself in its advertisements, as far as was heard before the link was opened.
    public var advertisedName: WireText? { ledger.advertisedName }

    /// The MTU of the link, in octets.
    public var mtu: Int { ledger.mtu }

    /// Whether a value has come on this link before anything was asked for, as a bonded device keeps what was subscribed to.
    public var hasEarlyValue: Bool { ledger.hasEarlyValue }

    /// How far the link is.
    public var state: DeviceLink.State { ledger.state }

    /// The device, while there is a link to it.
    public var peer: Peer? { ledger.peer }

    /// Whether the session is over: there will be no device any more.
    public var isOver: Bool { ledger.isOver }

    /// Whether the device fits and nothing is being asked of it.
    public var isIdle: Bool { ledger.isIdle }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? { ledger.nextDeadline }

    // MARK: Inputs

    /// Takes in something that happened; ``nextStep(at:)`` says what it means.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    public mutating func receive(_ input: ClientInput, at now: HostInstant) { ledger.receive(input, at: now) }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) { ledger.deadlineReached(at: now) }

    // MARK: The link

    /// Says that the device that fits has been set up.
    ///
    /// - Parameter now: The moment.
    public mutating func ready(at now: HostInstant) { ledger.ready(at: now) }

    /// Says that the device that fits cannot be used: closes the link and tries again later.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - now: The moment.
    public mutating func fail(_ failure: GATTRequestError, at now: HostInstant) {
        ledger.fail(failure, at: now)
    }

    /// Says that the device that fits is not the right one after all.
    ///
    /// - Parameters:
    ///   - missing: What it lacks, as far as it can be named.
    ///   - now: The moment.
    public mutating func reject(missing: [BluetoothUUID], at now: HostInstant) {
        ledger.reject(missing: missing, at: now)
    }

    /// Ends everything; the last step is `finished`.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) { ledger.close(at: now) }

    // MARK: Requests

    /// Asks the device for something, after what was asked for before.
    ///
    /// - Parameters:
    ///   - request: What the session calls it.
    ///   - action: What to do.
    ///   - isFirst: Whether it comes before everything that waits.
    public mutating func request(_ request: Request, _ action: ClientRequest, first isFirst: Bool = false) {
        lastNumber &+= 1
        requests.append(Entry(number: lastNumber, request: request))
        ledger.request(lastNumber, action, first: isFirst)
    }

    /// Asks the device for its name; ``Step/named`` follows, also from a device that has none.
    public mutating func readName() { ledger.readName() }

    /// Whether a request waits that has not been asked for yet.
    ///
    /// - Parameter isMeant: Whether it is the one that is meant.
    /// - Returns: Whether there is one.
    public func isWaiting(_ isMeant: (Request) -> Bool) -> Bool {
        for entry in requests where isMeant(entry.request) && ledger.isWaiting(entry.number) { return true }
        return false
    }

    /// Whether a request is under way.
    ///
    /// - Parameter isMeant: Whether it is the one that is meant.
    /// - Returns: Whether it is.
    public func isUnderWay(_ isMeant: (Request) -> Bool) -> Bool {
        for entry in requests where entry.number == ledger.underWay { return isMeant(entry.request) }
        return false
    }

    // MARK: Outputs

    /// Reports something to the session's user, after what was reported and done before.
    ///
    /// - Parameter event: What to report.
    public mutating func report(_ event: Event) { outputs.append(.event(event)) }

    /// The next thing that the session has to deal with; to be called until there is none, after each input and each
    /// command.
    ///
    /// - Parameter now: The moment.
    /// - Returns: The step; `nil` when there is nothing to do until the next input.
    public mutating func nextStep(at now: HostInstant) -> Step? {
        while let item = ledger.nextItem(at: now) {
            switch item {
            case .action(let action): outputs.append(.action(action))
            case .report(let report): return .report(report)
            case .discovered(let services): return .discovered(services)
            case .fits(let found): return .fits(found)
            case .mtu(let mtu): return .mtu(mtu)
            case .named: return .named
            case .value(let handle, let octets): return .value(handle, octets)
            case .completed(let number, let result):
                if let request = remove(number) { return .completed(request, result) }
            case .lost(let numbers):
                var lost: [Request] = []
                for number in numbers { if let request = remove(number) { lost.append(request) } }
                return .lost(lost)
            case .finished(let reason):
                hasFinished = true
                return .finished(reason)
            }
        }
        return nil
    }

    /// What the session's `nextOutput()` gives.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> ClientOutput<Event>? {
        if let output = outputs.popFirst() { return output }
        guard hasFinished else { return nil }
        hasFinished = false
        return .finished
    }

    private mutating func remove(_ number: UInt32) -> Request? {
        for index in requests.indices where requests[index].number == number {
            return requests.remove(at: index).request
        }
        return nil
    }
}

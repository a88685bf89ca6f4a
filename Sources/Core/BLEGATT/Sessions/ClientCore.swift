// SPDX-License-Identifier: Apache-2.0

import BLEATT
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
/// One that has no answer after ``requestTime`` ends the link.
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
        case completed(Request, Result<[UInt8], RequestFailure>)
        /// The device that fitted is gone, or its services have changed; what was asked and has not ended, oldest
        /// first.
        case lost([Request])
        /// The session is over: say what is left to say. Why, when that was not the user.
        case finished(DeviceLink.Reason?)
    }

    /// How many requests may wait; those beyond fail with ``RequestFailure/queueFull``.
    public static var maximumRequests: Int { 128 }
    /// How long a request may take, in seconds: longer than the 30 s of ATT.
    public static var requestTime: UInt64 { 40 }
    /// «Device Name» of the Generic Access service.
    private static var deviceName: BluetoothUUID { BluetoothUUID(0x2A00) }

    private enum Work {
        case name
        case own(Request)
    }

    /// A request that waits or is under way.
    private struct Entry {
        let work: Work
        let action: ClientRequest
    }

    private enum Item {
        case link(DeviceLink.Output)
        case step(Step)
    }

    private var link: DeviceLink
    private var items = FIFO<Item>()
    private var waiting: [Entry] = []
    private var current: (id: UInt32, entry: Entry, until: HostInstant)?
    private var nextID: UInt32 = 0
    private var nameHandle: AttributeHandle?
    private var outputs = FIFO<ClientOutput<Event>>()
    private var hasFinished = false

    /// The device's own name, once it was read.
    public private(set) var name: WireText?
    /// The MTU of the link, in octets.
    public private(set) var mtu = ATT.defaultMTU

    /// Makes a core that waits for the radio.
    ///
    /// - Parameter configuration: Which device to look for and how to hold on to it.
    public init(_ configuration: DeviceLink.Configuration) { link = DeviceLink(configuration) }

    /// How far the link is.
    public var state: DeviceLink.State { link.state }

    /// The device, while there is a link to it.
    public var peer: Peer? { link.peer }

    /// Whether the session is over: there will be no device any more.
    public var isOver: Bool { link.isOver }

    /// Whether the device fits and nothing is being asked of it.
    public var isIdle: Bool { link.hasFitted && waiting.isEmpty && current == nil }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? { .earliest(link.nextDeadline, current?.until) }

    // MARK: Inputs

    /// Takes in something that happened; ``nextStep(at:)`` says what it means.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    public mutating func receive(_ input: ClientInput, at now: HostInstant) {
        switch input {
        case .value(let handle, let octets, _):
            if link.hasFitted { items.append(.step(.value(handle, octets))) }
        case .completed(let id, let result): completed(id, result)
        case .mtuChanged(let mtu):
            self.mtu = mtu
            if link.peer != nil { items.append(.step(.mtu(mtu))) }
        case .connected(_, let mtu):
            let isAwaited = link.state == .connecting
            link.receive(input, at: now)
            collect()
            guard isAwaited else { return }
            self.mtu = mtu
            items.append(.step(.mtu(mtu)))
        case .discovered(let services):
            if link.state == .discovering {
                name = nil
                nameHandle = Self.nameHandle(in: services)
                items.append(.step(.discovered(services)))
            }
            link.receive(input, at: now)
            collect()
        default:
            link.receive(input, at: now)
            collect()
        }
    }

    /// Takes in that ``nextDeadline`` has come.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        if let current, current.until <= now { link.fail(.timeout, at: now) }
        link.deadlineReached(at: now)
        collect()
    }

    // MARK: The link

    /// Says that the device that fits has been set up.
    ///
    /// - Parameter now: The moment.
    public mutating func ready(at now: HostInstant) {
        link.ready(at: now)
        collect()
    }

    /// Says that the device that fits cannot be used: closes the link and tries again later.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - now: The moment.
    public mutating func fail(_ failure: RequestFailure, at now: HostInstant) {
        link.fail(failure, at: now)
        collect()
    }

    /// Says that the device that fits is not the right one after all.
    ///
    /// - Parameters:
    ///   - missing: What it lacks, as far as it can be named.
    ///   - now: The moment.
    public mutating func reject(missing: [BluetoothUUID], at now: HostInstant) {
        link.reject(missing: missing, at: now)
        collect()
    }

    /// Ends everything; the last step is `finished`.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) {
        link.close(at: now)
        collect()
    }

    // MARK: Requests

    /// Asks the device for something, after what was asked for before.
    ///
    /// - Parameters:
    ///   - request: What the session calls it.
    ///   - action: What to do.
    ///   - isFirst: Whether it comes before everything that waits.
    public mutating func request(_ request: Request, _ action: ClientRequest, first isFirst: Bool = false) {
        if !link.hasFitted {
            items.append(.step(.completed(request, .failure(.disconnected))))
        } else if waiting.count >= Self.maximumRequests {
            items.append(.step(.completed(request, .failure(.queueFull))))
        } else {
            waiting.insert(Entry(work: .own(request), action: action), at: isFirst ? 0 : waiting.count)
        }
    }

    /// Asks the device for its name; ``Step/named`` follows, also from a device that has none.
    public mutating func readName() {
        if let nameHandle, link.hasFitted {
            waiting.append(Entry(work: .name, action: .read(nameHandle)))
        } else {
            items.append(.step(.named))
        }
    }

    /// Whether a request waits that has not been asked for yet.
    ///
    /// - Parameter isMeant: Whether it is the one that is meant.
    /// - Returns: Whether there is one.
    public func isWaiting(_ isMeant: (Request) -> Bool) -> Bool {
        for entry in waiting { if case .own(let request) = entry.work, isMeant(request) { return true } }
        return false
    }

    /// Whether a request is under way.
    ///
    /// - Parameter isMeant: Whether it is the one that is meant.
    /// - Returns: Whether it is.
    public func isUnderWay(_ isMeant: (Request) -> Bool) -> Bool {
        if case .own(let request)? = current?.entry.work { isMeant(request) } else { false }
    }

    // MARK: Outputs

    /// Tells the session's user something, after what was told and done before.
    ///
    /// - Parameter event: What to tell.
    public mutating func tell(_ event: Event) { outputs.append(.event(event)) }

    /// The next thing that the session has to deal with; to be called until there is none, after each input and each
    /// command.
    ///
    /// - Parameter now: The moment.
    /// - Returns: The step; `nil` when there is nothing to do until the next input.
    public mutating func nextStep(at now: HostInstant) -> Step? {
        while let item = items.popFirst() {
            switch item {
            case .step(let step): return step
            case .link(.action(let action)): outputs.append(.action(action))
            case .link(.report(let report)): return .report(report)
            case .link(.fits(let found)): return .fits(found)
            case .link(.lost): return .lost(takeRequests())
            case .link(.finished(let reason)):
                hasFinished = true
                return .finished(reason)
            }
        }
        // Only now, so that the session can put something before what waits.
        if current == nil, link.hasFitted, !waiting.isEmpty {
            nextID &+= 1
            let entry = waiting.removeFirst()
            outputs.append(.action(.request(id: nextID, entry.action)))
            current = (nextID, entry, now.advanced(bySeconds: Self.requestTime))
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

    // MARK: Private

    private mutating func collect() {
        while let output = link.nextOutput() { items.append(.link(output)) }
    }

    private mutating func completed(_ id: UInt32, _ result: Result<[UInt8], RequestFailure>) {
        guard current?.id == id else { return }
        // The loss of the link follows, and ends it; if it should not, the request's time does.
        if case .failure(.disconnected) = result { return }
        guard let entry = takeCurrent() else { return }
        switch entry.work {
        case .own(let request): items.append(.step(.completed(request, result)))
        case .name:
            if case .success(let octets) = result { name = WireText(octets) }
            items.append(.step(.named))
        }
    }

    /// Takes the request out; inlined, the optimiser of Swift 6.3.1 leaks its octets.
    @inline(never) private mutating func takeCurrent() -> Entry? {
        let taken = current?.entry
        current = nil
        return taken
    }

    private mutating func takeRequests() -> [Request] {
        var entries = waiting
        waiting = []
        if let entry = takeCurrent() { entries.insert(entry, at: 0) }
        var requests: [Request] = []
        for entry in entries { if case .own(let request) = entry.work { requests.append(request) } }
        return requests
    }

    private static func nameHandle(in services: [GATT.Service]) -> AttributeHandle? {
        for service in services {
            for characteristic in service.characteristics where characteristic.uuid == deviceName {
                return characteristic.valueHandle
            }
        }
        return nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What is known of a link, and who listens to it: any number of consumers of everything that it brings.
///
/// The backend feeds it. Streams end with the link; waiters for its end are resumed by it or by their cancellation.
package final class LinkState: Sendable {
    private enum ValueConsumer {
        case all(ValueStream.Source)
        case one(AttributeHandle, NotificationStream.Source)
        case ordered(LinkEventStream.Source)

        var isOpen: Bool {
            switch self {
            case .all(let source): source.isOpen
            case .one(_, let source): source.isOpen
            case .ordered(let source): source.isOpen
            }
        }

        var count: Int {
            switch self {
            case .all(let source): source.count
            case .one(_, let source): source.count
            case .ordered(let source): source.count
            }
        }

        /// Puts values of a characteristic in.
        ///
        /// - Returns: Whether they wait now.
        func receive(
            _ values: inout FIFO<ReceivedValue>, of characteristic: AttributeHandle,
            _ wakeUps: inout StreamWakeUps
        ) -> Bool {
            switch self {
            case .all(let source): return source.yield(contentsOf: &values, &wakeUps)
            case .one(characteristic, let source):
                var octets = FIFO<[UInt8]>()
                while let value = values.popFirst() { octets.append(value.value) }
                return source.yield(contentsOf: &octets, &wakeUps)
            case .one: return false
            case .ordered(let source):
                var events = FIFO<LinkEvent>()
                while let value = values.popFirst() { events.append(.value(value)) }
                return source.yield(contentsOf: &events, &wakeUps)
            }
        }

        func finish(_ failure: BluetoothError?) {
            switch self {
            case .all(let source): source.finish(throwing: failure)
            case .one(_, let source): source.finish(throwing: failure)
            case .ordered(let source): source.finish(throwing: failure)
            }
        }
    }

    private struct State {
        var mtu: Int
        /// What was found, as long as it holds.
        var services: [GATT.Service]?
        /// How often services have changed.
        var serviceChangeCount = 0
        /// What is wrong with the peer and was known before anybody could listen; `nil` once somebody has.
        var early: [LinkChange]? = []
        var values: [ValueConsumer] = []
        var changes: [LinkChangeStream.Source] = []
        var serviceChanges: [ServiceChangeStream.Source] = []
    }

    /// Changes that are kept for whoever listens first.
    private static let earlyLimit = 8

    private let state: Mutex<State>
    package let ending = Ending<LinkError>()
    let subscriptions = Subscriptions()
    private let consumed: @Sendable () -> Void

    /// Knows a link that has just been opened.
    ///
    /// - Parameters:
    ///   - mtu: Its MTU, in octets.
    ///   - consumed: Called when values were taken out or given up: look at ``waitingValues``.
    package init(mtu: Int, consumed: @escaping @Sendable () -> Void = {}) {
        state = Mutex(State(mtu: mtu))
        self.consumed = consumed
    }

    package var mtu: Int { state.withLock { $0.mtu } }

    /// The services that were found on this link; `nil` when none were, or they have changed since.
    var services: [GATT.Service]? { state.withLock { $0.services } }

    /// How often services have changed, to tell whether some do while they are being found.
    var serviceChangeCount: Int { state.withLock { $0.serviceChangeCount } }

    /// Notes what was found, unless services have changed meanwhile.
    ///
    /// - Parameters:
    ///   - services: What was found.
    ///   - count: How often services had changed before.
    func remember(_ services: [GATT.Service], since count: Int) {
        state.withLock { if $0.serviceChangeCount == count { $0.services = services } }
    }

    // MARK: What the backend brings

    /// Gives values that came one after the other to everybody who wants them.
    ///
    /// - Parameters:
    ///   - values: The values, all of one characteristic; what is left of them afterwards is of no use.
    ///   - characteristic: Which.
    ///   - wakeUps: Whom to wake when everything was given out.
    /// - Returns: Whether they wait for somebody.
    package func deliver(
        _ values: inout FIFO<ReceivedValue>, of characteristic: AttributeHandle,
        _ wakeUps: inout StreamWakeUps
    ) -> Bool {
        let consumers = state.withLock { $0.values }
        guard let last = consumers.last else { return false }
        var isWaiting = false
        for consumer in consumers.dropLast() {
            var copy = values
            if consumer.receive(&copy, of: characteristic, &wakeUps) { isWaiting = true }
        }
        return last.receive(&values, of: characteristic, &wakeUps) || isWaiting
    }

    /// How many values wait for the consumer that is farthest behind.
    package var waitingValues: Int { state.withLock { $0.values }.map(\.count).max() ?? 0 }

    /// Handles a change of the link.
    package func apply(_ change: LinkChange, _ wakeUps: inout StreamWakeUps) {
        let (consumers, lines) = state.withLock { state in
            if case .mtu(let mtu) = change { state.mtu = mtu }
            switch change {
            case .malformedPDU, .mtuUnanswered:
                if let early = state.early, early.count < Self.earlyLimit { state.early?.append(change) }
            default: break
            }
            return (state.changes, state.values)
        }
        for consumer in consumers { consumer.yield(change, &wakeUps) }
        for case .ordered(let line) in lines { line.yield(.change(change), &wakeUps) }
    }

    /// Handles that services are not what they were: whoever listens to a characteristic among them does so in vain.
    package func servicesChanged(_ range: ATT.HandleRange, _ wakeUps: inout StreamWakeUps) {
        let (consumers, listeners) = state.withLock { state in
            state.services = nil
            state.serviceChangeCount += 1
            return (state.serviceChanges, state.values)
        }
        for consumer in consumers { consumer.yield(range, &wakeUps) }
        for case .ordered(let line) in listeners { line.yield(.servicesChanged(range), &wakeUps) }
        for case .one(let handle, let source) in listeners
        where range.start <= handle && handle <= range.end {
            source.finish(throwing: .servicesChanged)
        }
        subscriptions.forget(range)
    }

    /// Handles that the link is gone.
    package func end(_ failure: LinkError) {
        guard ending.end(failure) else { return }
        let before = state.withLock { state in
            defer { (state.values, state.changes, state.serviceChanges) = ([], [], []) }
            return state
        }
        for consumer in before.values {
            consumer.finish(failure == .closedByUs ? nil : .disconnected(failure))
        }
        for stream in before.changes { stream.finish() }
        for stream in before.serviceChanges { stream.finish() }
    }

    // MARK: Who listens

    func changes() -> LinkChangeStream {
        let source = LinkChangeStream.Source(.dropOldest(64))
        add {
            for change in $0.early ?? [] { source.yield(change) }
            $0.early = nil
            $0.changes.append(source)
        } orEnd: { _ in
            source.finish()
        }
        return LinkChangeStream(source)
    }

    func serviceChanges() -> ServiceChangeStream {
        let source = ServiceChangeStream.Source(.dropOldest(16))
        add {
            $0.serviceChanges.append(source)
        } orEnd: { _ in
            source.finish()
        }
        return ServiceChangeStream(source)
    }

    func allValues() -> ValueStream {
        let source = ValueStream.Source(
            consumed: { [consumed] _ in consumed() }, abandoned: { [weak self] in self?.removeClosed() })
        add(.all(source))
        return ValueStream(source)
    }

    /// Where everything is put in line.
    func events() -> LinkEventStream.Source {
        let source = LinkEventStream.Source(
            consumed: { [consumed] _ in consumed() }, abandoned: { [weak self] in self?.removeClosed() })
        add(.ordered(source))
        return source
    }

    /// The values of one characteristic.
    ///
    /// - Parameters:
    ///   - handle: Of which.
    ///   - abandoned: Called once when nobody listens any more.
    /// - Returns: Where they are put in.
    func values(
        of handle: AttributeHandle, abandoned: @escaping @Sendable () -> Void
    ) -> NotificationStream.Source {
        let source = NotificationStream.Source(
            consumed: { [consumed] _ in consumed() },
            abandoned: { [weak self] in
                self?.removeClosed()
                abandoned()
            })
        add(.one(handle, source))
        return source
    }

    private func add(_ consumer: ValueConsumer) {
        add {
            $0.values.append(consumer)
        } orEnd: {
            consumer.finish($0 == .closedByUs ? nil : .disconnected($0))
        }
    }

    /// Registers a consumer, unless the link is gone.
    private func add(_ register: (inout State) -> Void, orEnd end: (LinkError) -> Void) {
        // Looked at within the lock, so that the end is either seen here or finds the consumer.
        let failure = state.withLock { state -> LinkError? in
            state.changes.removeAll { !$0.isOpen }
            state.serviceChanges.removeAll { !$0.isOpen }
            if ending.reason == nil { register(&state) }
            return ending.reason
        }
        if let failure { end(failure) }
    }

    /// Forgets whom nobody takes values from any more, and counts what waited there as consumed.
    private func removeClosed() {
        state.withLock { state in state.values.removeAll { !$0.isOpen } }
        consumed()
    }
}

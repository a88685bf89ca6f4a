// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Two transports of this process that are connected to each other.
package enum TransportPair {
    /// Connects two loops, or a loop with itself.
    ///
    /// - Parameters:
    ///   - first: The loop of the one end.
    ///   - second: The loop of the other.
    ///   - isPacketBased: Whether what one end sends at once arrives at once.
    /// - Returns: The ends.
    package static func make(
        _ first: TransportLoop, _ second: TransportLoop, isPacketBased: Bool = false
    ) -> (any MeasuredTransport, any MeasuredTransport) {
        let ends = (PairEnd(first.core, isPacketBased), PairEnd(second.core, isPacketBased))
        ends.0.connect(to: ends.1)
        ends.1.connect(to: ends.0)
        return (PairedTransport(first, ends.0), PairedTransport(second, ends.1))
    }
}

/// The owner's hold on one end.
private final class PairedTransport: MeasuredTransport {
    let loop: TransportLoop
    private let end: PairEnd

    init(_ loop: TransportLoop, _ end: PairEnd) { (self.loop, self.end) = (loop, end) }

    deinit { end.close() }

    var isPacketBased: Bool { end.isPacketBased }
    var waitingCount: Int { end.waitingCount }
    func whenGone(_ body: @escaping @Sendable () -> Void) { end.whenGone(body) }
    func start(_ receiver: @escaping @Sendable (TransportInput) -> Void) { end.start(receiver) }
    func send(_ octets: [UInt8]) { end.send(octets) }
    func close() { end.close() }
}

/// One end; what is sent waits in it until the other end's loop takes it out.
///
/// Each end holds the other until either is closed. Unchecked: whatever is not behind the mutex is only touched on
/// the end's own loop.
private final class PairEnd: @unchecked Sendable {
    private enum State {
        case resting
        case reading((TransportInput) -> Void)
        case ended(TransportError?)
        case over
    }

    private struct Shared {
        var other: PairEnd?
        var outgoing: Outgoing
        /// Whether the other end is to be called once what waits is taken out.
        var isGoneAwaited = false
    }

    let isPacketBased: Bool
    private let core: LoopCore
    private let shared: Mutex<Shared>
    private var state = State.resting
    private var incoming = Outgoing.Writing()
    private var gone: (@Sendable () -> Void)?

    init(_ core: LoopCore, _ isPacketBased: Bool) {
        self.core = core
        self.isPacketBased = isPacketBased
        shared = Mutex(Shared(outgoing: Outgoing(isPacketBased: isPacketBased)))
    }

    func connect(to other: PairEnd) { shared.withLock { $0.other = other } }

    // MARK: From any thread

    var waitingCount: Int { shared.withLock { $0.outgoing.count } }

    func whenGone(_ body: @escaping @Sendable () -> Void) { core.execute { self.gone = body } }

    func start(_ receiver: @escaping @Sendable (TransportInput) -> Void) {
        core.execute {
            switch self.state {
            case .resting:
                self.state = .reading(receiver)
                self.pull()
            case .ended(let why):
                self.state = .over
                receiver(.ended(why))
            case .reading, .over: preconditionFailure("a transport is started once")
            }
        }
    }

    func send(_ octets: [UInt8]) {
        let other: PairEnd? = shared.withLock { $0.outgoing.add(octets) ? $0.other : nil }
        if let other { other.core.execute { other.pull() } }
    }

    func close() {
        core.execute { self.end(nil) }
        let other = shared.withLock { shared in
            let other = shared.other
            shared.other = nil
            shared.outgoing.isClosed = true
            return other
        }
        guard let other else { return }
        other.core.execute {
            other.pull(from: self)
            other.shared.withLock { $0.other = nil }
            other.end(.lost("the other side has closed it"))
        }
    }

    // MARK: On this end's loop

    private func pull() {
        if let other = shared.withLock({ $0.other }) { pull(from: other) }
    }

    /// Takes out what the other end has sent.
    ///
    /// Nothing as long as the other end takes nothing itself: it calls when it has.
    private func pull(from other: PairEnd) {
        guard case .reading(let receiver) = state else { return }
        let isHeldBack = shared.withLock { shared in
            guard shared.outgoing.count > DescriptorLink.holdBackLimit else { return false }
            shared.isGoneAwaited = true
            return true
        }
        guard !isHeldBack else { return }
        let isAwaited = other.shared.withLock { shared in
            let isAwaited = shared.isGoneAwaited || shared.outgoing.count > DescriptorLink.holdBackLimit
            shared.outgoing.move(into: &incoming)
            shared.outgoing.isScheduled = false
            shared.isGoneAwaited = false
            return isAwaited
        }
        while incoming.count > 0, case .reading = state {
            let part = incoming.next
            incoming.wrote(part.count)
            receiver(.octets(isPacketBased ? Array(incoming.octets[part]) : incoming.octets))
        }
        if isAwaited {
            other.core.execute {
                other.gone?()
                other.pull()
            }
        }
    }

    private func end(_ why: TransportError?) {
        shared.withLock { $0.outgoing.isClosed = true }
        let old = state
        gone = nil
        switch old {
        case .resting: state = .ended(why)
        case .reading(let receiver):
            state = .over
            receiver(.ended(why))
        case .ended, .over: break
        }
    }
}

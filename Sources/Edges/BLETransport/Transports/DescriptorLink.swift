// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a loop does with one descriptor.
///
/// ```
/// resting ──start──▶ reading ──▶ over          a descriptor that is at rest reports neither data nor end
///    └────end──▶ ended(why) ──start──▶ over
/// ```
///
/// Unchecked: whatever is not behind the mutex is only touched on the loop.
final class DescriptorLink: DescriptorHandler, TurnEnd, @unchecked Sendable {
    /// Octets that wait to go out from which on nothing is read.
    static let holdBackLimit = 1 << 16
    /// Octets that are read at once.
    private static let readLimit = 1 << 15
    /// Packets that are read in one turn.
    private static let packetLimit = 32
    /// Octets of the longest packet: an indicator, a header of four, and 65 535.
    private static let longestPacket = 65_540

    private enum State {
        case resting
        case reading((TransportInput) -> Void)
        case ended(TransportError?)
        case over
    }

    let isPacketBased: Bool
    private let core: LoopCore
    private let descriptor: CInt
    private let isSocket: Bool
    /// What it means that the other side is gone.
    private let hangUp: TransportError
    private let outgoing: Mutex<Outgoing>
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var writing = Outgoing.Writing()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var state = State.resting
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var watch: Watch?
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var interest: Readiness = []
    private var gone: (@Sendable () -> Void)?
    /// Whether so much has waited that ``gone`` is called once all of it is out.
    private var isGoneAwaited = false
    private var ending: (@Sendable () -> Void)?

    init(_ descriptor: CInt, _ core: LoopCore, _ isPacketBased: Bool, _ hangUp: TransportError) {
        self.descriptor = descriptor
        self.core = core
        self.hangUp = hangUp
        self.isPacketBased = isPacketBased
        isSocket = isSocketDescriptor(descriptor)
        outgoing = Mutex(Outgoing(isPacketBased: isPacketBased))
        core.execute { self.begin() }
    }

    private var isOpen: Bool {
        switch state {
        case .resting, .reading: true
        case .ended, .over: false
        }
    }

    // MARK: From any thread

    func start(_ receiver: @escaping @Sendable (TransportInput) -> Void) {
        core.execute {
            switch self.state {
            case .resting:
                self.state = .reading(receiver)
                self.updateInterest(isBlocked: self.interest.contains(.write))
            case .ended(let why):
                self.state = .over
                receiver(.ended(why))
            case .reading, .over: preconditionFailure("a transport is started once")
            }
        }
    }

    func send(_ octets: [UInt8]) {
        guard outgoing.withLock({ $0.add(octets) }) else { return }
        if core.isCurrent { core.atTurnEnd(self) } else { core.execute { self.core.atTurnEnd(self) } }
    }

    func close() {
        outgoing.withLock { $0.isClosed = true }
        // Later even on the loop: whoever closes must not be called back meanwhile.
        core.execute {
            guard self.isOpen else { return }
            // What does not leave now is lost, as is wanted.
            _ = self.write()
            self.end(nil)
        }
    }

    func whenGone(_ body: @escaping @Sendable () -> Void) { core.execute { self.gone = body } }

    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        core.execute { if self.isOpen { self.ending = body } else { body() } }
    }

    // MARK: On the loop

    var waitingCount: Int { outgoing.withLock { $0.count } + writing.count }

    private func begin() { watch = core.waiting.watch(descriptor, self) }

    func loopEnded() { if isOpen { end(nil) } }

    func ready(for readiness: Readiness) {
        if interest == [.read, .write], waitingCount > Self.holdBackLimit {
            // More was sent while nothing went out.
            updateInterest(isBlocked: true)
        } else if interest.contains(.read), !readiness.isDisjoint(with: [.read, .failed]) {
            read()
        } else if !readiness.isDisjoint(with: .failed) {
            // Held back: a write tells why, or that nobody is there.
            end(write() ?? hangUp)
        }
        if isOpen, readiness.contains(.write) { core.atTurnEnd(self) }
    }

    func endTurn() {
        if isOpen, let failure = write() { end(failure) }
    }

    private func read() {
        var left = isPacketBased ? Self.packetLimit : 1
        while left > 0, interest.contains(.read), case .reading(let receiver) = state {
            left -= 1
            var chunk: [UInt8] = []
            swap(&chunk, &core.chunk)
            chunk.removeAll(keepingCapacity: true)
            let limit = isPacketBased ? Self.longestPacket + 1 : Self.readLimit
            let result = readOctets(descriptor, into: &chunk, limit)
            if case .done(let count) = result, count > 0 {
                guard !isPacketBased || count <= Self.longestPacket else {
                    return end(.lost("it sends packets that are too long"))
                }
                receiver(.octets(chunk))
            }
            core.chunk = chunk
            switch result {
            case .done(0): return end(hangUp)
            case .done: continue
            case .mustWait: return
            case .failed(let number): return end(failure(number))
            }
        }
    }

    /// Writes what there is, as far as it goes.
    ///
    /// - Returns: Why nothing can be written any more.
    private func write() -> TransportError? {
        if writing.count == 0 {
            outgoing.withLock { $0.move(into: &writing) }
            if writing.count > Self.holdBackLimit { isGoneAwaited = true }
        }
        while writing.count > 0 {
            switch writeOctets(descriptor, writing.octets, writing.next, isSocket: isSocket) {
            case .done(let count): writing.wrote(count)
            case .mustWait:
                updateInterest(isBlocked: true)
                return nil
            case .failed(let number): return failure(number)
            }
        }
        let hasMore = outgoing.withLock { outgoing in
            outgoing.isScheduled = outgoing.count > 0
            return outgoing.isScheduled
        }
        // Nothing is read before it when it is much: the answers would come on top.
        updateInterest(isBlocked: hasMore && waitingCount > Self.holdBackLimit)
        if hasMore {
            // Sent by another thread meanwhile, or while this had to wait: for the next turn.
            core.atTurnEnd(self)
        } else if isGoneAwaited {
            isGoneAwaited = false
            gone?()
        }
        return nil
    }

    /// Watches for what is wanted now.
    private func updateInterest(isBlocked: Bool) {
        var wanted: Readiness = isBlocked ? .write : []
        if case .reading = state, !isBlocked || waitingCount <= Self.holdBackLimit { wanted.insert(.read) }
        guard wanted != interest, let watch else { return }
        interest = wanted
        core.waiting.change(watch, to: wanted)
    }

    /// Lets the descriptor go and tells whoever reads.
    private func end(_ why: TransportError?) {
        if let watch { core.waiting.unwatch(watch) }
        watch = nil
        interest = []
        closeDescriptor(descriptor)
        outgoing.withLock { $0.drop() }
        writing = Outgoing.Writing()
        let (old, ending) = (state, ending)
        (gone, self.ending) = (nil, nil)
        ending?()
        if case .reading(let receiver) = old {
            state = .over
            receiver(.ended(why))
        } else {
            state = .ended(why)
        }
    }

    private func failure(_ number: CInt) -> TransportError {
        isHangUp(number) ? hangUp : .lost(systemReason(number))
    }
}

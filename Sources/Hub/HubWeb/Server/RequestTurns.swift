// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Whose turn it is, among the connections of an event loop on which a request waits behind one that was answered.
///
/// An event loop does all that it was given, also what is added meanwhile, before it looks at its sockets again. Requests
/// that have come already can give it something to do for as long as there are any, and nobody else is heard. So one of
/// them at a time is begun, with a pause after it in which the loop has nothing left and looks.
///
/// ```
/// free ── a connection waits ──▶ taken ── answered, gone, or 20 ms over ──▶ pausing ── 1 ms ──▶ free
/// ```
final class RequestTurns {
    /// How long no turn begins after one.
    static let pause = TimeAmount.milliseconds(1)
    /// After so long the next one has its turn, answered or not: some answers take minutes.
    static let longest = TimeAmount.milliseconds(20)

    /// The turn of one connection.
    final class Turn {
        /// Begins the request that waits; `false` when there is none any more.
        fileprivate let begin: () -> Bool

        fileprivate init(_ begin: @escaping () -> Bool) { self.begin = begin }
    }

    private enum State {
        case free
        case taken(Turn, end: Scheduled<Void>)
        case pausing
    }

    private let eventLoop: any EventLoop
    private var state = State.free
    private var waiting = CircularBuffer<Turn>()

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Waits for a turn, which ends with ``end(_:)`` whatever becomes of the connection.
    ///
    /// - Parameter begin: Begins the request that waits; `false` when there is none any more.
    /// - Returns: The turn.
    func wait(_ begin: @escaping () -> Bool) -> Turn {
        let turn = Turn(begin)
        waiting.append(turn)
        // Not before who waits has what ends it.
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { this.value.next() }
        return turn
    }

    /// Ends a turn, or the waiting for it; nothing happens when it is over already.
    func end(_ turn: Turn) {
        guard case .taken(let current, let end) = state, current === turn else {
            return waiting.removeAll { $0 === turn }
        }
        end.cancel()
        state = .pausing
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: Self.pause) {
            this.value.state = .free
            this.value.next()
        }
    }

    private func next() {
        guard case .free = state, let turn = waiting.popFirst() else { return }
        let (this, bound) = (
            NIOLoopBound(self, eventLoop: eventLoop), NIOLoopBound(turn, eventLoop: eventLoop)
        )
        state = .taken(turn, end: eventLoop.scheduleTask(in: Self.longest) { this.value.end(bound.value) })
        if !turn.begin() { end(turn) }
    }
}

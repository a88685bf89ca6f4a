// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE

/// Tells the answer to a read from values that the device sends by itself, where Core Bluetooth calls back the same way for both.
///
/// A value that is not switched on is only read. Of one that is, its switch is read right after it: requests are answered in their
/// order, so the value's answer came before the switch's, as one of the values that came in between (the first of the reads that
/// wait has its turn). Most often there is just one. The last of several is taken for the answer; the others were sent. So a value may
/// be taken for another one that came in the same moment, but none is lost or doubled, and a read never gets what came before it.
///
/// Values wait here until the switch is answered, at most for a round trip, so that they keep their order.
struct ArrivingValues {
    /// Values that may wait for their consumer, and here: Core Bluetooth cannot be held up.
    static let limit = 4096

    /// A read that waits for the answer to what was asked after it.
    struct Read {
        let characteristic: ObjectIdentifier
        let waiter: Waiter<CoreBluetoothConnection.Answer>
        /// Whether it was answered with an error.
        var hasFailed = false

        init(_ characteristic: ObjectIdentifier, _ waiter: Waiter<CoreBluetoothConnection.Answer>) {
            self.characteristic = characteristic
            self.waiter = waiter
        }
    }

    /// What a value is.
    enum Arrived {
        case sent(ReceivedValue)
        case read(ReceivedValue, Waiter<CoreBluetoothConnection.Answer>)
    }

    /// In the order in which they were asked.
    var reads: [Read] = []
    /// What came since the first that may be an answer, which is the first.
    private var held: [ReceivedValue] = []

    /// Whether a value may be the answer to the read whose turn it is.
    func mayAnswer(_ characteristic: ObjectIdentifier) -> Bool {
        reads.first.map { $0.characteristic == characteristic && !$0.hasFailed } ?? false
    }

    /// Handles a value that may be the answer.
    ///
    /// - Returns: What came before, which is not.
    mutating func hold(_ value: ReceivedValue) -> [Arrived] {
        defer { held = [value] }
        return held.map { .sent($0) }
    }

    /// Handles a value that was sent.
    ///
    /// - Returns: What can be given out.
    mutating func add(_ value: ReceivedValue) -> [Arrived] {
        guard !held.isEmpty else { return [.sent(value)] }
        held.append(value)
        return held.count > Self.limit ? release() : []
    }

    /// Handles that the read whose turn it is was answered, and what was asked after it, too.
    mutating func marked() -> [Arrived] {
        guard !reads.isEmpty else { return release() }
        let read = reads.removeFirst()
        guard !read.hasFailed, let answer = held.first else { return release() }
        held.removeFirst()
        return [.read(answer, read.waiter)] + release()
    }

    /// Handles that nothing that came was an answer.
    mutating func release() -> [Arrived] {
        defer { held = [] }
        return held.map { .sent($0) }
    }

    /// Handles an error.
    ///
    /// - Returns: Whose read has failed; `nil` when it was none of these.
    mutating func failed(_ characteristic: ObjectIdentifier) -> Waiter<CoreBluetoothConnection.Answer>? {
        guard mayAnswer(characteristic) else { return nil }
        reads[0].hasFailed = true
        return reads[0].waiter
    }

    /// Forgets reads that will not be answered.
    ///
    /// - Returns: Those who wait.
    mutating func forget(
        where isGone: (ObjectIdentifier) -> Bool
    ) -> [Waiter<CoreBluetoothConnection.Answer>] {
        let gone = reads.filter { isGone($0.characteristic) }.map(\.waiter)
        reads.removeAll { isGone($0.characteristic) }
        return gone
    }
}

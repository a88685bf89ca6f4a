// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import BluetoothLE
import Synchronization

/// A channel on our own host stack.
final class HostChannel: Channel {
    private struct State {
        var ended: ChannelFailure?
        var waiters: [CheckedContinuation<ChannelFailure, Never>] = []
    }

    let description: ChannelDescription
    private let radio: HostRadio
    private let key: ChannelKey
    /// Credits bound how many SDUs wait.
    private let source = RadioStream<[UInt8]>.Source(limit: .max, overflow: .refuse)
    private let stream: ChannelStream
    private let state = Mutex(State())
    private let taken: TakenCount

    init(_ radio: HostRadio, _ key: ChannelKey, _ description: ChannelDescription) {
        self.radio = radio
        self.key = key
        self.description = description
        let taken = TakenCount()
        self.taken = taken
        stream = ChannelStream(source) { [weak radio] in
            // One report for all that are taken out until it is made.
            if taken.add() { Task { await radio?.reportConsumed(taken, key) } }
        }
    }

    func send(_ sdu: [UInt8]) async throws(BluetoothError) {
        guard sdu.count <= description.mtu else {
            throw .invalidArgument(
                "The SDU has \(sdu.count) octets; this channel takes at most \(description.mtu).")
        }
        guard try await radio.send(sdu, through: key) else { throw .channel(await closed()) }
    }

    func received() async -> ChannelStream { stream }

    func close() async {
        await radio.closeChannel(key)
        _ = await closed()
    }

    func closed() async -> ChannelFailure {
        await withCheckedContinuation { waiter in
            let ended = state.withLock { state in
                if state.ended == nil { state.waiters.append(waiter) }
                return state.ended
            }
            if let ended { waiter.resume(returning: ended) }
        }
    }

    /// Gives an SDU to the consumer.
    ///
    /// - Parameters:
    ///   - sdu: The SDU.
    ///   - wakeUps: Whom to wake when everything was given out.
    func deliver(_ sdu: [UInt8], _ wakeUps: inout StreamWakeUps) { _ = source.yield(sdu, &wakeUps) }

    /// Takes in that the channel is closed.
    func end(_ failure: ChannelFailure) {
        let waiters = state.withLock { state in
            defer { state = State(ended: failure) }
            return state.waiters
        }
        source.finish()
        for waiter in waiters { waiter.resume(returning: failure) }
    }
}

/// SDUs that were taken out, but not yet reported as consumed.
final class TakenCount: Sendable {
    private let count = Atomic<Int>(0)

    /// Counts one more.
    ///
    /// - Returns: Whether it is the first since the last report.
    func add() -> Bool { count.add(1, ordering: .relaxed).oldValue == 0 }

    /// How many were taken out since the last report.
    func take() -> Int { count.exchange(0, ordering: .relaxed) }
}

/// A PSM at which peers may open channels of our own host stack.
final class HostChannelListener: ChannelListener {
    let psm: UInt16
    private let radio: HostRadio
    private let stream: AsyncStream<any Channel>
    private let continuation: AsyncStream<any Channel>.Continuation

    init(_ radio: HostRadio, _ psm: UInt16) {
        self.radio = radio
        self.psm = psm
        (stream, continuation) = AsyncStream.makeStream()
    }

    func channels() async -> AsyncStream<any Channel> { stream }

    func stop() async { await radio.stopListening(self) }

    /// Gives a channel to the consumer.
    ///
    /// - Returns: Whether there is one.
    func deliver(_ channel: HostChannel) -> Bool {
        if case .terminated = continuation.yield(channel) { return false }
        return true
    }

    func end() { continuation.finish() }
}

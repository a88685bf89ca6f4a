// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import BluetoothLE
import Synchronization

/// A channel of our own host stack.
final class HostChannel: ChannelBackend {
    let description: ChannelDescription
    let received: SDUStream
    let ending = Ending<ChannelError>()
    private let radio: HostRadio
    private let key: ChannelKey
    /// Credits bound how many SDUs wait.
    private let source: SDUStream.Source

    init(_ radio: HostRadio, _ key: ChannelKey, _ description: ChannelDescription) {
        self.radio = radio
        self.key = key
        self.description = description
        let consumed = ConsumedCount()
        source = SDUStream.Source(
            consumed: { [weak radio] _ in
                // One report for all that are taken out until it is made.
                guard let radio, consumed.add() else { return }
                radio.loop.execute { radio.assumeIsolated { $0.reportConsumed(consumed, key) } }
            })
        received = SDUStream(source)
    }

    func send(_ sdu: [UInt8]) async throws(BluetoothError) {
        do throws(BluetoothError) {
            if case .wasSent(true) = try await radio.send(.sdu(sdu), on: .channel(key)) { return }
        } catch .disconnected {
            throw .channel(.linkLost)
        }
        throw .channel(try await ending.wait())
    }

    func close() async {
        guard ending.reason == nil else { return }
        await radio.closeChannel(key)
        _ = try? await ending.wait()  // Cancelled means not waited for.
    }

    /// Gives an SDU to the consumer.
    ///
    /// - Parameters:
    ///   - sdu: The SDU.
    ///   - wakeUps: Whom to wake when everything was given out.
    /// - Returns: Whether there is a consumer.
    func deliver(_ sdu: [UInt8], _ wakeUps: inout StreamWakeUps) -> Bool { source.yield(sdu, &wakeUps) }

    /// Handles that the channel is closed.
    func end(_ failure: ChannelError) {
        guard ending.end(failure) else { return }
        let isOrderly = failure == .closedByUs || failure == .closedByPeer
        source.finish(throwing: isOrderly ? nil : .channel(failure))
    }
}

/// SDUs that were taken out, but not yet reported as consumed.
final class ConsumedCount: Sendable {
    private let count = Atomic<Int>(0)

    /// Counts one more.
    ///
    /// - Returns: Whether it is the first since the last report.
    func add() -> Bool { count.add(1, ordering: .relaxed).oldValue == 0 }

    /// How many were taken out since the last report.
    func reset() -> Int { count.exchange(0, ordering: .relaxed) }
}

/// A PSM at which peers may open channels of our own host stack.
final class HostChannelListener: ChannelListenerBackend {
    let psm: UInt16
    let channels: ChannelStream
    private let radio: HostRadio
    private let source = ChannelStream.Source()

    init(_ radio: HostRadio, _ psm: UInt16) {
        self.radio = radio
        self.psm = psm
        channels = ChannelStream(source)
    }

    func stop() async { await radio.stop(self) }

    /// Gives a channel to the consumer.
    ///
    /// - Returns: Whether there is one with room for it.
    func deliver(_ channel: HostChannel, _ wakeUps: inout StreamWakeUps) -> Bool {
        source.count < ChannelListener.waitingLimit && source.yield(Channel(channel), &wakeUps)
    }

    func end() { source.finish() }
}

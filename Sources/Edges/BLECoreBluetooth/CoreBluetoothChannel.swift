// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

/// A channel as Core Bluetooth has it: a stream of octets each way, in which SDUs are not told apart.
///
/// Unchecked: everything but what is `nonisolated` happens on the radio's queue. Up to ``waitingLimit`` parts wait to be taken out; then
/// nothing is read, and the system lets the peer wait. Those who send wait in a line: the first is resumed when there is room, all by
/// the end of the channel, each by the cancellation of its task.
final class CoreBluetoothChannel: ChannelBackend, @unchecked Sendable {
    private static let waitingLimit = 16
    /// Octets that are read at once.
    private static let partLimit = 4096

    nonisolated let description: ChannelDescription
    nonisolated let received: SDUStream
    nonisolated let ending = Ending<ChannelError>()
    private let source: SDUStream.Source
    private let queue: QueueExecutor
    private let channel: CBL2CAPChannel
    // The streams hold it weakly.
    private var delegate: ChannelDelegate?
    private var line: [Waiter<Void>] = []
    private var room: Waiter<Int>?

    init(_ channel: CBL2CAPChannel, _ peer: Peer, _ queue: QueueExecutor) {
        self.channel = channel
        self.queue = queue
        description = ChannelDescription(psm: channel.psm, peer: peer, mtu: Int(UInt16.max))
        let consumption = Consumption()
        source = SDUStream.Source(consumed: { _ in queue.perform { consumption.channel?.take() } })
        received = SDUStream(source)
        consumption.channel = self
    }

    /// Finds the channel, which is there only after its stream.
    private final class Consumption: @unchecked Sendable {
        // Set once, before anything can be consumed.
        weak var channel: CoreBluetoothChannel?
    }

    /// Begins to take what comes.
    func open(_ surroundings: Surroundings) {
        let delegate = ChannelDelegate(self)
        self.delegate = delegate
        channel.inputStream.delegate = delegate
        channel.outputStream.delegate = delegate
        surroundings.schedule(channel, on: queue)
        channel.inputStream.open()
        channel.outputStream.open()
    }

    // MARK: What comes

    func happened(_ stream: Stream, _ event: Stream.Event) {
        switch event {
        case .hasBytesAvailable: take()
        case .hasSpaceAvailable:
            let room = room
            self.room = nil
            room?.end(.success(0))
        case .endEncountered where stream === channel.inputStream: take()
        case .errorOccurred: end(.linkLost)
        default: break
        }
    }

    private func take() {
        guard ending.reason == nil, let input = channel.inputStream else { return }
        var part = [UInt8](repeating: 0, count: Self.partLimit)
        while source.count < Self.waitingLimit, input.hasBytesAvailable {
            let count = part.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { unsafe input.read($0, maxLength: buffer.count) } ?? 0
            }
            guard count > 0 else { break }
            source.yield(Array(part.prefix(count)))
        }
        if input.streamStatus == .atEnd { end(.closedByPeer) }
    }

    // MARK: What goes

    func send(_ sdu: [UInt8]) async throws(BluetoothError) {
        let turn = Waiter<Void>()
        defer { queue.perform { self.leave(turn) } }
        try await queue.wait(for: turn) {
            self.line.append(turn)
            if self.line.first === turn { turn.end(.success(())) }
        }
        var rest = sdu[...]
        while !rest.isEmpty {
            let step = Waiter<Int>()
            let octets = Array(rest)
            let count = try await queue.wait(for: step) { self.write(octets, step) }
            rest = rest.dropFirst(count)
        }
    }

    private func write(_ octets: [UInt8], _ step: Waiter<Int>) {
        if let reason = ending.reason { return step.end(.failure(.channel(reason))) }
        guard let output = channel.outputStream, output.hasSpaceAvailable else {
            room = step
            return
        }
        let count = octets.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { unsafe output.write($0, maxLength: buffer.count) } ?? 0
        }
        if count < 0 { step.end(.failure(.channel(.linkLost))) } else { step.end(.success(count)) }
    }

    private func leave(_ turn: Waiter<Void>) {
        line.removeAll { $0 === turn }
        line.first?.end(.success(()))
    }

    // MARK: The end

    func close() async {
        queue.perform { self.end(.closedByUs) }
        _ = try? await ending.wait()
    }

    func end(_ reason: ChannelError) {
        guard ending.end(reason) else { return }
        channel.inputStream.close()
        channel.outputStream.close()
        let isOrderly = reason == .closedByUs || reason == .closedByPeer
        source.finish(throwing: isOrderly ? nil : .channel(reason))
        room?.end(.failure(.channel(reason)))
        for turn in line { turn.end(.failure(.channel(reason))) }
        (room, line, delegate) = (nil, [], nil)
    }
}

/// What the streams of a channel call, on the queue.
private final class ChannelDelegate: NSObject, StreamDelegate {
    private weak var channel: CoreBluetoothChannel?

    init(_ channel: CoreBluetoothChannel) { self.channel = channel }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) { channel?.happened(aStream, eventCode) }
}

/// A PSM at which peers may open channels.
final class CoreBluetoothListener: ChannelListenerBackend {
    let psm: UInt16
    let channels: ChannelStream
    private let radio: CoreBluetoothRadio
    private let source = ChannelStream.Source()

    init(_ radio: CoreBluetoothRadio, _ psm: UInt16) {
        self.radio = radio
        self.psm = psm
        channels = ChannelStream(source)
    }

    func stop() async { await radio.stop(self) }

    /// Gives a channel to the consumer, if there is one with room for it.
    func deliver(_ channel: CoreBluetoothChannel) {
        if source.count < ChannelListener.waitingLimit, source.yield(Channel(channel)) { return }
        channel.end(.closedByUs)
    }

    func end() { source.finish() }
}

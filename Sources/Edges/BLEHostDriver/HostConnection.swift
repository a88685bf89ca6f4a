// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Synchronization

/// A link to a peripheral on our own host stack.
final class HostConnection: Connection {
    private struct State {
        var ended: LinkFailure?
        var waiters: [CheckedContinuation<LinkFailure, Never>] = []
        var values: ValueStream.Source?
        var changes: [LinkChangeStream.Continuation] = []
        var serviceChanges: AsyncStream<ATT.HandleRange>.Continuation?
    }

    let address: BluetoothAddress
    let radio: HostRadio
    let link: LinkID
    private let state = Mutex(State())

    init(_ radio: HostRadio, _ link: LinkID, _ address: BluetoothAddress) {
        self.radio = radio
        self.link = link
        self.address = address
    }

    var mtu: Int { get async { await radio.mtu(of: link) } }

    func discover() async throws(BluetoothError) -> [GATT.Service] {
        let known = await radio.cache.services(of: address)
        guard case .found(let found) = try await radio.perform(.findServices(known: known), on: link) else {
            return []
        }
        if !found.wereKnown { await radio.cache.remember(found.memory, of: address) }
        return found.services
    }

    func serviceChanges() async -> AsyncStream<ATT.HandleRange> {
        let (stream, continuation) = AsyncStream<ATT.HandleRange>.makeStream(
            bufferingPolicy: .bufferingNewest(16))
        let (before, hasEnded) = state.withLock { state in
            defer { state.serviceChanges = continuation }
            return (state.serviceChanges, state.ended != nil)
        }
        before?.finish()
        if hasEnded { continuation.finish() }
        return stream
    }

    /// Tells the consumer, if there is one, that services have changed.
    func servicesChanged(_ range: ATT.HandleRange) { state.withLock { $0.serviceChanges }?.yield(range) }

    func read(_ handle: AttributeHandle) async throws(BluetoothError) -> [UInt8] {
        guard case .value(let value) = try await radio.perform(.read(handle), on: link) else { return [] }
        return value
    }

    func services(_ uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.Service] {
        guard case .services(let services) = try await radio.perform(.discoverServices(uuid), on: link)
        else { return [] }
        return services
    }

    func readAll(_ uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.AttributeValue] {
        guard case .values(let values) = try await radio.perform(.readAll(uuid), on: link) else { return [] }
        return values
    }

    func readMultiple(
        _ handles: [AttributeHandle]
    ) async throws(BluetoothError) -> [GATT.AttributeValue] {
        guard case .values(let values) = try await radio.perform(.readMultipleVariable(handles), on: link)
        else { return [] }
        return values
    }

    func writeReliably(_ writes: [GATT.ValueWrite]) async throws(BluetoothError) {
        _ = try await radio.perform(.writeReliably(writes), on: link)
    }

    func write(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError) {
        guard value.count <= ATT.maximumValueLength else {
            throw .tooLong(octets: value.count, limit: ATT.maximumValueLength)
        }
        _ = try await radio.perform(.write(handle, value), on: link)
    }

    func writeWithoutResponse(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError) {
        let room = await mtu - 3
        guard value.count <= room else { throw .tooLong(octets: value.count, limit: room) }
        await radio.room(on: link)
        _ = try await radio.perform(.writeWithoutResponse(handle, value), on: link)
    }

    func values() async -> ValueStream {
        let source = ValueStream.Source(limit: StreamLimit.hard, overflow: .refuse, pause: StreamLimit.soft) {
            [weak radio] in Task { await radio?.openGate() }
        }
        let (before, isEnded) = state.withLock { state in
            defer { state.values = source }
            return (state.values, state.ended != nil)
        }
        before?.finish()
        if isEnded { source.finish() }
        return ValueStream(source)
    }

    /// Whether so many values wait that no more should be read.
    var isFull: Bool { state.withLock { $0.values }?.isFull ?? false }

    /// Gives a value to the consumer, if there is one.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - wakeUps: Whom to wake when everything was given out.
    /// - Returns: Whether there was room.
    func deliver(_ value: ReceivedValue, _ wakeUps: inout StreamWakeUps) -> Bool {
        guard let values = state.withLock({ $0.values }) else { return true }
        switch values.yield(value, &wakeUps) {
        case .taken, .droppedOldest: return true
        case .refused: return false
        case .ended:
            state.withLock { if $0.values === values { $0.values = nil } }
            return true
        }
    }

    func openChannel(
        psm: UInt16, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any Channel {
        try await radio.openChannel(psm, options, on: link)
    }

    func changes() async -> LinkChangeStream {
        let (stream, continuation) = LinkChangeStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        let isOver = state.withLock { state in
            if state.ended == nil { state.changes.append(continuation) }
            return state.ended != nil
        }
        if isOver { continuation.finish() }
        return stream
    }

    /// Tells whoever follows the link's changes.
    func tell(_ change: LinkChange) {
        state.withLock { state in
            state.changes.removeAll {
                if case .terminated = $0.yield(change) { true } else { false }
            }
        }
    }

    func disconnect() async {
        await radio.disconnect(link)
        _ = await disconnected()
    }

    func disconnected() async -> LinkFailure {
        await withCheckedContinuation { waiter in
            let ended = state.withLock { state in
                if state.ended == nil { state.waiters.append(waiter) }
                return state.ended
            }
            if let ended { waiter.resume(returning: ended) }
        }
    }

    /// Takes in that the link is gone.
    func end(_ failure: LinkFailure) {
        let before = state.withLock { state in
            defer {
                state.ended = failure
                state.waiters = []
                state.changes = []
            }
            return state
        }
        before.values?.finish()
        for stream in before.changes { stream.finish() }
        before.serviceChanges?.finish()
        for waiter in before.waiters { waiter.resume(returning: failure) }
    }
}

/// How many values or events may wait in a stream of which nothing is dropped.
enum StreamLimit {
    /// From here on nothing more is read.
    static let soft = 1024
    /// From here on the link has to go.
    static let hard = 65536
}

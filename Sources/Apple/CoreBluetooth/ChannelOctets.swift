// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Synchronization

/// A channel as two streams of octets, between its tasks and an app's threads.
///
/// Up to ``limit`` octets, and one SDU more, wait to be read: then the channel's SDUs are not taken out, and the peer runs out of credits. Up to
/// ``limit`` octets wait to be sent: then the output stream has no space.
///
/// Two tasks serve it, and end with the channel. `reader` waits for room and is resumed by a read, by the app's closing and by the
/// channel's end; `writer` waits for octets and is resumed by a write and by the same two. The app's closing lets what waits go out, but
/// for 5 s at most.
final class ChannelOctets: Sendable {
    /// Octets that wait in either direction.
    static let limit = 16384
    /// How long a peer may take what is left after the app has closed.
    private static let patience = Duration.seconds(5)

    private struct State {
        var incoming: [UInt8] = []
        var outgoing: [UInt8] = []
        /// Octets that the channel has not taken yet.
        var underway = 0
        var isClosing = false
        var isOver = false
        var reader: CheckedContinuation<Void, Never>?
        var writer: CheckedContinuation<Void, Never>?
        var input: @Sendable () -> Void = {}
        var output: @Sendable () -> Void = {}
    }

    private let channel: Channel
    private let radio: Radio
    private let state = Mutex(State())

    init(_ channel: Channel, _ radio: Radio) {
        self.channel = channel
        self.radio = radio
    }

    /// Begins.
    ///
    /// - Parameters:
    ///   - input: Called when there is something to read, or nothing more will be.
    ///   - output: Called when there is room to write, or never will be again.
    func start(input: @escaping @Sendable () -> Void, output: @escaping @Sendable () -> Void) {
        state.withLock { ($0.input, $0.output) = (input, output) }
        Task(executorPreference: radio.executor) { await self.receive() }
        Task(executorPreference: radio.executor) { await self.send() }
    }

    // MARK: What the tasks do

    private func receive() async {
        do {
            for try await sdu in channel.received() {
                let input = state.withLock { state in
                    if !state.isClosing { state.incoming += sdu }
                    return state.input
                }
                input()
                await waitForRoom()
            }
        } catch {}  // The streams end, whatever has ended the channel.
        over()
    }

    private func waitForRoom() async {
        await withCheckedContinuation { waiter in
            let isThere = state.withLock { state in
                guard state.incoming.count >= Self.limit, !state.isClosing, !state.isOver else { return true }
                state.reader = waiter
                return false
            }
            if isThere { waiter.resume() }
        }
    }

    private func send() async {
        while let octets = await next() {
            do throws(BluetoothError) { try await channel.send(octets) } catch { break }
            let output = state.withLock { state in
                state.underway = 0
                return state.output
            }
            output()
        }
        await channel.close()
        over()
    }

    /// What is to be sent next; `nil` when nothing more is.
    private func next() async -> [UInt8]? {
        let most = channel.description.mtu
        while true {
            let (octets, isOver) = state.withLock { state -> ([UInt8], Bool) in
                let octets = Array(state.outgoing.prefix(most))
                state.outgoing.removeFirst(octets.count)
                state.underway = octets.count
                return (octets, state.isOver || octets.isEmpty && state.isClosing)
            }
            if isOver { return nil }
            if !octets.isEmpty { return octets }
            await withCheckedContinuation { waiter in
                let isThere = state.withLock { state in
                    guard state.outgoing.isEmpty, !state.isClosing, !state.isOver else { return true }
                    state.writer = waiter
                    return false
                }
                if isThere { waiter.resume() }
            }
        }
    }

    private func over() { wake { $0.isOver = true } }

    /// Changes how far it is, and lets everybody look.
    private func wake(_ change: (inout State) -> Void) {
        let (reader, writer, input, output) = state.withLock { state in
            change(&state)
            defer { (state.reader, state.writer) = (nil, nil) }
            return (state.reader, state.writer, state.input, state.output)
        }
        reader?.resume()
        writer?.resume()
        input()
        output()
    }

    // MARK: What the app does

    /// Ends both directions; on any thread.
    func close() {
        let isFirst = state.withLock { !$0.isClosing && !$0.isOver }
        guard isFirst else { return }
        wake {
            $0.isClosing = true
            $0.incoming = []
        }
        Task(executorPreference: radio.executor) { [channel, radio] in
            let deadline = Task(executorPreference: radio.executor) {
                // Cancelled when the channel is closed before.
                do throws(BluetoothError) { try await radio.sleep(for: Self.patience) } catch { return }
                await channel.close()
            }
            _ = try? await channel.waitUntilClosed()
            deadline.cancel()
        }
    }

    /// Whether nothing comes or goes any more, but for what is left to be read.
    var isOver: Bool { state.withLock { $0.isOver || $0.isClosing } }

    /// Octets that can be read.
    var readable: Int { state.withLock { $0.incoming.count } }

    /// Octets that can be written.
    var writable: Int {
        state.withLock {
            $0.isOver || $0.isClosing ? 0 : max(0, Self.limit - $0.outgoing.count - $0.underway)
        }
    }

    /// Takes out what came.
    func read(_ most: Int) -> [UInt8] {
        let (octets, reader) = state.withLock { state -> ([UInt8], CheckedContinuation<Void, Never>?) in
            let octets = Array(state.incoming.prefix(most))
            state.incoming.removeFirst(octets.count)
            guard state.incoming.count < Self.limit else { return (octets, nil) }
            defer { state.reader = nil }
            return (octets, state.reader)
        }
        reader?.resume()
        return octets
    }

    /// Takes what is to be sent, as far as there is room.
    ///
    /// - Returns: How many octets were taken.
    func write(_ octets: [UInt8]) -> Int {
        let (count, writer) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
            guard !state.isOver, !state.isClosing else { return (0, nil) }
            let taken = octets.prefix(max(0, Self.limit - state.outgoing.count - state.underway))
            state.outgoing += taken
            defer { state.writer = nil }
            return (taken.count, state.writer)
        }
        writer?.resume()
        return count
    }
}

/// What the two streams of an app hold together: when both are gone, the channel is closed.
final class ChannelHold: Sendable {
    let octets: ChannelOctets

    init(_ octets: ChannelOctets) { self.octets = octets }

    deinit { octets.close() }
}

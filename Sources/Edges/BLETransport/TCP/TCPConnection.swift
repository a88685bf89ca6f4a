// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Synchronization

/// Connects over TCP, as a client or as a server that takes one.
enum TCPConnection {
    /// How long connecting may take, in seconds.
    private static let limit: UInt64 = 5

    /// Connects as a client: to each address of the name until one answers, all within five seconds.
    ///
    /// - Parameters:
    ///   - host: A name or address.
    ///   - port: The port.
    ///   - loop: The loop of the transport.
    /// - Returns: The transport.
    /// - Throws: ``TransportError/cannotOpen(_:)``; also when the task is cancelled.
    static func connect(_ host: String, _ port: Int, on loop: TransportLoop) async throws(TransportError)
        -> DescriptorTransport
    {
        var endpoints = try await resolve(host, port)
        guard !endpoints.isEmpty else { throw .cannotOpen("there is no host \(host)") }
        let end = loop.now.advanced(bySeconds: limit)
        while !endpoints.isEmpty {
            // One that swallows everything leaves time for the others.
            let share = end.microseconds(since: loop.now) / UInt64(endpoints.count)
            switch connectSocket(to: endpoints.removeFirst()) {
            case .open(let descriptor): return DescriptorTransport(descriptor, on: loop)
            case .failed: continue
            case .pending(let descriptor):
                do {
                    let deadline = loop.now.advanced(byMicroseconds: share)
                    if try await loop.wait(for: descriptor, .write, until: deadline),
                        socketError(descriptor) == 0
                    {
                        return DescriptorTransport(descriptor, on: loop)
                    }
                    closeDescriptor(descriptor)
                } catch {
                    closeDescriptor(descriptor)
                    throw .cannotOpen(cancelledWords)
                }
            }
        }
        throw .cannotOpen("nothing answers at \(host):\(port)")
    }

    /// Listens until a client has come, and turns others away as long as that one is there.
    ///
    /// - Parameters:
    ///   - host: The address or name to listen at.
    ///   - port: The port; 0 takes any free one.
    ///   - loop: The loop of the transport.
    ///   - listening: Called with the port once it listens.
    /// - Returns: The transport of the client.
    /// - Throws: ``TransportError/cannotOpen(_:)``; also when the task is cancelled.
    static func accept(
        _ host: String, _ port: Int, on loop: TransportLoop, listening: (Int) -> Void = { _ in }
    ) async throws(TransportError) -> DescriptorTransport {
        let (clients, arrivals) = AsyncStream.makeStream(
            of: DescriptorTransport.self, bufferingPolicy: .bufferingOldest(1))
        let (listener, port) = try await listen(host, port, on: loop) { client, _ in arrivals.yield(client) }
        listening(port)
        var first: DescriptorTransport?
        for await client in clients {
            first = client
            break
        }
        // Those that come from now on are let go at once; the stream has nobody any more.
        arrivals.finish()
        guard let first else {
            listener.close()
            throw .cannotOpen(cancelledWords)
        }
        first.whenEnded { listener.close() }
        return first
    }

    /// Starts to listen.
    ///
    /// - Returns: What ends it, and the port.
    static func listen(
        _ host: String, _ port: Int, on loop: TransportLoop,
        _ arrived: @escaping @Sendable (DescriptorTransport, _ name: String) -> Void
    ) async throws(TransportError) -> (ListeningDescriptor, port: Int) {
        guard let endpoint = try await resolve(host, port, isToListen: true).first else {
            throw .cannotOpen("cannot listen at \(host):\(port) (there is no such address here)")
        }
        switch listeningSocket(at: endpoint) {
        case .failed(let number):
            throw .cannotOpen("cannot listen at \(host):\(port) (\(systemReason(number)))")
        case .open(let descriptor), .pending(let descriptor):
            let port = localEndpoint(descriptor).port
            let listener = ListeningDescriptor(descriptor, loop.core) { [weak loop] client, name in
                guard let loop else { return closeDescriptor(client) }
                arrived(DescriptorTransport(client, on: loop), name)
            }
            return (listener, port)
        }
    }

    /// Looks a name up, off the loop unless it is a number.
    ///
    /// A task that is cancelled goes on at once; the thread that looks the name up ends when the system lets it.
    private static func resolve(
        _ host: String, _ port: Int, isToListen: Bool = false
    ) async throws(TransportError) -> [Endpoint] {
        let numbers = Endpoint.resolve(host, port, isNumber: true, isToListen: isToListen)
        guard numbers.isEmpty else { return numbers }
        let lookup = Lookup()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                lookup.begin(waiter)
                do throws(TransportError) {
                    try startThread {
                        lookup.end(
                            .success(Endpoint.resolve(host, port, isNumber: false, isToListen: isToListen)))
                    }
                } catch {
                    lookup.end(.failure(error))
                }
            }
        } onCancel: {
            lookup.end(.failure(.cannotOpen(cancelledWords)))
        }
        return try result.get()
    }

    private static let cancelledWords = "it was cancelled"
}

/// One task that waits for a name; resumed by the answer or its cancellation, whichever comes first.
private final class Lookup: Sendable {
    typealias Answer = Result<[Endpoint], TransportError>

    private enum State {
        case idle
        case waiting(CheckedContinuation<Answer, Never>)
        case over(Answer)
    }

    private let state = Mutex(State.idle)

    func begin(_ waiter: CheckedContinuation<Answer, Never>) {
        let answer: Answer? = state.withLock { state in
            if case .over(let answer) = state { return answer }
            state = .waiting(waiter)
            return nil
        }
        if let answer { waiter.resume(returning: answer) }
    }

    /// Ends it; nothing happens when it has ended before.
    func end(_ answer: Answer) {
        let old = state.withLock { state in
            let old = state
            if case .over = old { return old }
            state = .over(answer)
            return old
        }
        if case .waiting(let waiter) = old { waiter.resume(returning: answer) }
    }
}

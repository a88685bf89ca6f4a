// SPDX-License-Identifier: Apache-2.0

/// A TCP port that takes one client after the other, each as a transport.
///
/// Clients that come while nobody asks for one wait, up to ``waitingLimit``; what they send stays with them.
public final class TCPListener: Sendable {
    /// How many clients may wait; those past it are turned away.
    public static let waitingLimit = 8

    /// The loop of its clients.
    public let loop: TransportLoop
    /// The port that it listens at.
    public let port: Int
    private let listener: ListeningDescriptor
    private let clients: AsyncStream<Client>
    private let arrivals: AsyncStream<Client>.Continuation

    /// A client that has connected.
    public struct Client: Sendable {
        /// Where it comes from, as `HOST:PORT`.
        public let name: String
        /// Octets from and to it.
        package let transport: any MeasuredTransport
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: The address or name to listen at.
    ///   - port: The port; 0 takes any free one.
    ///   - loop: The loop of the clients.
    /// - Returns: The listener.
    /// - Throws: ``TransportError/cannotOpen(_:)``.
    public static func bind(
        host: String, port: Int, on loop: TransportLoop
    ) async throws(TransportError) -> TCPListener {
        let (clients, arrivals) = AsyncStream.makeStream(
            of: Client.self, bufferingPolicy: .bufferingOldest(waitingLimit))
        // One that is not taken has no owner and is closed.
        let (listener, port) = try await TCPConnection.listen(host, port, on: loop) { transport, name in
            arrivals.yield(Client(name: name, transport: transport))
        }
        return TCPListener(listener, port, loop, clients, arrivals)
    }

    private init(
        _ listener: ListeningDescriptor, _ port: Int, _ loop: TransportLoop, _ clients: AsyncStream<Client>,
        _ arrivals: AsyncStream<Client>.Continuation
    ) {
        (self.listener, self.port, self.loop) = (listener, port, loop)
        (self.clients, self.arrivals) = (clients, arrivals)
    }

    deinit { listener.close() }

    /// Waits for the next client; one caller at a time.
    ///
    /// - Returns: The client; `nil` when the listener is closed or the task is cancelled.
    public func next() async -> Client? {
        for await client in clients { return client }
        return nil
    }

    /// Listens no more and turns away the clients that wait; the port is free then.
    public func close() async {
        await withCheckedContinuation { waiter in listener.close { waiter.resume() } }
        arrivals.finish()
        for await client in clients { client.transport.close() }
    }
}

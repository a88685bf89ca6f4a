// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// A TCP port that takes one client after the other, each as a transport.
///
/// Clients that come while nobody asks for one wait, up to ``waitingLimit``; what they send stays with them.
public final class TCPListener: Sendable {
    /// How many clients may wait; those past it are turned away.
    public static let waitingLimit = 8

    private let channel: any Channel
    private let clients: AsyncStream<Client>

    /// A client that has connected.
    public struct Client: Sendable {
        /// Where it comes from, as `HOST:PORT`.
        public let name: String
        /// Octets from and to it.
        public let transport: any OctetTransport
    }

    private init(_ channel: any Channel, _ clients: AsyncStream<Client>) {
        self.channel = channel
        self.clients = clients
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: The address or name to listen at.
    ///   - port: The port; 0 takes any free one.
    /// - Returns: The listener.
    /// - Throws: ``TransportError/cannotOpen(_:)``.
    public static func bind(host: String, port: Int) async throws(TransportError) -> TCPListener {
        let (clients, arrivals) = AsyncStream.makeStream(
            of: Client.self, bufferingPolicy: .bufferingOldest(waitingLimit))
        do {
            // One loop for all of them, so that clients come in the order in which they connected.
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let channel = try await ServerBootstrap(group: loop)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelOption(.autoRead, value: false)
                .childChannelInitializer { channel in
                    // Handed out once it is active: what is asked of a channel before that may be lost.
                    let inbox = Inbox { inbox in
                        let client = Client(
                            name: channel.remoteAddress?.endpoint ?? "somewhere",
                            transport: ChannelTransport(channel, inbox))
                        if case .enqueued = arrivals.yield(client) { return }
                        channel.close(promise: nil)
                    }
                    return channel.pipeline.addHandler(inbox)
                }
                .bind(host: host, port: port).get()
            channel.closeFuture.whenComplete { _ in arrivals.finish() }
            return TCPListener(channel, clients)
        } catch let error as IOError {
            throw .cannotOpen("cannot listen at \(host):\(port) (\(error.localizedReason))")
        } catch {
            throw .cannotOpen("cannot listen at \(host):\(port) (there is no such address here)")
        }
    }

    /// The port that it listens at.
    public var port: Int { channel.localAddress?.port ?? 0 }

    /// Waits for the next client; one caller at a time.
    ///
    /// - Returns: The client; `nil` when the listener is closed or the task is cancelled.
    public func next() async -> Client? {
        for await client in clients { return client }
        return nil
    }

    /// Listens no more and turns away the clients that wait.
    public func close() async {
        try? await channel.close()  // It may be closed already, which is what is wanted.
        for await client in clients { await client.transport.close() }
    }
}

extension SocketAddress {
    /// `HOST:PORT`, with brackets around an IPv6 address.
    fileprivate var endpoint: String? {
        guard let ipAddress, let port else { return nil }
        return ipAddress.contains(":") ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
    }
}

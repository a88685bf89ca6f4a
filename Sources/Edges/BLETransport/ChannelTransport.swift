// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Synchronization

/// Octets over a NIO channel: TCP or a serial port.
///
/// The channel reads only while somebody takes octets out, so that a slow reader slows the sender down.
final class ChannelTransport: OctetTransport {
    private let channel: any Channel
    private let inbox: Inbox
    private let loopExecutor: EventLoopExecutor
    private let outbox = Mutex(Outbox())

    init(_ channel: any Channel, _ inbox: Inbox) {
        self.channel = channel
        self.inbox = inbox
        loopExecutor = EventLoopExecutor(channel.eventLoop)
    }

    var executor: (any TaskExecutor)? { loopExecutor }

    func send(_ octets: [UInt8]) async throws(TransportError) {
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: octets))
        } catch {
            throw .lost(Self.reason(error))
        }
    }

    func post(_ octets: [UInt8]) -> Bool {
        let isFirst = outbox.withLock { $0.add(octets) }
        if channel.eventLoop.inEventLoop {
            flush()
        } else if isFirst {
            // What is posted until the loop has woken up goes along.
            channel.eventLoop.execute { self.flush() }
        }
        return true
    }

    /// Writes what was posted.
    ///
    /// The promise of a write that fails has nobody to tell: the reader notices, too.
    private func flush() {
        guard let octets = outbox.withLock({ $0.take() }) else { return }
        channel.writeAndFlush(octets, promise: nil)
    }

    nonisolated(nonsending) func receive() async throws(TransportError) -> [UInt8]? {
        let result = await withCheckedContinuation { waiter in
            if channel.eventLoop.inEventLoop {
                inbox.next(on: channel) { waiter.resume(returning: $0) }
            } else {
                channel.eventLoop.execute { [channel, inbox] in
                    inbox.next(on: channel) { waiter.resume(returning: $0) }
                }
            }
        }
        do { return try result.get() } catch { throw .lost(Self.reason(error)) }
    }

    func close() async { try? await channel.close() }  // It may be closed already, which is what is wanted.

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: error.localizedReason
        case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed: "the other side has closed it"
        default: "\(error)"
        }
    }

    /// Connects as a client.
    static func connect(host: String, port: Int) async throws -> ChannelTransport {
        let inbox = Inbox()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelOption(.autoRead, value: false)
            .connectTimeout(.seconds(5))
            .channelInitializer { $0.pipeline.addHandler(inbox) }
            .connect(host: host, port: port).get()
        return ChannelTransport(channel, inbox)
    }

    /// Waits for one client and takes no other.
    static func accept(host: String, port: Int) async throws -> ChannelTransport {
        let clients = AsyncStream<ChannelTransport>.makeStream()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                // Handed out once it is active: what is asked of a channel before that may be lost.
                let inbox = Inbox { inbox in
                    clients.continuation.yield(ChannelTransport(channel, inbox))
                    clients.continuation.finish()
                }
                return channel.pipeline.addHandler(inbox)
            }
            .bind(host: host, port: port).get()
        var client: ChannelTransport?
        for await next in clients.stream { client = next }
        try? await listener.close()  // The listener has done its work, whatever became of it.
        guard let client else { throw CancellationError() }
        return client
    }

    /// Takes over an open descriptor.
    static func adopt(_ descriptor: CInt) async throws -> ChannelTransport {
        let inbox = Inbox()
        let channel = try await NIOPipeBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .channelInitializer { $0.pipeline.addHandler(inbox) }
            .takingOwnershipOfDescriptor(inputOutput: descriptor).get()
        return ChannelTransport(channel, inbox)
    }
}

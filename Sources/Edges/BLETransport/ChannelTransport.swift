// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// Octets over a NIO channel: TCP or a serial port.
///
/// The channel reads only when somebody waits for octets, so that a slow reader slows the sender down.
final class ChannelTransport: OctetTransport {
    private let channel: any Channel
    private let inbox: Inbox

    init(_ channel: any Channel, _ inbox: Inbox) {
        self.channel = channel
        self.inbox = inbox
    }

    func send(_ octets: [UInt8]) async throws(TransportError) {
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: octets))
        } catch {
            throw .lost(Self.reason(error))
        }
    }

    func receive() async throws(TransportError) -> [UInt8]? {
        do {
            return try await channel.eventLoop.flatSubmit { [channel, inbox] in inbox.next(on: channel) }
                .get()
        } catch {
            throw .lost(Self.reason(error))
        }
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

/// Keeps what was read until somebody asks for it.
///
/// Unchecked: it is only ever touched on the event loop of its channel.
final class Inbox: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer

    private var octets: [UInt8] = []
    private var waiting: EventLoopPromise<[UInt8]?>?
    private var ended: Result<Void, any Error>?
    private let activated: @Sendable (Inbox) -> Void

    /// Starts empty.
    ///
    /// - Parameter activated: Called when the channel has become active.
    init(activated: @escaping @Sendable (Inbox) -> Void = { _ in }) { self.activated = activated }

    func channelActive(context: ChannelHandlerContext) {
        activated(self)
        context.fireChannelActive()
    }

    /// What comes next; asks the channel to read when nothing is here yet.
    func next(on channel: any Channel) -> EventLoopFuture<[UInt8]?> {
        if !octets.isEmpty {
            defer { octets = [] }
            return channel.eventLoop.makeSucceededFuture(octets)
        }
        switch ended {
        case .success: return channel.eventLoop.makeSucceededFuture(nil)
        case .failure(let error): return channel.eventLoop.makeFailedFuture(error)
        case nil: break
        }
        let promise = channel.eventLoop.makePromise(of: [UInt8]?.self)
        waiting?.succeed(nil)
        waiting = promise
        channel.read()
        return promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        octets.append(contentsOf: unwrapInboundIn(data).readableBytesView)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard let waiting, !octets.isEmpty else { return }
        self.waiting = nil
        waiting.succeed(octets)
        octets = []
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { end(.success(())) }

    private func end(_ result: Result<Void, any Error>) {
        if ended == nil { ended = result }
        guard let waiting else { return }
        self.waiting = nil
        switch result {
        case .success: waiting.succeed(octets.isEmpty ? nil : octets)
        case .failure(let error): waiting.fail(error)
        }
        octets = []
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Stands in each connection and closes it when its client has too many, sends a body too slowly, or takes nothing of
/// an answer for too long.
///
/// A client that is slow with the head of a request is left to Hummingbird, which knows of no head until it is complete.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let usage: ClientUsage
    private let connections: OpenConnections
    private var client: ClientAddress?
    private var isReadingBody = false
    private var hasAsked = false
    /// Requests that have come and are not answered to their end.
    private var unanswered = 0
    private var received = 0
    private var reading: Scheduled<Void>?
    private var writing: Scheduled<Void>?

    init(_ usage: ClientUsage, _ connections: OpenConnections) {
        self.usage = usage
        self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let client = ClientAddress(context.channel.remoteAddress)
        guard usage.open(.connection, of: client) else {
            connections.closeSilent()
            return context.close(promise: nil)
        }
        self.client = client
        connections.add(context.channel)
        RequestHeadHandler.add(to: context.pipeline)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReadingBody = true
            if !hasAsked { connections.asked(context.channel) }
            hasAsked = true
            unanswered += 1
            received = 0
            watchBody(context)
        case .body(let octets):
            received += octets.readableBytes
        case .end:
            isReadingBody = false
            reading?.cancel()
            reading = nil
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        unanswered -= 1
        guard isReadingBody else { return context.write(data, promise: promise) }
        // It was refused before it was read: what is still to come is of no use to anybody.
        writeLast(data, context, promise)
    }

    /// Says in words what is wrong with what is no request; nothing after it can be understood.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, unanswered == 0 else {
            return context.fireErrorCaught(error)
        }
        unanswered += 1
        let problem =
            error == .headerOverflow
            ? Problem(
                .requestHeaderFieldsTooLarge,
                "The address and the headers of a request have at most \(usage.limits.headers) octets and 100 headers."
            )
            : Problem(.badRequest, "This is no request that HTTP knows.")
        for part in problem.lastParts {
            guard case .end = part else {
                context.write(wrapOutboundOut(part), promise: nil)
                continue
            }
            writeLast(wrapOutboundOut(part), context, nil)
        }
        context.flush()
    }

    /// Writes the end of an answer and closes the connection, but not so soon that its client does not read it.
    private func writeLast(
        _ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        let channel = context.channel
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in
            channel.close(mode: .output, promise: nil)
            channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        }
        context.write(data, promise: written)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writing?.cancel()
        writing = nil
        if !context.channel.isWritable {
            let channel = context.channel
            writing = context.eventLoop.scheduleTask(in: TimeAmount(usage.limits.slowest)) {
                channel.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    private func watchBody(_ context: ChannelHandlerContext) {
        reading?.cancel()
        let before = received
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        reading = context.eventLoop.scheduleTask(in: TimeAmount(usage.limits.slowest)) {
            let (this, context) = (this.value, context.value)
            guard this.isReadingBody else { return }
            if this.received - before < this.usage.limits.slowestOctets, context.channel.isActive {
                context.close(promise: nil)
            } else {
                this.watchBody(context)
            }
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        reading?.cancel()
        writing?.cancel()
        guard let client else { return }
        self.client = nil
        usage.close(.connection, of: client)
        connections.remove(context.channel)
    }
}

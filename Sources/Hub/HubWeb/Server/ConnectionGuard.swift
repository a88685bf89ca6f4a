// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Stands in each connection: gives the hub one request at a time, and none while the client does not take what was
/// answered before; closes it when its client has too many, sends a body too slowly, or takes nothing of an answer for
/// too long.
///
/// A client that is slow with the head of a request is left to Hummingbird, which knows of no head until it is complete.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Between two questions to a client that has ended its side.
    private static let longestPause = TimeAmount.seconds(4)

    private enum Held {
        case part(HTTPRequestPart)
        case fault(HTTPParserError)
    }

    private let usage: ClientUsage
    private let connections: OpenConnections
    private let proxies: ProxyTrust
    /// Whether the body of a request holds a password.
    private let hasSecret: @Sendable (HTTPRequest) -> Bool
    private var client: ClientAddress?
    private var context: ChannelHandlerContext?
    private var gate: RequestGate?
    private var heads: RequestHeadHandler?
    /// What has come behind a request that is not answered yet.
    private var held: [Held] = []
    /// Whether the client has ended its side, and who comes after this was not told yet.
    private var hasEnded = false
    private var isReadingBody = false
    /// The octets that a body is to have, where that is known.
    private var length: Int?
    /// Requests that were given on and are not answered to their end.
    private var unanswered = 0
    /// Whether an answer was begun.
    private var isAnswering = false
    /// Whether the connection ends with the answer that is being written, or was.
    private var isLast = false
    private var received = 0
    /// What has come of a body with a password: who refuses a request does not read it, and it is to be in no buffer afterwards.
    private var secrets: [ByteBuffer]?
    /// Octets of answers that were not sent yet.
    private var waiting = 0
    private var turns: RequestTurns?
    /// Waited for, or taken: a request stands behind one that was answered.
    private var turn: (one: RequestTurns.Turn, isTaken: Bool)?
    private var reading: Scheduled<Void>?
    private var writing: Scheduled<Void>?
    private var asking: Scheduled<Void>?

    init(
        _ usage: ClientUsage, _ connections: OpenConnections, _ proxies: ProxyTrust,
        hasSecret: @escaping @Sendable (HTTPRequest) -> Bool
    ) {
        self.hasSecret = hasSecret
        self.usage = usage
        self.connections = connections
        self.proxies = proxies
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let channel = context.channel
        let client = ClientAddress(channel.remoteAddress)
        let isProxy = proxies.contains(channel.remoteAddress?.ipAddress.flatMap { MachineAddress($0) })
        guard isProxy || usage.open(.connection, of: client) || takePlace(of: client) else {
            return context.close(promise: nil)
        }
        guard connections.add(channel, of: client) else {
            if !isProxy { usage.close(.connection, of: client) }
            return context.close(promise: nil)
        }
        if !isProxy { self.client = client }
        turns = connections.turns(on: context.eventLoop)
        let operations = context.pipeline.syncOperations
        // What a connection holds is bounded, and so are all of them together.
        let options = channel.syncOptions
        try? options?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(
                minimum: 1024, initial: 2048, maximum: 16_384))
        try? options?.setOption(.maxMessagesPerRead, value: 1)
        try? options?.setOption(.writeBufferWaterMark, value: .init(low: 16_384, high: 32_768))
        try? operations.addHandler(AbruptClose(), position: .first)
        heads = RequestHeadHandler.add(to: context.pipeline)
        if let reader = try? operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
            let gate = RequestGate({ [weak self] in self?.appetite ?? .over }) { [weak self] in
                if let self { self.ask(after: TimeAmount(self.usage.limits.halfClosed)) }
            }
            try? operations.addHandler(gate, position: .before(reader))
            self.gate = gate
        }
    }

    /// Takes the place of a connection of the same client on which nothing happens: a stranger at the same address, which may be
    /// that of a whole network, keeps nobody out.
    private func takePlace(of client: ClientAddress) -> Bool {
        connections.makeRoom(for: client) && usage.open(.connection, of: client, inPlaceOfAnother: true)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(context)
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    // MARK: Requests

    private var appetite: RequestGate.Appetite {
        if isLast { return .over }
        guard held.isEmpty else { return .none }
        if isReadingBody { return .body(left: length.map { $0 - received }) }
        return mayBegin ? .request : .none
    }

    /// Whether another request may be given on.
    private var mayBegin: Bool {
        unanswered == 0 && waiting < usage.limits.waiting && !isLast && turn?.isTaken != false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard !isLast else {
            if case .body(let octets) = part, secrets != nil { octets.wipe() }
            return
        }
        if held.isEmpty, isNext(part) { pass(part, context) } else { held.append(.part(part)) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed, !held.isEmpty {
            hasEnded = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func isNext(_ part: HTTPRequestPart) -> Bool {
        if case .head = part { return mayBegin }
        return true
    }

    private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            isReadingBody = true
            length = head.headerFields[.contentLength].flatMap { Int($0) }
            connections.note(isBusy: true, context.channel)
            unanswered += 1
            received = 0
            secrets = hasSecret(head) ? [] : nil
            watchBody(context)
        case .body(let octets):
            received += octets.readableBytes
            if received <= usage.limits.body { secrets?.append(octets) }
        case .end:
            isReadingBody = false
            reading?.cancel()
            reading = nil
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    /// Gives on what has come behind the request that is answered now.
    private func goOn() {
        guard let context else { return }
        var isChanged = false
        loop: while let first = held.first, !isLast {
            switch first {
            case .part(let part):
                guard isNext(part) else { break loop }
                held.removeFirst()
                pass(part, context)
                isChanged = true
            case .fault(let fault):
                guard unanswered == 0 || isReadingBody else { break loop }
                held.removeFirst()
                caught(fault, context)
            }
        }
        if isLast { held = [] }
        if isChanged { context.fireChannelReadComplete() }
        if hasEnded, held.isEmpty {
            hasEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        gate?.resume()
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The end of the last answer was written; what comes after it is Hummingbird's word on the same fault.
        guard !isLast else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head:
            isAnswering = true
            context.write(data, promise: promise)
        case .body(let octets):
            let count = octets.readableBytes
            waiting += count
            let written = promise ?? context.eventLoop.makePromise()
            let this = NIOLoopBound(self, eventLoop: context.eventLoop)
            written.futureResult.whenComplete { _ in
                this.value.waiting -= count
                this.value.goOn()
            }
            context.write(data, promise: written)
        case .end:
            isAnswering = false
            unanswered -= 1
            wipeSecrets()
            if unanswered == 0 {
                connections.note(isBusy: false, context.channel)
                endTurn()
            }
            if isReadingBody {
                // It was refused before it was read: what is still to come is of no use to anybody.
                writeLast(data, context, promise)
            } else {
                context.write(data, promise: promise)
            }
            if unanswered == 0, !isLast, gate?.isHolding == true || !held.isEmpty {
                waitForTurn()
            } else {
                goOn()
            }
        }
    }

    private func wipeSecrets() {
        guard let found = secrets else { return }
        for octets in found { octets.wipe() }
        secrets = []
    }

    private func waitForTurn() {
        guard let turns else { return }
        turn = (turns.wait { [weak self] in self?.takeTurn() ?? false }, false)
    }

    /// Begins the request that stands behind the last one.
    ///
    /// - Returns: Whether it could: its end may not be there yet, or the client has to take answers first.
    private func takeTurn() -> Bool {
        turn?.isTaken = true
        goOn()
        guard unanswered == 0 else { return true }
        turn = nil
        return false
    }

    private func endTurn() {
        if let turn { turns?.end(turn.one) }
        turn = nil
    }

    /// Says in words what is wrong with what is no request; nothing after it can be understood.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        if held.isEmpty, unanswered == 0 || isReadingBody {
            caught(fault, context)
        } else {
            held.append(.fault(fault))
        }
    }

    private func caught(_ fault: HTTPParserError, _ context: ChannelHandlerContext) {
        guard !isLast else { return }
        // Whoever reads the body answers.
        guard unanswered == 0 else { return context.fireErrorCaught(fault) }
        let problem =
            fault == .headerOverflow
            ? Problem(
                .requestHeaderFieldsTooLarge,
                "The address and the headers of a request have at most \(usage.limits.headers) octets and 100 headers."
            )
            : Problem(.badRequest, "This is not an HTTP request.")
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
        isLast = true
        held = []
        let channel = context.channel
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in
            channel.close(mode: .output, promise: nil)
            channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        }
        context.write(data, promise: written)
        gate?.resume()
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

    /// Asks a client that has ended its side whether it waits for the answer, again and again until that is begun.
    ///
    /// Who waits takes any number of these words and waits on; of who has gone the system refuses them, which ends the
    /// connection. HTTP/1.0 does not know them.
    ///
    /// Spec: RFC 9110, 15.2.
    private func ask(after pause: TimeAmount) {
        guard let context else { return }
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        asking = context.eventLoop.scheduleTask(in: pause) {
            let this = this.value
            guard let context = this.context else { return }
            if this.unanswered > 0, !this.isAnswering, !this.isLast, this.heads?.isOld == false {
                let words = HTTPResponsePart.head(HTTPResponse(status: .continue))
                context.writeAndFlush(this.wrapOutboundOut(words), promise: nil)
            }
            this.ask(after: min(pause * 2, Self.longestPause))
        }
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
        asking?.cancel()
        endTurn()
        connections.remove(context.channel)
        guard let client else { return }
        self.client = nil
        usage.close(.connection, of: client)
    }
}

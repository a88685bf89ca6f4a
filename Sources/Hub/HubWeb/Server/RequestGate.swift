// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Stands before the reader of requests and gives it no more than what somebody is about to look at.
///
/// A client may send requests faster than it takes the answers to them. What it sends then stays with it: nothing is
/// read from its connection while the hub has no appetite, and what was read already waits here as octets, which are a
/// hundredth of the requests that could be made of them.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = NIOAny

    /// What the connection may be given next.
    enum Appetite {
        /// Nothing for now.
        case none
        /// The beginning of a request.
        case request
        /// A body, with so many octets left where that is known.
        case body(left: Int?)
        /// Nothing any more; what comes is dropped.
        case over
    }

    /// Octets of requests that are given on at once: enough for the head of most.
    private static let requestOctets = 512
    /// The same of a body whose parts may be of one octet each.
    private static let chunkedOctets = 2048
    /// The same of a body that comes as it is.
    private static let bodyOctets = 16_384
    /// Octets that may wait here.
    ///
    /// A client that has ended its side has all read that is on its way, wanted or not.
    private static let longest = 262_144

    private let appetite: () -> Appetite
    private let noteEnded: () -> Void
    private var context: ChannelHandlerContext?
    private var held = ByteBuffer()
    /// Whether who comes after this wants more.
    private var isAsked = false
    private var isFeeding = false
    /// Whether the client has ended its side, and nobody was told yet.
    private var hasEnded = false

    /// Makes a gate.
    init(_ appetite: @escaping () -> Appetite, noteEnded: @escaping () -> Void) {
        self.appetite = appetite
        self.noteEnded = noteEnded
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        drop()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let piece = unwrapInboundIn(data)
        if held.readableBytes == 0 {
            held = piece
        } else {
            held.writeImmutableBuffer(piece)
            // What may be a password is here now, and nowhere else.
            piece.wipe()
        }
        feed(context, isFresh: true)
        if held.readableBytes > Self.longest {
            drop()
            context.close(promise: nil)
        }
    }

    func read(context: ChannelHandlerContext) {
        isAsked = true
        feed(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        noteEnded()
        if held.readableBytes > 0 { hasEnded = true } else { context.fireUserInboundEventTriggered(event) }
    }

    /// Whether something has come that nobody has looked at.
    var isHolding: Bool { held.readableBytes > 0 }

    /// Goes on, because the appetite has changed.
    func resume() {
        if let context { feed(context) }
    }

    private func feed(_ context: ChannelHandlerContext, isFresh: Bool = false) {
        guard !isFeeding else { return }
        isFeeding = true
        defer { isFeeding = false }
        var mayGoOn = isFresh || isAsked
        while mayGoOn, let piece = nextPiece() {
            isAsked = false
            context.fireChannelRead(wrapInboundOut(piece))
            context.fireChannelReadComplete()
            // As a channel does that reads by itself.
            context.channel.read()
            mayGoOn = isAsked
        }
        guard held.readableBytes == 0 else { return }
        // Its storage is of use to others.
        held = ByteBuffer()
        if hasEnded {
            hasEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else if isAsked {
            if case .none = appetite() { return }
            isAsked = false
            context.read()
        }
    }

    /// Octets up to the end of a head, so that no second request is made of what is given on.
    private var endOfHead: Int? {
        let octets = held.readableBytesView.prefix(Self.requestOctets)
        guard let end = octets.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        return octets.distance(from: octets.startIndex, to: end)
    }

    /// Forgets what is held, which may have a password in it.
    private func drop() {
        held.wipe()
        held = ByteBuffer()
    }

    private func nextPiece() -> ByteBuffer? {
        let most: Int
        switch appetite() {
        case .none: return nil
        case .over:
            drop()
            return nil
        case .request: most = endOfHead ?? Self.requestOctets
        case .body(let left): most = left.map { max(1, min($0, Self.bodyOctets)) } ?? Self.chunkedOctets
        }
        guard held.readableBytes > 0 else { return nil }
        return held.readSlice(length: min(most, held.readableBytes))
    }
}

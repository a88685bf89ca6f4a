// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Keeps what was read until somebody asks for it.
///
/// The channel is asked to read when somebody waits, and once more when what came was handed over at once: a
/// consumer that keeps up costs no change of what the selector looks at. So one read at most is done ahead.
///
/// Unchecked: it is only ever touched on the event loop of its channel.
final class Inbox: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    /// Octets or the end, or why there are none.
    typealias Piece = Result<[UInt8]?, any Error>

    private var octets: [UInt8] = []
    private var waiting: ((Piece) -> Void)?
    private var ended: Result<Void, any Error>?
    /// Whether a read waits until the channel takes octets again.
    private var isHeldBack = false
    private let activated: @Sendable (Inbox) -> Void

    /// Starts empty.
    ///
    /// - Parameter activated: Called when the channel has become active.
    init(activated: @escaping @Sendable (Inbox) -> Void = { _ in }) { self.activated = activated }

    func channelActive(context: ChannelHandlerContext) {
        activated(self)
        context.fireChannelActive()
    }

    /// Hands over what comes next; asks the channel to read when nothing is here yet.
    func next(on channel: any Channel, _ waiter: @escaping (Piece) -> Void) {
        if !octets.isEmpty {
            waiter(.success(take()))
            return
        }
        switch ended {
        case .success: waiter(.success(nil))
        case .failure(let error): waiter(.failure(error))
        case nil:
            waiting?(.success(nil))
            waiting = waiter
            read(channel)
        }
    }

    /// Reads, or does so later: a peer that takes nothing is not listened to, so that no answers pile up.
    private func read(_ channel: any Channel) {
        isHeldBack = !channel.isWritable
        if !isHeldBack { channel.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isHeldBack { read(context.channel) }
        context.fireChannelWritabilityChanged()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        octets.append(contentsOf: unwrapInboundIn(data).readableBytesView)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard let waiting, !octets.isEmpty else { return }
        self.waiting = nil
        waiting(.success(take()))
        read(context.channel)
    }

    private func take() -> [UInt8] {
        defer { octets = [] }
        return octets
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
        case .success: waiting(.success(octets.isEmpty ? nil : take()))
        case .failure(let error): waiting(.failure(error))
        }
        octets = []
    }
}

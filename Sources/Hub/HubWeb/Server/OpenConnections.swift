// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The connections that are open, and who has to go when there are too many.
///
/// Of the connections of one client, when it has as many as one may have, the one goes that has been between two requests for longest.
///
/// | all places are taken, and a client comes | what becomes of it |
/// |---|---|
/// | somebody who is not signed in is between two requests | who has been so longest goes |
/// | all are busy | it gets a place of the reserve, on which only those are answered who are signed in |
/// | the reserve is full, somebody who is not signed in has been busy for a while | who has been so longest goes |
/// | the same, and nobody for that long | who is outside the reserve, and not signed in, and has been busy longest goes |
/// | all are signed in, one is between two requests | who has been so longest goes |
/// | all are signed in and busy | it is refused |
final class OpenConnections: Sendable {
    /// How long somebody may at least be busy, whoever else comes.
    static let patience = TimeAmount.seconds(2)

    private struct Connection {
        let channel: any Channel
        let client: ClientAddress
        let isReserved: Bool
        /// Since when it is busy, or between two requests.
        var since = NIODeadline.now()
        var isBusy = false
        var isSignedIn = false
        /// Ends what is worked on for its client.
        var cancel: (@Sendable () -> Void)?
    }

    private let limits: ClientLimits
    private let channels = Mutex<[ObjectIdentifier: Connection]>([:])
    private let turns = Mutex<[ObjectIdentifier: NIOLoopBound<RequestTurns>]>([:])

    init(_ limits: ClientLimits) { self.limits = limits }

    /// How many there are.
    var count: Int { channels.withLock { $0.count } }

    /// Gives a connection a place, if need be that of another one.
    ///
    /// - Returns: Whether there was one.
    func add(_ channel: any Channel, of client: ClientAddress) -> Bool {
        let (isIn, leaving) = channels.withLock { open -> (Bool, Connection?) in
            var victim: ObjectIdentifier?
            var isReserved = false
            if open.count >= limits.connections {
                victim = Self.longest(open) { !$0.isBusy && !$0.isSignedIn }
                if victim == nil {
                    isReserved = true
                    if open.count >= limits.connections + limits.reserve {
                        let latest = NIODeadline.now() - Self.patience
                        victim =
                            Self.longest(open) { !$0.isSignedIn && $0.since < latest }
                            ?? Self.longest(open) { !$0.isSignedIn && !$0.isReserved }
                            ?? Self.longest(open) { !$0.isBusy }
                        guard victim != nil else { return (false, nil) }
                    }
                }
            }
            let leaving = victim.flatMap { open.removeValue(forKey: $0) }
            open[ObjectIdentifier(channel)] = Connection(
                channel: channel, client: client, isReserved: isReserved)
            return (true, leaving)
        }
        if let leaving { Self.end(leaving) }
        return isIn
    }

    /// Ends the connection of a client that has been between two requests for longest, of those on which nobody is signed in.
    ///
    /// - Returns: Whether there was one.
    func makeRoom(for client: ClientAddress) -> Bool {
        let leaving = channels.withLock { open in
            Self.longest(open) { $0.client == client && !$0.isBusy && !$0.isSignedIn }
                .flatMap { open.removeValue(forKey: $0) }
        }
        if let leaving { Self.end(leaving) }
        return leaving != nil
    }

    private static func end(_ leaving: Connection) {
        leaving.cancel?()
        end(leaving.channel)
    }

    private static func longest(
        _ open: [ObjectIdentifier: Connection], _ fits: (Connection) -> Bool
    ) -> ObjectIdentifier? {
        open.filter { fits($0.value) }.min { $0.value.since < $1.value.since }?.key
    }

    /// Notes that a request has come, or that the last one is answered.
    func note(isBusy: Bool, _ channel: any Channel) {
        channels.withLock { open in
            guard var connection = open[ObjectIdentifier(channel)] else { return }
            connection.isBusy = isBusy
            connection.since = .now()
            open[ObjectIdentifier(channel)] = connection
        }
    }

    /// Notes that who has sent a request is signed in.
    func noteSignedIn(_ channel: any Channel) {
        channels.withLock { $0[ObjectIdentifier(channel)]?.isSignedIn = true }
    }

    /// Works for the client of a connection; the work is cancelled when the connection ends or loses its place.
    ///
    /// A client that ends only its side still waits for an answer: ``ConnectionGuard`` asks whether it is there.
    func working<Value: Sendable>(
        for channel: any Channel, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await work() }
        let isThere = channels.withLock { open in
            guard open[ObjectIdentifier(channel)] != nil else { return false }
            open[ObjectIdentifier(channel)]?.cancel = { task.cancel() }
            return true
        }
        if !isThere { task.cancel() }
        defer { channels.withLock { $0[ObjectIdentifier(channel)]?.cancel = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Whether a connection has a place on which everybody is answered.
    func isForEverybody(_ channel: any Channel) -> Bool {
        channels.withLock { open in
            open[ObjectIdentifier(channel)]?.isReserved != true || open.count <= limits.connections
        }
    }

    func remove(_ channel: any Channel) {
        let gone = channels.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
        gone?.cancel?()
    }

    /// The turns of an event loop's connections, for who is on it.
    func turns(on eventLoop: any EventLoop) -> RequestTurns {
        turns.withLock { all in
            if let known = all[ObjectIdentifier(eventLoop)] { return known }
            let new = NIOLoopBound(RequestTurns(eventLoop), eventLoop: eventLoop)
            all[ObjectIdentifier(eventLoop)] = new
            return new
        }.value
    }

    /// Closes all, whatever they are at.
    func closeAll() {
        for channel in channels.withLock({ $0.values.map(\.channel) }) { channel.close(promise: nil) }
    }

    /// Closes a connection at once: with TLS its client would have some seconds to agree.
    private static func end(_ channel: any Channel) {
        channel.eventLoop.execute {
            if let first = try? channel.pipeline.syncOperations.handler(type: AbruptClose.self) {
                first.close()
            } else {
                channel.close(promise: nil)
            }
        }
    }
}

/// Stands before everything else of a connection, also before TLS, to close it without a word.
final class AbruptClose: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func close() { context?.close(promise: nil) }
}

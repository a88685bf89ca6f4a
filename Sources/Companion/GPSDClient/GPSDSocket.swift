// SPDX-License-Identifier: Apache-2.0

public import Detections
public import Locating
import NIOCore
import NIOPosix
import Synchronization

/// Where a gpsd listens, over TCP.
public struct GPSDSocket: GPSDConnection {
    /// How long gpsd may take to accept a connection.
    private static let patience = TimeAmount.seconds(5)

    private let host: String
    private let port: Int

    /// Names a gpsd; nothing is connected to yet.
    public init(host: String = "127.0.0.1", port: Int = 2947) {
        self.host = host
        self.port = port
    }

    /// Connects and listens until the connection ends or the task is cancelled.
    ///
    /// - Parameters:
    ///   - receive: Gets what the session puts out; sending is done here.
    ///   - clock: Milliseconds of a clock that nobody sets.
    /// - Returns: Why it has ended, as a phrase.
    /// - Throws: What `receive` throws.
    public func run(
        _ receive: @escaping @Sendable (GPSDSession.Output) throws -> Void,
        clock: @escaping @Sendable () -> UInt64
    ) async throws -> String {
        let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
        do {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(Self.patience)
                .connect(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            return "it cannot be connected to"
        }
        let conversation = GPSDConversation(receive, clock: clock)
        do {
            try await channel.executeThenClose { inbound, outbound in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await buffer in inbound {
                            try await conversation.take(buffer, answers: outbound)
                        }
                    }
                    group.addTask { try await conversation.watch(answers: outbound) }
                    // Whichever ends first ends the other: octets that end, silence, or what cannot be used.
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        } catch let failure as GPSDSession.Failure {
            return failure == .notGPSD ? "what listens there is not gpsd" : "it does not answer any more"
        } catch let refused as GPSDConversation.Refusal {
            throw refused.error
        } catch {
            // Whatever the network says, all of it means this.
        }
        return "it has ended the connection"
    }
}

/// A session with the two who use it: what comes, and time.
private final class GPSDConversation: Sendable {
    /// What the receiver of outputs has thrown.
    struct Refusal: Error {
        let error: any Error
    }

    private let session: Mutex<GPSDSession>
    private let receive: @Sendable (GPSDSession.Output) throws -> Void
    private let clock: @Sendable () -> UInt64

    init(
        _ receive: @escaping @Sendable (GPSDSession.Output) throws -> Void,
        clock: @escaping @Sendable () -> UInt64
    ) {
        session = Mutex(GPSDSession(at: clock()))
        self.receive = receive
        self.clock = clock
    }

    func take(_ buffer: ByteBuffer, answers: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws {
        let now = clock()
        try await handle(session.withLock { $0.receive(buffer.readableBytesView, at: now) }, answers)
    }

    /// Wakes the session when it wants to be.
    func watch(answers: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws {
        while let deadline = session.withLock({ $0.deadline }) {
            let now = clock()
            if deadline > now { try await Task.sleep(for: .milliseconds(deadline - now)) }
            let then = clock()
            try await handle(session.withLock { $0.tick(at: then) }, answers)
        }
    }

    private func handle(
        _ outputs: [GPSDSession.Output], _ answers: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        for output in outputs {
            switch output {
            case .send(let octets): try await answers.write(ByteBuffer(bytes: octets))
            case .failed(let failure): throw failure
            case .fix, .untimedFix, .state:
                do { try receive(output) } catch { throw Refusal(error: error) }
            }
        }
    }
}

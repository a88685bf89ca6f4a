// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion

/// An event of a channel.
package enum ChannelReport: Sendable {
    /// It is open.
    case opened(ChannelOpened)
    /// An SDU was received.
    case received(ChannelReceived)
    /// It is closed.
    case closed(ChannelClosed)
}

/// Carries SDUs between a channel and the functions that send and receive them.
package struct ChannelPipe: Sendable {
    /// What a pipe sends.
    package enum Source: Sendable {
        /// SDUs of a function, which gets the size of the largest that the peer accepts; `nil` is the end.
        case input(next: @Sendable (_ limit: Int) async throws -> [UInt8]?, closesAtEnd: Bool)
        /// What the channel brings.
        case echo
    }

    private let source: Source
    /// How many SDUs may still come, over all channels.
    package let quota: Quota
    private let show: @Sendable (ChannelReport) throws -> Void

    /// Makes a pipe.
    ///
    /// - Parameters:
    ///   - source: What it sends.
    ///   - quota: How many SDUs may come, over all channels.
    ///   - show: Called with what happens; what it throws ends the pipe.
    package init(
        _ source: Source, quota: Quota, _ show: @escaping @Sendable (ChannelReport) throws -> Void
    ) {
        self.source = source
        self.quota = quota
        self.show = show
    }

    /// Carries until the channel is closed, the quota is used up or the task is cancelled; closes the channel.
    package func run(_ channel: Channel) async throws {
        try show(.opened(ChannelOpened(channel.description)))
        let received = try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask { try await receive(from: channel) }
            if case .input(let next, let closesAtEnd) = source {
                group.addTask {
                    try await send(next, to: channel, closesAtEnd: closesAtEnd)
                    return nil
                }
            }
            while let ended = try await group.next() {
                guard let received = ended else { continue }
                group.cancelAll()
                return received
            }
            return 0
        }
        await withoutCancellation { await channel.close() }
        let failure = channel.closeReason ?? .closedByUs
        try show(.closed(ChannelClosed(channel.description, failure, received: received)))
        switch failure {
        case .closedByUs, .closedByPeer: break
        default: if !Task.isCancelled { throw BluetoothError.channel(failure) }
        }
    }

    /// How many SDUs have come.
    private func receive(from channel: Channel) async throws -> Int {
        var received = 0
        do {
            for try await sdu in channel.received() {
                guard quota.consume() else { break }
                received += 1
                let description = channel.description
                try show(
                    .received(
                        ChannelReceived(description.peer, identifier: description.localCID, octets: sdu)))
                if case .echo = source, !(await Self.send(sdu, to: channel)) { break }
                if quota.isUsedUp { break }
            }
        } catch is BluetoothError {
            // The channel knows why it is closed.
        }
        return received
    }

    private func send(
        _ next: @Sendable (Int) async throws -> [UInt8]?, to channel: Channel, closesAtEnd: Bool
    ) async throws {
        while let sdu = try await next(channel.description.mtu) {
            guard await Self.send(sdu, to: channel) else { return }
        }
        if closesAtEnd, !Task.isCancelled { await channel.close() }
    }

    /// Sends an echo, cut to what the peer takes, or what comes in.
    ///
    /// - Returns: Whether it was accepted; not when the channel is closed, which is reported elsewhere.
    private static func send(_ sdu: [UInt8], to channel: Channel) async -> Bool {
        do throws(BluetoothError) {
            try await channel.send(Array(sdu.prefix(channel.description.mtu)))
            return true
        } catch {
            return false
        }
    }
}

extension ChannelOpened {
    /// Makes the event of an open channel.
    package init(_ channel: ChannelDescription) {
        self.init(
            channel.peer, psm: channel.psm, identifiers: (channel.localCID, channel.remoteCID),
            limits: (channel.mtu, channel.mps))
    }
}

extension ChannelClosed {
    /// Makes the event of a closed channel.
    package init(_ channel: ChannelDescription, _ failure: ChannelError, received: Int) {
        let reason: Reason =
            switch failure {
            case .closedByUs: .closedByUs
            case .closedByPeer: .closedByPeer
            case .notOffered: .notOffered
            case .noResources: .noResources
            case .insufficientSecurity: .insufficientSecurity
            case .refused: .refused
            case .unsupported: .unsupported
            case .timeout: .timeout
            case .protocolViolation: .protocolViolation
            case .linkLost: .linkLost
            }
        self.init(
            channel.peer, identifier: channel.localCID, reason: reason, sentence: failure.description,
            received: received)
    }
}

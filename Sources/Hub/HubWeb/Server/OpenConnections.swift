// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The connections that are open, to close them when the server has to stop.
final class OpenConnections: Sendable {
    /// How long one may be silent when there are too many.
    static let patience = TimeAmount.seconds(2)

    private struct Connection {
        let channel: any Channel
        let opened = NIODeadline.now()
        var hasAsked = false
    }

    private let channels = Mutex<[ObjectIdentifier: Connection]>([:])

    func add(_ channel: any Channel) {
        channels.withLock { $0[ObjectIdentifier(channel)] = Connection(channel: channel) }
    }

    /// Notes that a request has come.
    func asked(_ channel: any Channel) {
        channels.withLock { $0[ObjectIdentifier(channel)]?.hasAsked = true }
    }

    /// Makes room: closes those that were opened a while ago and have never asked for anything.
    func closeSilent() {
        let latest = NIODeadline.now() - Self.patience
        let silent = channels.withLock { open in
            open.values.filter { !$0.hasAsked && $0.opened < latest }.map(\.channel)
        }
        for channel in silent { channel.close(promise: nil) }
    }

    func remove(_ channel: any Channel) {
        channels.withLock { $0[ObjectIdentifier(channel)] = nil }
    }

    /// Closes all, whatever they are at.
    func closeAll() {
        for channel in channels.withLock({ $0.values.map(\.channel) }) { channel.close(promise: nil) }
    }
}

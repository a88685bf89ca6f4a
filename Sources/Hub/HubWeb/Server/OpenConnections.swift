// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The connections that are open, to close them when the server has to stop.
final class OpenConnections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    func add(_ channel: any Channel) {
        channels.withLock { $0[ObjectIdentifier(channel)] = channel }
    }

    func remove(_ channel: any Channel) {
        channels.withLock { $0[ObjectIdentifier(channel)] = nil }
    }

    /// Closes all, whatever they are at.
    func closeAll() {
        for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Who uses a running server, and the stream of what they do: the same over every backend, which feeds it.
package final class ServerState: Sendable {
    /// Where what clients do is put in.
    package let source: ServerEventStream.Source
    package let events: ServerEventStream
    private let known = Mutex<Set<Server.Client>>([])

    /// Knows a server that has just been started.
    ///
    /// - Parameters:
    ///   - consumed: Called for each event that waits no more.
    ///   - abandoned: Called once when nobody can take events out any more.
    package init(
        consumed: (@Sendable (ServerEvent) -> Void)? = nil, abandoned: @escaping @Sendable () -> Void
    ) {
        source = ServerEventStream.Source(consumed: consumed, abandoned: abandoned)
        events = ServerEventStream(source)
    }

    /// Who uses it now.
    package var clients: Set<Server.Client> { known.withLock { $0 } }

    /// Somebody uses it.
    package func joined(_ client: Server.Client) { known.withLock { _ = $0.insert(client) } }

    /// Somebody uses it no more.
    package func left(_ client: Server.Client) { known.withLock { _ = $0.remove(client) } }

    /// The server has ended.
    ///
    /// - Parameter error: Why; nothing when this side has stopped it.
    package func end(_ error: BluetoothError?) {
        known.withLock { $0 = [] }
        source.finish(throwing: error)
    }
}

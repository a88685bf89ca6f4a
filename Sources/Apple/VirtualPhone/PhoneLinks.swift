// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import BluetoothLE
import Synchronization

/// The links of a phone to devices, each shared by all that want it: a device has one, however many apps use it.
///
/// A device that has opened a link itself is used over that one; it stays when nobody here wants it any more.
///
/// Whoever waits for a link is resumed when it is open, when it cannot be opened, or when nobody wants it any more, which
/// gives the attempt up.
package actor PhoneLinks {
    /// Somebody who wants a link.
    package typealias Holder = UInt64

    /// A link appears or is gone.
    package enum Change: Sendable {
        case opened
        case closed
    }

    private final class Entry {
        let number: UInt64
        var holders: Set<Holder> = []
        var attempt: Task<Connection, any Error>?
        var connection: Connection?
        /// Whether the device has opened it.
        var isIncoming = false

        init(_ number: UInt64) { self.number = number }
    }

    private let radio: Radio
    private let server: PhoneServer
    private var entries: [Peer: Entry] = [:]
    /// Links and attempts that are coming to their end: another one to the same device waits for that.
    private var endings: [Peer: Task<Void, Never>] = [:]
    private var lastNumber: UInt64 = 0
    /// The links that are open, for whoever cannot wait.
    private nonisolated let snapshot = Mutex<[Peer: Connection]>([:])
    private var observers: [Holder: @Sendable (Peer, Change) -> Void] = [:]

    init(_ radio: Radio, _ server: PhoneServer) { (self.radio, self.server) = (radio, server) }

    /// Waits for a link, for as long as it takes.
    ///
    /// - Parameters:
    ///   - peer: To whom.
    ///   - holder: Who wants it, until ``leave(_:_:)``.
    /// - Returns: The link.
    /// - Throws: ``BluetoothError``; ``BluetoothError/cancelled`` when the holder has left.
    package func connect(to peer: Peer, _ holder: Holder) async throws(BluetoothError) -> Connection {
        let entry = entries[peer] ?? open(peer)
        entry.holders.insert(holder)
        guard let attempt = entry.attempt else { throw .cancelled }
        do {
            let connection = try await attempt.value
            guard entry.holders.contains(holder) else { throw BluetoothError.cancelled }
            return connection
        } catch {
            entry.holders.remove(holder)
            throw error as? BluetoothError ?? .cancelled
        }
    }

    private func open(_ peer: Peer) -> Entry {
        lastNumber += 1
        let entry = Entry(lastNumber)
        entries[peer] = entry
        let (radio, server, number, before) = (radio, server, lastNumber, endings[peer])
        // Ends with the attempt, which the last to leave cancels.
        entry.attempt = Task(executorPreference: radio.executor) {
            do {
                await before?.value
                let connection: Connection
                var isIncoming = false
                do throws(BluetoothError) {
                    connection = try await radio.connect(to: peer, ConnectOptions(timeout: nil))
                } catch {
                    guard error == .alreadyConnected, let incoming = try await server.connection(to: peer)
                    else { throw error }
                    (connection, isIncoming) = (incoming, true)
                }
                try await self.opened(peer, number, connection, isIncoming)
                return connection
            } catch {
                await self.failed(peer, number)
                throw error
            }
        }
        return entry
    }

    private func opened(
        _ peer: Peer, _ number: UInt64, _ connection: Connection, _ isIncoming: Bool
    ) async throws(BluetoothError) {
        guard let entry = entries[peer], entry.number == number, !Task.isCancelled else {
            if !isIncoming { await connection.disconnect() }
            throw .cancelled
        }
        (entry.connection, entry.isIncoming) = (connection, isIncoming)
        snapshot.withLock { $0[peer] = connection }
        Task(executorPreference: radio.executor) {
            _ = try? await connection.waitUntilDisconnected()
            await self.closed(peer, number, connection)
        }
        for observer in observers.values { observer(peer, .opened) }
    }

    private func failed(_ peer: Peer, _ number: UInt64) {
        if entries[peer]?.number == number { entries[peer] = nil }
    }

    private func closed(_ peer: Peer, _ number: UInt64, _ connection: Connection) {
        // One that came in may have been let go of before.
        guard snapshot.withLock({ $0[peer] == connection }) else { return }
        if entries[peer]?.number == number { entries[peer] = nil }
        isGone(peer)
    }

    private func isGone(_ peer: Peer) {
        snapshot.withLock { $0[peer] = nil }
        for observer in observers.values { observer(peer, .closed) }
    }

    /// Wants a link no more; the last to leave closes it, unless the device has opened it.
    package func leave(_ peer: Peer, _ holder: Holder) {
        guard let entry = entries[peer], entry.holders.remove(holder) != nil, entry.holders.isEmpty else {
            return
        }
        entries[peer] = nil
        let (attempt, connection) = (entry.attempt, entry.connection)
        attempt?.cancel()
        if entry.isIncoming { return isGone(peer) }
        endings[peer] = Task(executorPreference: radio.executor) {
            await connection?.disconnect()
            _ = await attempt?.result
        }
    }

    /// The devices with an open link that are known to offer one of some services.
    ///
    /// - Parameter services: The services; none: all devices.
    /// - Returns: The devices.
    package nonisolated func connected(offering services: [BluetoothUUID]) -> [Peer] {
        let open = snapshot.withLock { $0 }
        return open.filter { _, connection in
            services.isEmpty || connection.knownServices.contains { services.contains($0.uuid) }
        }.keys.sorted { "\($0)" < "\($1)" }
    }

    /// Follows which links appear and go.
    ///
    /// - Parameters:
    ///   - holder: Who.
    ///   - observer: Told; `nil` no more.
    package func observe(_ holder: Holder, _ observer: (@Sendable (Peer, Change) -> Void)?) {
        observers[holder] = observer
    }
}

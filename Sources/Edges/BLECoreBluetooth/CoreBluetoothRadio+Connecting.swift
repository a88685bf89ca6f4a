// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

extension CoreBluetoothRadio {
    nonisolated func connect(
        toFirstOf peers: [Peer], _ options: ConnectOptions
    ) async throws(BluetoothError) -> any ConnectionBackend {
        guard peers.count == 1 else { throw .unsupported(.connectingToFirst) }
        return try await open(peers[0], options.timeout)
    }

    /// Opens a link; Core Bluetooth itself would try for as long as it takes.
    private func open(
        _ peer: Peer, _ limit: Duration?
    ) async throws(BluetoothError) -> CoreBluetoothConnection {
        guard state == .ready else { throw obstacle }
        guard links[peer] == nil, attempts[peer] == nil else { throw .alreadyConnected }
        if let link = kept.take(peer) {
            links[peer] = link
            return link
        }
        let waiter = Waiter<CoreBluetoothConnection>()
        attempts[peer] = waiter
        let peripheral = self.peripheral(peer)
        // One that was never heard is looked for; one that is named by its address has no identifier here, and is not found.
        let isSearch = peripheral == nil && peer.identifier != nil
        if let peripheral {
            central?.connect(peripheral, options: nil)
        } else if isSearch {
            scanning.searches += 1
            adjustScan()
        }
        let countdown = Countdown(on: clock, queue)
        if let limit {
            countdown.start(limit) { [queue] in
                queue.perform { waiter.end(.failure(.connectFailed(.connectTimeout))) }
            }
        }
        defer {
            countdown.stop()
            if isSearch {
                scanning.searches -= 1
                adjustScan()
            }
        }
        do throws(BluetoothError) {
            return try await queue.wait(for: waiter)
        } catch {
            if attempts[peer] === waiter { attempts[peer] = nil }
            if let begun = self.peripheral(peer), state == .ready {
                central?.cancelPeripheralConnection(begun)
            }
            throw error
        }
    }

    /// What Core Bluetooth has for a device; `nil` when it does not know it.
    private func peripheral(_ peer: Peer) -> CBPeripheral? {
        if let known = known[peer] { return known.value }
        guard let identifier = peer.identifier, state == .ready else { return nil }
        let found = central?.retrievePeripherals(withIdentifiers: [identifier.foundation]).first
        if let found { known.use(peer, default: OnQueue(found)) { _ in } }
        return found
    }

    func connected(_ peripheral: CBPeripheral) {
        let peer = Peer(peripheral)
        guard links[peer] == nil else { return }
        guard let attempt = attempts[peer], !attempt.isOver else {
            if kept.opened(peer, { CoreBluetoothConnection(self, peripheral) }) { return }
            central?.cancelPeripheralConnection(peripheral)
            return
        }
        attempts[peer] = nil
        let link = CoreBluetoothConnection(self, peripheral)
        links[peer] = link
        attempt.end(.success(link))
    }

    func notConnected(_ peripheral: CBPeripheral, _ error: (any Error)?) {
        let peer = Peer(peripheral)
        attempts[peer]?.end(.failure(BluetoothError(connecting: error)))
        _ = kept.take(peer)
    }

    func disconnected(_ peripheral: CBPeripheral, _ error: (any Error)?) {
        let failure = error.map { LinkError($0, isOn: state == .ready) } ?? .closedByUs
        let peer = Peer(peripheral)
        (links.removeValue(forKey: peer) ?? kept.take(peer))?.ended(failure)
    }

    func cancel(_ link: CoreBluetoothConnection) {
        guard state == .ready else { return }
        central?.cancelPeripheralConnection(link.peripheral)
    }

    /// Ends a link from this side without waiting for the system.
    func cut(_ link: CoreBluetoothConnection, _ failure: LinkError) {
        cancel(link)
        if links[link.peer] === link { links[link.peer] = nil }
        link.ended(failure)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
package import BluetoothLE
import DBus

extension BlueZRadio {
    package nonisolated func connect(
        toFirstOf peers: [Peer], _ options: ConnectOptions
    ) async throws(BluetoothError) -> any ConnectionBackend {
        guard peers.count == 1 else { throw .unsupported(.connectingToFirst) }
        while true {
            do throws(BluetoothError) {
                return try await open(peers[0], options)
            } catch {
                guard options.timeout == nil, case .connectFailed(.connectTimeout) = error else {
                    throw error
                }
            }
        }
    }

    private func open(
        _ peer: Peer, _ options: ConnectOptions
    ) async throws(BluetoothError) -> BlueZConnection {
        guard adapter != nil else { throw .radioUnavailable("it is off") }
        let (seconds, attoseconds) = max(.zero, min(options.timeout ?? .seconds(3600), .seconds(3600)))
            .components
        let microseconds = UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
        let deadline = loop.now.advanced(byMicroseconds: microseconds)
        let path = try await find(peer, before: deadline)
        guard links[path] == nil, opening.insert(path).inserted else {
            throw .alreadyConnected
        }
        defer { opening.remove(path) }
        do throws(BluetoothError) {
            return try await open(path, peer, before: deadline)
        } catch {
            // What BlueZ has begun would go on.
            bus?.send(DBusCall(BlueZ.service, path, BlueZ.device, "Disconnect")) { _ in }
            throw error
        }
    }

    private func open(
        _ path: String, _ peer: Peer, before deadline: HostInstant
    ) async throws(BluetoothError) -> BlueZConnection {
        guard let bus else { throw .radioUnavailable("the connection to D-Bus is gone") }
        let left = Duration.microseconds(Int64(clamping: deadline.microseconds(since: loop.now)))
        let pause = pauseDiscovery(for: path)
        defer {
            pause.set(nil)
            resumeDiscovery(for: path)
        }
        do throws(DBusError) {
            _ = try await bus.call(DBusCall(BlueZ.service, path, BlueZ.device, "Connect"), timeout: left)
        } catch .refused("org.bluez.Error.AlreadyConnected", _) {
            // By another program, or still.
        } catch .refused("org.bluez.Error.InProgress", _) {
            // Another program's attempt serves as well.
            while objects.properties(path, BlueZ.device).map({ BlueZDevice(properties: $0) })?.isConnected
                != true
            {
                guard try await nextChange(before: deadline) else { throw .connectFailed(.connectTimeout) }
            }
        } catch {
            throw BlueZ.connectFailure(error)
        }
        resumeDiscovery(for: path)
        while true {
            guard let properties = objects.properties(path, BlueZ.device) else {
                throw .connectFailed(adapter == nil ? .radioLost : .closedByPeer)
            }
            let device = BlueZDevice(properties: properties)
            guard device.isConnected else { throw .connectFailed(.closedByPeer) }
            if device.isResolved { break }
            guard try await nextChange(before: deadline) else { throw .connectFailed(.connectTimeout) }
        }
        let link = BlueZConnection(self, path, peer, bus, BlueZServices(objects, of: path))
        links[path] = link
        adjustAgent()
        return link
    }

    /// The object of a device; listens for it where BlueZ does not know it.
    private func find(_ peer: Peer, before deadline: HostInstant) async throws(BluetoothError) -> String {
        if let path = path(of: peer) { return path }
        discovery.searches += 1
        adjustDiscovery()
        defer {
            discovery.searches = max(0, discovery.searches - 1)
            adjustDiscovery()
        }
        while true {
            guard adapter != nil else { throw .radioUnavailable("it is off") }
            guard try await nextChange(before: deadline) else { throw .connectFailed(.connectTimeout) }
            if let path = path(of: peer) { return path }
        }
    }

    private func path(of peer: Peer) -> String? {
        guard let adapter else { return nil }
        return objects.all(BlueZ.device).first { path, properties in
            path.hasPrefix(adapter + "/") && BlueZDevice(properties: properties).address == peer.address
        }?.path
    }

    /// A value that BlueZ tells as a change of its property.
    func notified(_ value: [UInt8], by path: String) { link(of: path)?.notified(value, by: path) }
}

// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BluetoothLE
import DBus

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The socket through which BlueZ takes the notifications of a characteristic, one message each.
///
/// Whoever waits for room is resumed when there is some or the socket is closed, by either side. Unchecked: only
/// touched on the loop.
final class NotifiedValues: @unchecked Sendable {
    private let descriptor: DBusDescriptor
    private var watch: LoopDescriptor?
    private var room: [Ending<Void>] = []
    private var closed: (@Sendable () -> Void)?
    /// Whether BlueZ still takes values.
    private(set) var isOpen = true

    /// Makes a socket.
    ///
    /// - Parameters:
    ///   - loop: What it is watched on.
    ///   - closed: Called once when BlueZ wants no more.
    /// - Returns: Our side, and the descriptor for BlueZ; `nil` when there are no descriptors left.
    static func make(
        on loop: TransportLoop, _ closed: @escaping @Sendable () -> Void
    ) -> (NotifiedValues, DBusDescriptor)? {
        var pair: [CInt] = [-1, -1]
        #if canImport(Glibc)
        let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        #else
        let kind = SOCK_SEQPACKET
        #endif
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
        return (
            NotifiedValues(DBusDescriptor(owning: pair[0]), loop, closed), DBusDescriptor(owning: pair[1])
        )
    }

    private init(
        _ descriptor: DBusDescriptor, _ loop: TransportLoop, _ closed: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.closed = closed
        watch = LoopDescriptor(descriptor.number, on: loop) { [weak self] in self?.ready() }
        watch?.watch(toRead: true, toWrite: false)
    }

    /// Gives BlueZ a value.
    ///
    /// - Returns: Nothing when it was taken or is wanted no more; otherwise what ends when there may be room.
    func give(_ value: [UInt8]) -> Ending<Void>? {
        guard isOpen else { return nil }
        let count = value.withUnsafeBytes { sendOctets(descriptor.number, $0.baseAddress, $0.count) }
        if count >= 0 { return nil }
        guard errno == EAGAIN || errno == ENOBUFS else {
            end()
            return nil
        }
        let ending = Ending<Void>()
        room.append(ending)
        watch?.watch(toRead: true, toWrite: true)
        return ending
    }

    private func ready() {
        var octet: UInt8 = 0
        let count = recv(descriptor.number, &octet, 1, CInt(MSG_DONTWAIT))
        // BlueZ sends nothing: it has closed its end.
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return end() }
        watch?.watch(toRead: true, toWrite: false)
        resume()
    }

    /// Sends no more.
    func end() {
        guard isOpen else { return }
        isOpen = false
        watch?.end()
        watch = nil
        resume()
        closed?()
        closed = nil
    }

    private func resume() {
        let waiters = room
        room = []
        for waiter in waiters { waiter.end(()) }
    }
}

private func sendOctets(_ descriptor: CInt, _ octets: UnsafeRawPointer?, _ count: Int) -> Int {
    send(descriptor, octets, count, CInt(MSG_NOSIGNAL))
}

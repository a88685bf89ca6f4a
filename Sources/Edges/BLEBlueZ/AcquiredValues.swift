// SPDX-License-Identifier: Apache-2.0

import BLETransport
import DBus

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The notifications of a characteristic as BlueZ gives them through a socket, one message each.
///
/// Unchecked: only touched on the loop.
final class AcquiredValues: @unchecked Sendable {
    private let descriptor: DBusDescriptor
    private var watch: LoopDescriptor?
    /// Whether values wait in the socket, which holds BlueZ up.
    var isHeld = false { didSet { watch?.watch(toRead: !isHeld, toWrite: false) } }

    init(_ descriptor: DBusDescriptor, on loop: TransportLoop, _ ready: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        let flags = fcntl(descriptor.number, F_GETFL)
        _ = fcntl(descriptor.number, F_SETFL, flags | O_NONBLOCK)
        watch = LoopDescriptor(descriptor.number, on: loop, ready)
        watch?.watch(toRead: true, toWrite: false)
    }

    /// The next value; `nil` when none waits, or none will come.
    func next() -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: 512)
        let count = read(descriptor.number, &octets, octets.count)
        if count > 0 { return Array(octets.prefix(count)) }
        // BlueZ has closed its end, with which the socket would be ready for ever.
        if count == 0 || errno != EAGAIN && errno != EINTR { end() }
        return nil
    }

    /// Wants no more; the descriptor is closed with this.
    func end() {
        watch?.end()
        watch = nil
    }
}

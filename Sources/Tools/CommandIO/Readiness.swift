// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Waiting for a descriptor that does not wait by itself.
///
/// Somebody who shares a terminal or pipe with us may have made it so.
package enum Readiness {
    /// Waits until a descriptor has something to read, or room to write.
    ///
    /// - Parameters:
    ///   - events: `POLLIN` or `POLLOUT`.
    ///   - descriptor: The descriptor.
    package static func wait(for events: Int32, on descriptor: Int32) {
        var place = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        poll(&place, 1, -1)
    }

    /// Reads, and waits for the first octet.
    ///
    /// - Parameters:
    ///   - descriptor: Where to read.
    ///   - limit: How many octets at most.
    /// - Returns: The octets, none at the end; `nil` when they cannot be read, and `errno` says why.
    package static func read(_ descriptor: Int32, upTo limit: Int) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: limit)
        while true {
            let count = octets.withUnsafeMutableBytes {
                unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                octets.removeLast(limit - count)
                return octets
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: wait(for: POLLIN, on: descriptor)
            default: return nil
            }
        }
    }
}

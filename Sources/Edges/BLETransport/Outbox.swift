// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What was posted and is not with the channel yet.
///
/// Two buffers take turns, so that nothing is allocated as long as the channel is done with the one by the time
/// that the other is full.
struct Outbox {
    private var filling = ByteBuffer()
    private var writing = ByteBuffer()

    /// Adds octets.
    ///
    /// - Parameter octets: The octets.
    /// - Returns: Whether they are the first, so that somebody has to see to it that they are taken.
    mutating func add(_ octets: [UInt8]) -> Bool {
        let isFirst = filling.readableBytes == 0
        filling.writeBytes(octets)
        return isFirst
    }

    /// Takes everything out.
    ///
    /// - Returns: The octets; `nil` when there are none.
    mutating func take() -> ByteBuffer? {
        guard filling.readableBytes > 0 else { return nil }
        swap(&filling, &writing)
        filling.clear()
        return writing
    }
}
